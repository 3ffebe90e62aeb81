import type { RunResult } from '../../support/engine';
import { fixture, isVersion1, json, useFixtureStage } from './support/stage';

const stage = useFixtureStage();

describe('sleeping in a sub-workflow', () => {
	const items = [{ json: { n: 1 } }, { json: { n: 2 } }];
	const sleep = async (path: string) => {
		const node = fixture('Sleep', { parameters: { path } });
		return await stage.engine.run({ node, items, credentials: stage.credentials });
	};
	const rowOf = (result: RunResult) =>
		stage.engine.executions().find(({ executionId }) => executionId === result.executionId);

	it('parks both, and wakes the parent with the result', async () => {
		const parent = await sleep('/ok');
		const child = stage.engine.executions().at(-2);
		expect([child?.status, parent.status]).toEqual(['waiting', 'waiting']);
		expect(child?.workflowData.id).toBe(parent.workflowData.id);

		const woken = await stage.engine.wake(parent);
		expect(woken.status).toBe('success');
		expect(woken.executionId).toBe(parent.executionId);
		const expected = isVersion1 ? [{ n: 1 }, { n: 2 }] : [{ ok: true }, { ok: true }];
		expect(json(woken.outputs()[0])).toEqual(expected);
	});

	it('wakes the parent with the failure', async () => {
		const woken = await stage.engine.wake(await sleep('/bad'));
		expect(woken.status).toBe(isVersion1 ? 'success' : 'error');
	});

	it('deletes an execution, and knows what it sleeps on', async () => {
		const parent = await sleep('/ok');
		expect(stage.engine.sleeper(parent).waitTill).toEqual(expect.any(Date));
		expect(stage.engine.sleeper(parent).executionId).not.toBe(parent.executionId);
		stage.engine.remove(parent);
		expect((await stage.engine.wake(stage.engine.sleeper(parent))).status).toBe('success');
		expect(rowOf(parent)).toBeUndefined();
		await expect(stage.engine.wake(parent)).rejects.toThrow('is not waiting');
	});

	it('stops a sleeping execution: what it waits for sleeps on', async () => {
		const node = fixture('Sleep', { parameters: { path: '/ok' } });
		const execution = stage.engine.start({ node, items, credentials: stage.credentials });
		const parent = await execution.done;
		const child = stage.engine.sleeper(parent);
		await execution.stop();
		const stopped = rowOf(parent)!;
		expect(stopped.status).toBe('canceled');
		expect(stopped.saved.data.resultData.error?.message).toContain('cancelled');
		expect((await stage.engine.wake(child)).status).toBe('success');
		expect(rowOf(parent)?.status).toBe('canceled');
	});

	it('crashes what sleeps, by the event log with an error', async () => {
		const parent = await sleep('/ok');
		const child = stage.engine.sleeper(parent);
		const woken = await stage.engine.crash(parent);
		expect(rowOf(child)?.status).toBe('crashed');
		expect(woken.status).toBe(isVersion1 ? 'success' : 'error');
	});

	it.each([
		['without an event log', { eventLog: false }],
		['with saved progress', { saveProgress: true }],
	])('crashes what sleeps, %s: with the items that it had', async (_name, how) => {
		const woken = await stage.engine.crash(await sleep('/ok'), how);
		expect(woken.status).toBe('success');
		expect(json(woken.outputs()[0])).toEqual([{ n: 1 }, { n: 2 }]);
	});
});
