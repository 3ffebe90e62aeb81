import type { INodeExecutionData } from 'n8n-workflow';

import { createEngine, FIXTURE_PACKAGE, projectVersion } from '../support/engine';
import type { Engine, EngineNode, RunResult } from '../support/engine';
import { startFixtureService } from '../support/fixtureService';

const fixture = (name: string, node: Partial<EngineNode> = {}): EngineNode => ({
	type: `n8n-nodes-engine-fixture.fixture${name}`,
	...node,
});
const json = (items: INodeExecutionData[]) => items.map((item) => item.json);
const isVersion1 = projectVersion() === '1';

let service: Awaited<ReturnType<typeof startFixtureService>>;
let engine: Engine;
let credentials: { fixtureApi: { baseUrl: string; apiKey: string } };

beforeAll(async () => {
	service = await startFixtureService();
	engine = await createEngine(undefined, { packages: [FIXTURE_PACKAGE] });
	credentials = { fixtureApi: { baseUrl: service.url, apiKey: 'key' } };
});
beforeEach(() => Object.assign(service.seen, { paid: 0, failReceipts: 0 }));
afterAll(async () => {
	engine.close();
	await service.close();
});

describe('running', () => {
	it('loads the version that the Jest project names, and no other', async () => {
		const other = isVersion1 ? '2' : '1';
		expect(engine.version).toBe(projectVersion());
		await expect(createEngine(other)).rejects.toThrow(`project for n8n ${other}`);
	});

	it('runs a node with its credential and pairs its items', async () => {
		const items = [{ json: { n: 1 } }, { json: { n: 2 } }];
		const result = await engine.run({ node: fixture('Request'), items, credentials });
		expect(result).toMatchObject({ status: 'success', error: undefined });
		expect(result.outputs()).toEqual([
			[
				{ json: { ok: true }, pairedItem: { item: 0 } },
				{ json: { ok: true }, pairedItem: { item: 1 } },
			],
		]);
	});

	it('reads expressions from the items', async () => {
		const items = [{ json: { path: '/me' } }];
		const node = fixture('Request', { parameters: { path: '={{ $json.path }}' } });
		const result = await engine.run({ node, items, credentials });
		expect(json(result.outputs()[0])).toEqual([{ state: 'open' }]);
	});

	it('runs a whole workflow with a loop', async () => {
		const to = (node: string) => ({ node, type: 'main' as const, index: 0 });
		const result = await engine.run({
			nodes: [
				{ name: 'Click', type: 'n8n-nodes-base.manualTrigger' },
				{ name: 'Loop', type: 'n8n-nodes-base.splitInBatches' },
				fixture('Request', { name: 'Request' }),
				{ name: 'End', type: 'n8n-nodes-base.noOp' },
			],
			connections: {
				Click: { main: [[to('Loop')]] },
				Loop: { main: [[to('End')], [to('Request')]] },
				Request: { main: [[to('Loop')]] },
			},
			items: [{ json: {} }, { json: {} }, { json: {} }],
			credentials,
		});
		expect(result.runs('Request')).toHaveLength(3);
		expect(json(result.outputs('End')[0])).toEqual([{ ok: true }, { ok: true }, { ok: true }]);
	});

	it('turns a run that n8n refuses to start into a failed one', async () => {
		const node = fixture('Request', { parameters: { path: '' } });
		const result = await engine.run({ node, credentials });
		expect(result.status).toBe('error');
		expect(result.error?.message).toContain('has issues');
	});
});

describe('credentials', () => {
	it('fails without one', async () => {
		const result = await engine.run({ node: fixture('Request') });
		expect(result.status).toBe('error');
		expect(result.error?.message).toContain('does not have any credentials set');
	});

	it('renews an expired token once and signs with a function', async () => {
		const data = { fixtureTokenApi: { baseUrl: service.url, token: 'old' } };
		const result = await engine.run({ node: fixture('Token'), credentials: data });
		expect(json(result.outputs()[0])).toEqual([{ token: 'new' }]);
	});

	// n8n 1.120 loses an error's cause: it shows the error's own text and follows no status rule.
	const words = isVersion1
		? {
				bad: 'Authorization failed - please check your credentials',
				forbidden: 'Forbidden - perhaps check your credentials?',
				offline: 'The service refused the connection - perhaps it is offline',
			}
		: { bad: 'Unauthorized', forbidden: 'The key may not do this', offline: 'ECONNREFUSED' };

	it.each([
		['accepts a good key', 'key', '', { status: 'OK', message: 'Connection successful!' }],
		['refuses a bad key', 'bad', '', { status: 'Error', message: words.bad }],
		['follows a status rule', 'forbidden', '', { status: 'Error', message: words.forbidden }],
		['follows a body rule', 'key', '/closed', { message: 'The account is closed' }],
	])('tests a credential: %s', async (_name, apiKey, path, verdict) => {
		const data = { baseUrl: service.url + path, apiKey };
		expect(await engine.testCredential('fixtureApi', data)).toMatchObject(verdict);
	});

	it('tests a credential whose service cannot be reached', async () => {
		const verdict = await engine.testCredential('fixtureApi', { apiKey: 'key' });
		expect(verdict).toEqual({ status: 'Error', message: words.offline });
	});

	it('fills lists as the editor does', async () => {
		const node = fixture('Request', { parameters: { path: '/me' } });
		const found = await engine.listSearch(node, 'searchPaths', { credentials, filter: 'ba' });
		expect(found).toEqual({ results: [{ name: '/bad', value: '/bad' }] });
		expect(await engine.loadOptions(node, 'getPaths')).toEqual([{ name: 'Chosen', value: '/me' }]);
	});
});

