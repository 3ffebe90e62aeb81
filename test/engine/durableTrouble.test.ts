import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../sandbox/service';
import type { CrashDetails, RunResult } from '../support/engine';
import { describeSleep, durable, errorOf, jsonOf, useDurableStage } from '../support/durableStage';
import { planned, toInput } from '../support/stage';
import { hurry } from './faults/support/clock';

const stage = useDurableStage();

/** Three looks: after 66, 132 and 198 s. */
const SLOW: Plan = { renderMs: 180_000 };
const MAX_CRASHES = 20;

const rows = (...plans: Plan[]) =>
	toInput(...plans.map((plan, i) => ({ prompt: planned(`video ${i}`, plan) })));
const begin = async (parameters: IDataObject = {}, settings = {}, plans = [SLOW, SLOW]) =>
	await stage.begin({ node: durable(parameters, settings), items: rows(...plans) });
const statusesOf = (results: RunResult[]) => results.map(({ status }) => status);

async function expectVideos(sleeping: RunResult) {
	const result = await stage.toEnd(sleeping);
	expect(result.status).toBe('success');
	const items = stage.taskIds().map((task_id, item) => ({
		json: expect.objectContaining({ task_id, status: 'SUCCESS', reused: false }),
		pairedItem: { item },
	}));
	expect(result.outputs()).toEqual([items]);
	expect(stage.sandbox.submissions()).toHaveLength(2);
}

