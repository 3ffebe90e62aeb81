import type { EngineNode } from '../../support/engine';
import { fixture, json, useFixtureStage } from './support/stage';

const stage = useFixtureStage();

describe('On Error', () => {
	const items = [{ json: { path: '/bad', n: 1 } }, { json: { path: '/ok', n: 2 } }];
	const run = async (onError: EngineNode['onError'], failure = 'errorAlone') =>
		await stage.engine.run({
			node: fixture('Request', { onError, parameters: { path: '={{ $json.path }}', failure } }),
			items,
			credentials: stage.credentials,
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
		stage.service.seen.failReceipts = 2;
		const node = fixture('Ledger', { ...retryOnFail, parameters: { keep } });
		const result = await stage.engine.run({ node, items, credentials: stage.credentials });
		expect(result.status).toBe('success');
		expect(result.runs()).toHaveLength(1);
		expect(stage.service.seen.paid).toBe(paid);
	});

	it('"Retry execution" finds the ledger of the failed one', async () => {
		stage.service.seen.failReceipts = 1;
		const failed = await stage.engine.run({
			node: fixture('Ledger'),
			items,
			credentials: stage.credentials,
		});
		expect(failed.status).toBe('error');
		expect(failed.contextData).toEqual({ 'node:Node Under Test': { 0: 1 } });

		const retried = await stage.engine.retry(failed);
		expect(retried).toMatchObject({ status: 'success', run: { mode: 'retry' } });
		expect(retried.runs()).toHaveLength(1);
		expect(json(retried.outputs()[0])).toEqual([{ receipt: 1 }, { receipt: 2 }]);
		await expect(stage.engine.retry(retried)).rejects.toThrow('succeeded');
	});

	it('"Retry with currently saved workflow" takes the new parameters', async () => {
		const bad = fixture('Request', { parameters: { path: '/bad' } });
		const failed = await stage.engine.run({ node: bad, credentials: stage.credentials });
		const retried = await stage.engine.retry(failed, {
			node: fixture('Request'),
			credentials: stage.credentials,
		});
		expect(json(retried.outputs()[0])).toEqual([{ ok: true }]);
	});
});
