import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	StructuredChunk,
} from 'n8n-workflow';

import { createSandbox, type Plan, type Sandbox, type SandboxOptions } from '../../sandbox/service';
import { readPlan } from '../../sandbox/service/plan';
import {
	createEngine,
	type Engine,
	type EngineNode,
	type RunRequest,
	type RunResult,
} from './engine';

export const PACKAGE = 'n8n-nodes-video-generation';
export const MODEL = 'veo-3.1-fast-generate-001';
export const KEY = 'sandbox-key';

/** The modes of On Error. */
export const MODES = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
export type Mode = (typeof MODES)[number];
export const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** A model as the editor saves it. */
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/**
 * A prompt that carries its plan for the sandbox, see docs/dev/sandbox.md. The sandbox would refuse one
 * that it cannot read, which looks like a service that refuses the video.
 */
export function planned(prompt: string, plan: object): string {
	const text = `${prompt} sandbox:${JSON.stringify(plan)}`;
	const { problem } = readPlan(text);
	if (problem) throw new Error(`The sandbox does not take this plan: ${problem}`);
	return text;
}

export const toInput = (...rows: IDataObject[]): INodeExecutionData[] =>
	rows.map((json) => ({ json }));

/** An item for each plan, whose prompt begins with `video` and its number. */
export const plannedRows = (...plans: Plan[]) =>
	toInput(...plans.map((plan, i) => ({ prompt: planned(`video ${i}`, plan) })));

/** What was asked for where these videos came out. */
export function promptsOf({ sandbox }: Stage, items: INodeExecutionData[]) {
	const prompts = new Map(sandbox.tasks().map((task) => [task.task_id, task.prompt]));
	return items.map(({ json }) => prompts.get(json.task_id as string));
}

/** The kinds of chunks that were streamed, such as `begin item end`. */
export const orderOf = (chunks: StructuredChunk[]) =>
	chunks
		.map(({ type }) => type)
		.join(' ')
		.replace(/item( item)+/g, 'item');

/** The connections of one output. */
export const to = (...names: string[]) =>
	names.map((node) => ({ node, type: 'main' as const, index: 0 }));

/** A workflow of nodes that follow one another, by their names. */
export const inARow = (...nodes: EngineNode[]) => ({
	nodes,
	connections: Object.fromEntries(
		nodes.slice(1).map(({ name }, i) => [nodes[i].name!, { main: [to(name!)] }]),
	),
});

/** A workflow that sends its items through `Node`, so many at a time, and then on to `End`. */
export const inLoop = (node: EngineNode, batchSize = 1) => ({
	nodes: [
		{ name: 'Click', type: 'n8n-nodes-base.manualTrigger' },
		{ name: 'Loop', type: 'n8n-nodes-base.splitInBatches', parameters: { batchSize } },
		{ ...node, name: 'Node' },
		{ name: 'End', type: 'n8n-nodes-base.noOp' },
	],
	connections: {
		Click: { main: [to('Loop')] },
		Loop: { main: [to('End'), to('Node')] },
		Node: { main: [to('Loop')] },
	},
});

/** The engine and the service of a test file; both live from its first to its last test. */
export interface Stage {
	engine: Engine;
	sandbox: Sandbox;
	credentials: Record<'videoGenerationApi' | 'geminiCompatibleApi', ICredentialDataDecryptedObject>;
	/** Runs a node with the stage's credentials; over one empty item without any. */
	run(node: EngineNode, items?: INodeExecutionData[], more?: RunRequest): Promise<RunResult>;
}

/** Sets the stage for a test file and clears the sandbox's records before each test. */
export function useStage(options: SandboxOptions = {}): Stage {
	const stage = {
		run: async (node, items, more) =>
			await stage.engine.run({ node, items, credentials: stage.credentials, ...more }),
	} as Stage;
	beforeAll(async () => {
		stage.sandbox = await createSandbox({ renderMs: 60, ...options });
		stage.engine = await createEngine();
		const access = { baseUrl: stage.sandbox.url, apiKey: KEY };
		stage.credentials = {
			videoGenerationApi: access,
			geminiCompatibleApi: { ...access, keyLocation: 'header', headerName: 'x-goog-api-key' },
		};
	});
	beforeEach(() => stage.sandbox.reset());
	afterAll(async () => {
		stage.engine?.close();
		await stage.sandbox?.close();
	});
	return stage;
}

export type NodeSettings = Partial<Omit<EngineNode, 'type' | 'parameters'>>;

/** Video Generate that looks often and leaves files where they are, so that tests are quick. */
export function videoGenerate(parameters: IDataObject = {}, settings: NodeSettings = {}) {
	const { options = {}, ...rest } = parameters;
	const { polling, ...others } = options as IDataObject;
	return {
		type: `${PACKAGE}.videoGenerate`,
		parameters: {
			model: byId(MODEL),
			prompt: '={{ $json.prompt }}',
			downloadVideo: false,
			options: { polling: { pollInterval: 0.02, ...(polling as IDataObject) }, ...others },
			...rest,
		},
		...settings,
	} as EngineNode;
}

export const videoStatus = (parameters: IDataObject = {}, settings: NodeSettings = {}) =>
	({ type: `${PACKAGE}.videoStatus`, parameters, ...settings }) as EngineNode;

export const videoDownload = (parameters: IDataObject = {}, settings: NodeSettings = {}) =>
	({ type: `${PACKAGE}.videoDownload`, parameters, ...settings }) as EngineNode;