describe('On Error', () => {
	const items = [{ json: { path: '/bad', n: 1 } }, { json: { path: '/ok', n: 2 } }];
	const run = async (onError: EngineNode['onError'], failure = 'errorAlone') =>
		await engine.run({
			node: fixture('Request', { onError, parameters: { path: '={{ $json.path }}', failure } }),
			items,
			credentials,
		});

	it('stops', async () => {
		const result = await run('stopWorkflow');
		expect(result).toMatchObject({ status: 'error', error: { context: { itemIndex: 0 } } });
		expect(result.outputs()).toEqual([]);
	});

	it('continues on the regular output', async () => {
		const result = await run('continueRegularOutput');
		const [failed, good] = json(result.outputs()[0]);
		expect(result.status).toBe('success');
		expect(failed).toEqual({ error: expect.any(String) });
		expect(good).toEqual({ ok: true });
	});

	it('continues on the error output: an item with `error` alone goes there', async () => {
		const [good, failed] = (await run('continueErrorOutput')).outputs();
		expect(json(good)).toEqual([{ ok: true }]);
		expect(json(failed)).toEqual([{ path: '/bad', n: 1, error: expect.any(String) }]);
	});

	it('continues on the error output: one with more fields does not', async () => {
		const [good, failed] = (await run('continueErrorOutput', 'errorAndMore')).outputs();
		expect(json(good)).toEqual([{ error: expect.any(String), taskId: 'task-1' }, { ok: true }]);
		expect(failed).toEqual([]);
	});

	it('continues on the error output: one with `item.error` loses its json', async () => {
		const [good, failed] = (await run('continueErrorOutput', 'itemError')).outputs();
		expect(good).toHaveLength(1);
		expect(json(failed)).toEqual([{ error: expect.any(String) }]);
	});
});

describe('trying again', () => {
	const items = [{ json: {} }, { json: {} }];
	const retryOnFail = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

	it.each([
		['once each with a ledger', true, 2],
		['for every try without one', false, 4],
	])('Retry On Fail pays %s', async (_name, keep, paid) => {
		service.seen.failReceipts = 2;
		const node = fixture('Ledger', { ...retryOnFail, parameters: { keep } });
		const result = await engine.run({ node, items, credentials });
		expect(result.status).toBe('success');
		expect(result.runs()).toHaveLength(1);
		expect(service.seen.paid).toBe(paid);
	});

	it('"Retry execution" finds the ledger of the failed one', async () => {
		service.seen.failReceipts = 1;
		const failed = await engine.run({ node: fixture('Ledger'), items, credentials });
		expect(failed.status).toBe('error');
		expect(failed.contextData).toEqual({ 'node:Node Under Test': { 0: 1 } });

		const retried = await engine.retry(failed);
		expect(retried).toMatchObject({ status: 'success', run: { mode: 'retry' } });
		expect(retried.runs()).toHaveLength(1);
		expect(json(retried.outputs()[0])).toEqual([{ receipt: 1 }, { receipt: 2 }]);
		await expect(engine.retry(retried)).rejects.toThrow('succeeded');
	});

	it('"Retry with currently saved workflow" takes the new parameters', async () => {
		const bad = fixture('Request', { parameters: { path: '/bad' } });
		const failed = await engine.run({ node: bad, credentials });
		const retried = await engine.retry(failed, { node: fixture('Request'), credentials });
		expect(json(retried.outputs()[0])).toEqual([{ ok: true }]);
	});
});

describe('Stop', () => {
	it('cancels, and keeps what the node returns', async () => {
		const execution = engine.start({ node: fixture('Slow'), credentials });
		await service.polled();
		await execution.stop();
		const result = await execution.done;
		expect(result.status).toBe('canceled');
		expect(json(result.outputs()[0])).toEqual([{ taskId: 'task-1' }]);
		// n8n calls its storing hooks at once, before the node has returned.
		expect(result.saved.status).toBe('canceled');
		expect(Object.keys(result.saved.data.resultData.runData)).toEqual(['Start']);
	});
});

