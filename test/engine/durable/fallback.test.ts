import type { IDataObject } from 'n8n-workflow';

import {
	createEngine,
	type EngineNode,
	type RunRequest,
	type RunResult,
} from '../../support/engine';
import { toInput } from '../../support/stage';
import { durable, jsonOf, useDurableStage } from './support/stage';

const stage = useDurableStage();

const items = toInput({ prompt: 'A boat' }, { prompt: 'A tree' });
const NAME = 'Video Generate';
const node = (parameters: IDataObject = {}, settings = {}): EngineNode => ({
	...durable(parameters, settings),
	name: NAME,
});
const to = (name: string, type: 'main' | 'ai_tool' = 'main') => ({ node: name, type, index: 0 });

/** In process: it ends without a sleep, has paid once for each item, and says why, twice. */
function expectInProcess(result: RunResult, why: RegExp) {
	expect(result.status).toBe('success');
	expect(stage.subExecutions().filter(({ status }) => status === 'waiting')).toEqual([]);
	expect(stage.sandbox.submissions()).toHaveLength(2);
	expect(jsonOf(result.outputs(NAME)[0])).toMatchObject([
		{ status: 'SUCCESS', reused: false },
		{ status: 'SUCCESS', reused: false },
	]);
	const message = expect.stringMatching(
		new RegExp(`Durable is not possible; the node waits in process: .*${why.source}`),
	);
	expect(result.hints(NAME)).toContainEqual({ message, type: 'warning', location: 'outputPane' });
	expect(Math.max(...result.hints(NAME).map((hint) => hint.message.length))).toBeLessThan(120);
	expect(result.logs).toContainEqual(expect.objectContaining({ level: 'warn', message }));
}

const expectToSleep = (result: RunResult) => expect(result.status).toBe('waiting');

describe('a trigger that answers with the last node', () => {
	const begin = async (
		trigger: Partial<EngineNode>,
		fields: Partial<RunRequest> = {},
		parameters: IDataObject = {},
	) =>
		await stage.begin({
			nodes: [
				{ name: 'Click', type: 'n8n-nodes-base.manualTrigger' },
				{ type: 'n8n-nodes-base.noOp', name: 'Trigger', ...trigger },
				{ name: 'Between', type: 'n8n-nodes-base.noOp' },
				node(parameters),
			],
			connections: {
				Click: { main: [[to(NAME)]] },
				Trigger: { main: [[to('Between')]] },
				Between: { main: [[to(NAME)]] },
			},
			items,
			startNode: 'Trigger',
			...fields,
		} as RunRequest);
	const webhook = (responseMode?: string) => ({
		type: 'n8n-nodes-base.webhook',
		parameters: { ...(responseMode && { responseMode }) },
	});
	const chat = (options: Record<string, string> = {}) => ({
		type: '@n8n/n8n-nodes-langchain.chatTrigger',
		parameters: { options },
	});

	it.each([
		['a Webhook', webhook('lastNode')],
		['a chat', chat()],
	])('%s: waits in process', async (_name, trigger) => {
		expectInProcess(await begin(trigger), /its trigger responds with the last node/);
	});

	it.each([
		['a Webhook that answers at once', webhook()],
		['a chat with a Respond to Webhook node', chat({ responseMode: 'responseNode' })],
	])('%s: sleeps', async (_name, trigger) => {
		expectToSleep(await begin(trigger));
	});

	it('is not looked at where another trigger has started the execution', async () => {
		expectToSleep(await begin(webhook('lastNode'), { startNode: 'Click' }));
	});

	it.each([
		['it was not chosen', { wait: 'inProcess' }],
		['nobody waits', { wait: 'none' }],
	])('is no reason for words where %s', async (_name, parameters) => {
		const result = await begin(webhook('lastNode'), {}, parameters);
		expect(result.status).toBe('success');
		expect(JSON.stringify([result.hints(NAME), result.logs])).not.toContain('Durable');
		expect(stage.subExecutions()).toEqual([]);
	});
});

describe('the tool of an agent', () => {
	it.each([
		['which calls it', 2],
		['for which n8n calls it', 3],
	])('%s: waits in process, and the agent hears of the videos', async (_name, typeVersion) => {
		const result = await stage.begin({
			nodes: [
				{ name: 'Click', type: 'n8n-nodes-base.manualTrigger' },
				{ ...durable({ prompt: 'A boat' }), name: NAME, type: `${durable().type}Tool` },
				{ name: 'Agent', type: '@n8n/n8n-nodes-langchain.agent', typeVersion },
			],
			connections: {
				Click: { main: [[to('Agent')]] },
				[NAME]: { ai_tool: [[to('Agent', 'ai_tool')]] },
			},
			items: toInput({ turns: [[{ tool: NAME, input: {} }]] }),
		});
		expect(result.status).toBe('success');
		expect(stage.subExecutions()).toEqual([]);
		expect(stage.sandbox.submissions()).toHaveLength(1);
		const [task_id] = stage.taskIds();
		expect(jsonOf(result.outputs()[0])).toMatchObject([
			{ answer: [{ task_id, status: 'SUCCESS' }] },
		]);
		const why = expect.stringMatching(/an AI agent is waiting for this tool/);
		expect(result.logs.map(({ message }) => message)).toContainEqual(why);
	});
});

describe('an instance without the Wait node (NODES_EXCLUDE)', () => {
	it('waits in process, and says why', async () => {
		const engine = await createEngine({ 'n8n-nodes-base.wait': undefined });
		const { credentials } = stage;
		expectInProcess(await engine.run({ node: node(), items, credentials }), /no Wait node/);
		expect(engine.executions()).toHaveLength(1);
		engine.close();
	});
});