describeSleep(stage, 'n8n that dies in the middle of a look', () => {
	const deaths: Array<[string, number, CrashDetails]> = [
		['the first one: it leaves an error', 0, {}],
		['a later one: it leaves items', 1, {}],
		['in a process without an event log: it leaves items', 0, { eventLog: false }],
	];
	it.each(deaths)('%s', async (_name, looks, how) => {
		let sleeping = await begin();
		for (let look = 0; look < looks; look++) sleeping = await stage.lookOnce(sleeping);
		const afterwards = await stage.engine.crash(sleeping, how);
		expect(afterwards.status).toBe('waiting');
		expect(statusesOf(stage.subExecutions())).toEqual(['waiting', 'crashed', 'waiting']);
		await expectVideos(afterwards);
	});

	it('has no part in what comes after it: the next worker begins with what was submitted', async () => {
		const { engine } = stage;
		const crashed = await engine.crash(await stage.lookOnce(await begin()));
		const [[first]] = engine.sleeper(crashed).outputs('Submitted Videos');
		expect(first.json).toMatchObject({ status: 'queued', poll_count: 0, sleep_seconds: 66 });
	});

	it('tells it in the log of the keeper', async () => {
		await stage.engine.crash(await begin());
		const { logs } = stage.subExecutions()[0];
		expect(logs).toContainEqual(
			expect.objectContaining({
				level: 'warn',
				message: expect.stringMatching(
					/2 videos ended early \(Workflow did not finish.*costs nothing/,
				),
			}),
		);
	});

	it('again and again: goes on, one time less than twenty', async () => {
		let sleeping = await begin();
		for (let crash = 1; crash < MAX_CRASHES; crash++) {
			sleeping = await stage.engine.crash(sleeping, { eventLog: crash % 2 === 0 });
			expect(sleeping.status).toBe('waiting');
		}
		await expectVideos(sleeping);
	});

	async function crashOnAndOn(onError: string) {
		let sleeping = await begin({}, { onError });
		while (sleeping.status === 'waiting') sleeping = await stage.engine.crash(sleeping);
		expect(stage.subExecutions()).toHaveLength(1 + MAX_CRASHES);
		expect(stage.sandbox.submissions()).toHaveLength(2);
		return sleeping;
	}
	const ENDED_EARLY = /its wait ended early 20 times: Workflow did not finish/;

	it('twenty times: fails with the ids and the reason', async () => {
		const { status, error, customData } = await crashOnAndOn('stopWorkflow');
		const [first, second] = stage.taskIds();
		expect(status).toBe('error');
		expect(error?.message).toMatch(ENDED_EARLY);
		expect(error?.message).toContain(`(task ${first}) [item 0]`);
		expect(error?.description).toContain(second);
		expect(customData.video_task_ids).toBe(`${first},${second}`);
	});

	it.each(['continueRegularOutput', 'continueErrorOutput'])(
		'twenty times: each item fails with its id (%s)',
		async (onError) => {
			const outputs = (await crashOnAndOn(onError)).outputs();
			const failed = outputs[outputs.length - 1];
			expect(failed.map(errorOf)).toEqual(
				stage.taskIds().map((task_id) =>
					expect.objectContaining({
						task_id,
						message: expect.stringMatching(ENDED_EARLY),
						retryable: true,
					}),
				),
			);
			expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		},
	);
});

describeSleep(stage, 'n8n that dies while the videos are handed over', () => {
	it('leaves the caller its tasks, as an own Return Task does', async () => {
		const sleeping = await begin();
		const [keeper] = stage.subExecutions();
		await stage.engine.crash(keeper, { itself: true, eventLog: false });
		const caller = stage.engine
			.executions()
			.find(({ executionId }) => executionId === sleeping.executionId)!;
		expect(caller.status).toBe('success');
		expect(caller.outputs()).toEqual(sleeping.outputs());
		expect(jsonOf(caller.outputs()[0])).toMatchObject(
			stage.taskIds().map((task_id) => ({ task_id, status: 'queued' })),
		);
	});
});

describeSleep(stage, 'a caller that is gone', () => {
	/** The sub-executions come to their next turn by themselves. */
	async function nextTurn() {
		const [keeper] = stage.subExecutions();
		await stage.lookOnce(keeper);
	}

	it('by Stop: the sub-executions end without a look, and the ids are kept', async () => {
		const { engine, credentials, sandbox } = stage;
		const request = { node: durable(), items: rows(SLOW, SLOW), credentials };
		const execution = engine.start(request);
		const { executionId } = await execution.done;
		await execution.stop();
		await nextTurn();
		const caller = engine.executions().find((result) => result.executionId === executionId)!;
		expect(caller.status).toBe('canceled');
		expect(caller.customData.video_task_ids).toBe(stage.taskIds().join(','));
		expect(statusesOf(stage.subExecutions())).toEqual(['success', 'success']);
		expect(sandbox.polls()).toHaveLength(0);
	});

	it('by deletion: the sub-executions end without a look', async () => {
		stage.engine.remove(await begin());
		await nextTurn();
		expect(statusesOf(stage.subExecutions())).toEqual(['success', 'success']);
		expect(stage.sandbox.polls()).toHaveLength(0);
	});

	it('while n8n died, too: no new worker is launched', async () => {
		stage.engine.remove(await begin());
		await stage.engine.crash(stage.subExecutions()[0], { eventLog: false });
		expect(statusesOf(stage.subExecutions())).toEqual(['success', 'crashed']);
	});
});

describeSleep(stage, 'looks that meet trouble', () => {
	let haste = { restore: () => {} };
	beforeEach(() => (haste = hurry(300)));
	afterEach(() => haste.restore());

	const lasting: Array<[string, string, number]> = [
		['a key that is refused', 'unauthorized', 6],
		['a task that is not known', 'notExist', 6],
		['a gateway that is down', 'html502', 60],
	];
	it.each(lasting)('%s: gives up after a while, with the id', async (_name, fault, polls) => {
		const plan = { poll: { always: fault } };
		const sleeping = await begin({ options: { maxWait: 600 } }, {}, [plan]);
		const result = await stage.toEnd(sleeping);
		const [task_id] = stage.taskIds();
		expect(result.status).toBe('error');
		expect(result.error?.message).toMatch(/^The task cannot be followed any more/);
		expect(result.error?.message).toContain(`(task ${task_id}) [item 0]`);
		expect(stage.sandbox.polls()).toHaveLength(polls);
	});

	it('that passes: goes on as if nothing had been', async () => {
		const poll = [...Array(5).fill('html502'), ...Array(2).fill('unauthorized')] as string[];
		await expectVideos(await begin({}, {}, [{ poll }, SLOW]));
	});
});

describeSleep(stage, 'the first failure in the default mode', () => {
	it('ends the wait for the others, and names them', async () => {
		const failing: Plan = { outcome: 'FAILURE', failReason: 'Not allowed', renderMs: 90_000 };
		const result = await stage.toEnd(await begin({}, {}, [{ outcome: 'never' }, failing]));
		const [other, failed] = stage.taskIds();
		expect(result.error?.message).toContain(`(task ${failed}) [item 1]`);
		expect(result.error?.description).toContain(other);
		expect(stage.sandbox.polls(other)).toHaveLength(2);
	});

	it('does not in the other modes', async () => {
		const failing: Plan = { outcome: 'FAILURE', renderMs: 90_000 };
		const sleeping = await begin({}, { onError: 'continueRegularOutput' }, [SLOW, failing]);
		const [items] = (await stage.toEnd(sleeping)).outputs();
		expect(jsonOf(items)).toMatchObject([{ status: 'SUCCESS' }, { error: { status: 'FAILURE' } }]);
	});
});
