import {
	createEngine,
	type EngineNode,
	type RunRequest,
	type RunResult,
} from '../../support/engine';
import { inARow, inLoop, promptsOf, to } from '../../support/stage';
import { durable, jsonOf, rows, useDurableStage } from './support/stage';

const stage = useDurableStage();
const NAME = 'Video Generate';
const CLICK = { name: 'Click', type: 'n8n-nodes-base.manualTrigger' };
const END = { name: 'End', type: 'n8n-nodes-base.noOp' };
const NODE = { ...durable(), name: NAME };
const promptsAtEnd = (result: RunResult) => promptsOf(stage, result.outputs('End')[0]);

describe('sleeps', () => {
	it('in each pass of a loop, and pays for each once', async () => {
		const items = rows({}, {}, {});
		const result = await stage.runThrough({ ...inLoop(durable()), items });
		expect(promptsAtEnd(result)).toEqual(items.map(({ json }) => json.prompt));
		expect(result.runs('Node')).toHaveLength(3);
		expect(stage.sandbox.submissions()).toHaveLength(3);
		expect(stage.subExecutions()).toHaveLength(6);
	});

	it('in a workflow that another one has called, and lets that one wait, too', async () => {
		const at = { typeVersion: 1, position: [0, 0] as [number, number] };
		const start = { name: 'Start', type: 'n8n-nodes-base.executeWorkflowTrigger', ...at };
		const credentials = { videoGenerationApi: { id: 'id-videoGenerationApi', name: 'Video' } };
		const called = inARow(
			{ id: '1', parameters: {}, ...start },
			{ id: '2', ...NODE, credentials, ...at },
		);
		const call = {
			name: 'Call',
			type: 'n8n-nodes-base.executeWorkflow',
			parameters: { workflowJson: JSON.stringify(called) },
		};
		const items = rows({}, {});
		const result = await stage.runThrough({ ...inARow(CLICK, call, END), items });
		expect(promptsAtEnd(result)).toEqual(items.map(({ json }) => json.prompt));
		expect(stage.sandbox.submissions()).toHaveLength(2);
	});
});

describe('waits in process where a sleep is not possible', () => {
	const items = rows({}, {});

	/** It ends without a sleep, has paid once for each item, and says why, twice. */
	function expectInProcess(result: RunResult, why: string) {
		expect(stage.sandbox.submissions()).toHaveLength(2);
		const done = { status: 'SUCCESS', reused: false };
		expect(jsonOf(result.outputs(NAME)[0])).toMatchObject([done, done]);
		const message = expect.stringContaining(why) as string;
		expect(result.hints(NAME)).toContainEqual({ message, type: 'warning', location: 'outputPane' });
		expect(result.logs).toContainEqual(expect.objectContaining({ level: 'warn', message }));
	}

	/** The trigger is a node before the one before the node; `startNode` may begin with another. */
	const begin = async (trigger: Partial<EngineNode>, fields: Partial<RunRequest> = {}) =>
		await stage.begin({
			nodes: [
				CLICK,
				{ type: 'n8n-nodes-base.webhook', name: 'Trigger', ...trigger },
				{ name: 'Between', type: 'n8n-nodes-base.noOp' },
				NODE,
			],
			connections: {
				Click: { main: [to(NAME)] },
				Trigger: { main: [to('Between')] },
				Between: { main: [to(NAME)] },
			},
			items,
			startNode: 'Trigger',
			...fields,
		});
	const LAST_NODE = { parameters: { responseMode: 'lastNode' } };
	const CHAT = '@n8n/n8n-nodes-langchain.chatTrigger';

	it.each([
		['a Webhook that responds with the last node', LAST_NODE],
		['a chat, which does unless it is told otherwise', { type: CHAT }],
	])('behind %s', async (_name, trigger) => {
		expectInProcess(await begin(trigger), 'its trigger responds with the last node');
	});

	it.each<[string, Partial<EngineNode>, Partial<RunRequest>]>([
		[
			'a chat with Respond to Webhook',
			{ type: CHAT, parameters: { options: { responseMode: 'responseNode' } } },
			{},
		],
		['a trigger that has not started the execution', LAST_NODE, { startNode: 'Click' }],
	])('but not behind %s', async (_name, trigger, fields) => {
		expect((await begin(trigger, fields)).status).toBe('waiting');
	});

	it('as with a Timeout Workflow that is too short', async () => {
		const settings = { executionTimeout: 120 };
		expectInProcess(await stage.begin({ node: NODE, items, settings }), '(Timeout Workflow)');
	});

	it('as in an instance without the Wait node (NODES_EXCLUDE)', async () => {
		const engine = await createEngine({ 'n8n-nodes-base.wait': undefined });
		const { credentials } = stage;
		expectInProcess(await engine.run({ node: NODE, items, credentials }), 'no Wait node');
		engine.close();
	});
});
