import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

import { createEngine, projectVersion, type Engine, type EngineNode } from '../support/engine';

// What the tests rely on in n8n's engine, shown with a node that breaks the rules.

const isVersion1 = projectVersion() === '1';

/** Gives each item as the node's parameter `end` says. */
const ends = {
	description: {
		displayName: 'Ends',
		name: 'ends',
		group: ['transform'],
		version: 1,
		description: '',
		defaults: { name: 'Ends' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [{ displayName: 'End', name: 'end', type: 'string', default: '', required: true }],
	},
	async execute(this: IExecuteFunctions) {
		const shapes: Record<string, (json: object) => object> = {
			ok: () => ({ json: { ok: true } }),
			errorAlone: () => ({ json: { error: 'No' } }),
			errorAndMore: () => ({ json: { error: 'No', taskId: 'task-1' } }),
			itemError: (json) => ({ json: { ...json, taskId: 'task-1' }, error: new Error('No') }),
		};
		const toItem = ({ json }: INodeExecutionData, item: number) => {
			const shape = shapes[this.getNodeParameter('end', item) as string];
			if (!shape) throw new Error('Wrong end');
			return { ...shape(json), pairedItem: { item } } as INodeExecutionData;
		};
		return [this.getInputData().map(toItem)];
	},
} as unknown as INodeType;

let engine: Engine;
beforeAll(async () => {
	engine = await createEngine({ 'test.ends': ends });
});
afterAll(() => engine.close());

const node = (end: string, more: Partial<EngineNode> = {}): EngineNode => ({
	type: 'test.ends',
	parameters: { end },
	...more,
});
const json = (items: INodeExecutionData[]) => items.map((item) => item.json);

it('a run that n8n refuses to start is a failed one', async () => {
	const result = await engine.run({ node: node('') });
	expect(result.status).toBe('error');
	expect(result.error?.message).toContain('has issues');
});

it.each([
	['with `error` alone goes there', 'errorAlone', [], [{ n: 1, error: 'No' }]],
	['with more fields does not', 'errorAndMore', [{ error: 'No', taskId: 'task-1' }], []],
	['with `item.error` loses its json', 'itemError', [], [{ error: expect.any(String) }]],
])('continues on the error output: an item %s', async (_name, end, good, failed) => {
	const failing = node(end, { onError: 'continueErrorOutput' });
	const { outputs } = await engine.run({ node: failing, items: [{ json: { n: 1 } }] });
	expect(outputs().map(json)).toEqual([good, failed]);
});

it('a retry takes the node as it is saved by then; what has succeeded cannot be retried', async () => {
	const failed = await engine.run({ node: node('throws') });
	const retried = await engine.retry(failed, { node: node('ok') });
	expect(json(retried.outputs()[0])).toEqual([{ ok: true }]);
	await expect(engine.retry(retried)).rejects.toThrow('succeeded');
});

describe('sleeping in a sub-workflow', () => {
	const items = [{ json: { n: 1 } }, { json: { n: 2 } }];
	const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	const start = (end: string) => {
		const at = { typeVersion: 1, position: [0, 0], parameters: {} };
		const nodes = [
			{ ...at, id: '1', name: 'Begin', type: 'n8n-nodes-base.executeWorkflowTrigger' },
			{ ...at, id: '2', name: 'Wait', type: 'n8n-nodes-base.wait' },
			{ ...at, id: '3', name: 'Check', type: 'test.ends', parameters: { end } },
		];
		const workflowJson = JSON.stringify({
			nodes,
			connections: { Begin: to('Wait'), Wait: to('Check') },
		});
		const type = 'n8n-nodes-base.executeWorkflow';
		return engine.start({ node: { type, parameters: { workflowJson } }, items });
	};
	const statusOf = (id: string) =>
		engine.executions().find(({ executionId }) => executionId === id)?.status;

	it('parks both, and wakes the parent with the result', async () => {
		const parent = await start('ok').done;
		const child = engine.sleeper(parent);
		expect([child.status, parent.status]).toEqual(['waiting', 'waiting']);
		expect(child.workflowData.id).toBe(parent.workflowData.id);
		const woken = await engine.wake(parent);
		expect([woken.status, woken.executionId]).toEqual(['success', parent.executionId]);
		const expected = isVersion1 ? [{ n: 1 }, { n: 2 }] : [{ ok: true }, { ok: true }];
		expect(json(woken.outputs()[0])).toEqual(expected);
	});

	it('wakes the parent with the failure', async () => {
		const woken = await engine.wake(await start('throws').done);
		expect(woken.status).toBe(isVersion1 ? 'success' : 'error');
	});

	it('stopped, and then deleted: what it waits for sleeps on', async () => {
		const execution = start('ok');
		const parent = await execution.done;
		const child = engine.sleeper(parent);
		await execution.stop();
		expect(statusOf(parent.executionId)).toBe('canceled');
		engine.remove(parent);
		expect((await engine.wake(child)).status).toBe('success');
		expect(statusOf(parent.executionId)).toBeUndefined();
		await expect(engine.wake(parent)).rejects.toThrow('is not waiting');
	});

	it.each([
		['by the event log: with an error', {}, isVersion1 ? 'success' : 'error'],
		['without an event log: with its items', { eventLog: false }, 'success'],
		['with saved progress: with its items', { saveProgress: true }, 'success'],
	])('crashed, the parent goes on, %s', async (_name, how, status) => {
		const parent = await start('ok').done;
		const { executionId } = engine.sleeper(parent);
		const woken = await engine.crash(parent, how);
		expect([statusOf(executionId), woken.status]).toEqual(['crashed', status]);
		if (status === 'success') expect(json(woken.outputs()[0])).toEqual([{ n: 1 }, { n: 2 }]);
	});
});