describe('beside the items', () => {
	it('keeps custom data, hints, log lines and messages to the editor', async () => {
		const result = await engine.run({ node: fixture('Report'), mode: 'manual' });
		expect(result.customData).toEqual({ taskId: 'task-1' });
		expect(result.hints()).toEqual([{ message: 'A hint', location: 'outputPane' }]);
		expect(result.uiMessages).toMatchObject([{ messages: ['Rendering', { percent: 50 }] }]);
		expect(result.logs).toContainEqual(expect.objectContaining({ message: 'A log line' }));
		expect(result.chunks).toEqual([]);
	});

	it('sends no messages to the editor in production', async () => {
		const result = await engine.run({ node: fixture('Report') });
		expect(result.uiMessages).toEqual([]);
	});

	it('streams where the workflow does', async () => {
		const request = { node: fixture('Report'), mode: 'webhook' as const, streaming: true };
		const { chunks } = await engine.run(request);
		expect(chunks).toMatchObject([{ type: 'item', content: 'A chunk' }]);
	});
});

describe('files', () => {
	const modes = ['default', 'filesystem', 'database'] as const;
	const offered = isVersion1 ? modes.slice(0, 2) : modes;

	it.each(offered)('go from a stream into mode %s', async (binaryMode) => {
		const result = await engine.run({ node: fixture('Download'), credentials, binaryMode });
		const [{ json: read, binary }] = result.outputs()[0];
		expect(read).toEqual({ isStream: true });
		expect(binary?.data).toMatchObject({ fileName: 'film.mp4', mimeType: 'video/mp4' });
		expect(binary?.data.id?.split(/-v2:|:/)[0] ?? 'default').toBe(binaryMode);
		const bytes = await engine.readBinary(binary!.data);
		expect(bytes.equals(Buffer.alloc(100_000, 'film'))).toBe(true);
	});

	it('mode database is not in n8n 1', async () => {
		const run = engine.run({ node: fixture('Download'), credentials, binaryMode: 'database' });
		if (isVersion1) await expect(run).rejects.toThrow('n8n 1 has no binary data mode');
		else expect((await run).status).toBe('success');
	});
});

describe('sleeping in a sub-workflow', () => {
	const items = [{ json: { n: 1 } }, { json: { n: 2 } }];
	const sleep = async (path: string) => {
		const node = fixture('Sleep', { parameters: { path } });
		return await engine.run({ node, items, credentials });
	};
	const rowOf = (result: RunResult) =>
		engine.executions().find(({ executionId }) => executionId === result.executionId);

	it('parks both, and wakes the parent with the result', async () => {
		const parent = await sleep('/ok');
		const child = engine.executions().at(-2);
		expect([child?.status, parent.status]).toEqual(['waiting', 'waiting']);
		expect(child?.workflowData.id).toBe(parent.workflowData.id);

		const woken = await engine.wake(parent);
		expect(woken.status).toBe('success');
		expect(woken.executionId).toBe(parent.executionId);
		const expected = isVersion1 ? [{ n: 1 }, { n: 2 }] : [{ ok: true }, { ok: true }];
		expect(json(woken.outputs()[0])).toEqual(expected);
	});

	it('wakes the parent with the failure', async () => {
		const woken = await engine.wake(await sleep('/bad'));
		expect(woken.status).toBe(isVersion1 ? 'success' : 'error');
	});

	it('deletes an execution, and knows what it sleeps on', async () => {
		const parent = await sleep('/ok');
		expect(engine.sleeper(parent).waitTill).toEqual(expect.any(Date));
		expect(engine.sleeper(parent).executionId).not.toBe(parent.executionId);
		engine.remove(parent);
		expect((await engine.wake(engine.sleeper(parent))).status).toBe('success');
		expect(rowOf(parent)).toBeUndefined();
		await expect(engine.wake(parent)).rejects.toThrow('is not waiting');
	});

	it('stops a sleeping execution: what it waits for sleeps on', async () => {
		const node = fixture('Sleep', { parameters: { path: '/ok' } });
		const execution = engine.start({ node, items, credentials });
		const parent = await execution.done;
		const child = engine.sleeper(parent);
		await execution.stop();
		const stopped = rowOf(parent)!;
		expect(stopped.status).toBe('canceled');
		expect(stopped.saved.data.resultData.error?.message).toContain('cancelled');
		expect((await engine.wake(child)).status).toBe('success');
		expect(rowOf(parent)?.status).toBe('canceled');
	});

	it('crashes what sleeps, by the event log with an error', async () => {
		const parent = await sleep('/ok');
		const child = engine.sleeper(parent);
		const woken = await engine.crash(parent);
		expect(rowOf(child)?.status).toBe('crashed');
		expect(woken.status).toBe(isVersion1 ? 'success' : 'error');
	});

	it.each([
		['without an event log', { eventLog: false }],
		['with saved progress', { saveProgress: true }],
	])('crashes what sleeps, %s: with the items that it had', async (_name, how) => {
		const woken = await engine.crash(await sleep('/ok'), how);
		expect(woken.status).toBe('success');
		expect(json(woken.outputs()[0])).toEqual([{ n: 1 }, { n: 2 }]);
	});
});
