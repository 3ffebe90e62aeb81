import type { IDataObject, INodeExecutionData, OnError } from 'n8n-workflow';

import type { Plan, RequestBody, RequestRecord, SandboxOptions } from '../../../../sandbox/service';
import type { BinaryMode, RunRequest, RunResult } from '../../../support/engine';
import { byId, PACKAGE, planned, useStage, type Stage } from '../../../support/stage';

export const TEXT_MODEL = 'gemini-2.5-flash';
export const TYPE = `${PACKAGE}.generateContent`;
export const CONTINUE = { onError: 'continueRegularOutput' } as const;

export interface TextRun {
	parameters?: IDataObject;
	items?: INodeExecutionData[];
	/** Laid over the credential of the stage. */
	credential?: IDataObject;
	onError?: OnError;
	binaryMode?: BinaryMode;
	mode?: RunRequest['mode'];
	streaming?: boolean;
	onChunk?: RunRequest['onChunk'];
	/** Further fields of the node, such as `retryOnFail`. */
	node?: IDataObject;
}

type Sent = RequestBody & Required<Pick<RequestBody, 'contents'>>;

/** Generate Content on a stage. */
export interface TextStage {
	stage: Stage;
	toRequest: (run: TextRun) => RunRequest;
	run: (run: TextRun) => Promise<RunResult>;
	/** Runs one prompt with a plan for the sandbox. */
	ask: (plan: Plan, run?: TextRun) => Promise<RunResult>;
	/** The requests for text, in the order they came. */
	asked: () => RequestRecord[];
	/** The body of the only request that a run makes. */
	bodyOf: (run: TextRun) => Promise<Sent>;
}

export function useTextStage(options: SandboxOptions = {}): TextStage {
	const stage = useStage(options);
	const toRequest = ({ parameters, credential, onError, node, ...rest }: TextRun): RunRequest => ({
		...rest,
		node: {
			type: TYPE,
			parameters: { model: byId(TEXT_MODEL), ...parameters } as never,
			...(onError && { onError }),
			...node,
		},
		credentials: {
			geminiCompatibleApi: { ...stage.credentials.geminiCompatibleApi, ...credential } as never,
		},
	});
	const run = async (request: TextRun) => await stage.engine.run(toRequest(request));
	const asked = () =>
		stage.sandbox.requests.filter(({ path }) => /^\/v1beta\/models\/./.test(path));
	return {
		stage,
		toRequest,
		run,
		asked,
		ask: async (plan, { parameters, ...rest } = {}) =>
			await run({ parameters: { prompt: planned('Name a colour', plan), ...parameters }, ...rest }),
		bodyOf: async (request) => {
			onlyItem(await run(request));
			expect(asked()).toHaveLength(1);
			return asked()[0].body as Sent;
		},
	};
}

/** As behind a Webhook whose Response Mode is Streaming. */
export const STREAMING = { mode: 'webhook', streaming: true } as const;

/** The only item of a run that went well. */
export function onlyItem(result: RunResult): INodeExecutionData {
	if (result.error) throw result.error;
	const [items] = result.outputs();
	expect(items).toHaveLength(1);
	return items[0];
}

/** The `error` of the only item, which holds nothing else. */
export function onlyFailure(result: RunResult): IDataObject {
	const { json } = onlyItem(result);
	expect(Object.keys(json)).toEqual(['error']);
	return json.error as IDataObject;
}
