import type { IDataObject } from 'n8n-workflow';

import type { CrashDetails } from '../../support/engine';
import { describeSleep, durable, errorOf, jsonOf, useDurableStage } from './support/stage';
import { expectVideos, rows, SLOW, statusesOf } from './support/videos';

const stage = useDurableStage();
const MAX_CRASHES = 20;

const begin = async (settings: IDataObject = {}) =>
	await stage.begin({ node: durable({}, settings), items: rows(SLOW, SLOW) });

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
		await expectVideos(stage, afterwards);
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
					/2 videos was interrupted \(Workflow did not finish.*costs nothing/,
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
		await expectVideos(stage, sleeping);
	});

	async function crashOnAndOn(onError: string) {
		let sleeping = await begin({ onError });
		while (sleeping.status === 'waiting') sleeping = await stage.engine.crash(sleeping);
		expect(stage.subExecutions()).toHaveLength(1 + MAX_CRASHES);
		expect(stage.sandbox.submissions()).toHaveLength(2);
		return sleeping;
	}
	const ENDED_EARLY = /its wait was interrupted 20 times: Workflow did not finish/;

	it('twenty times: fails with the ids and the reason', async () => {
		const { status, error, customData } = await crashOnAndOn('stopWorkflow');
		const [first, second] = stage.taskIds();
		expect(status).toBe('error');
		expect(error?.message).toMatch(ENDED_EARLY);
		expect(error?.message).toContain(`(task ${first}) [item 0]`);
		expect(error?.description).toContain(second);
		expect(error?.description).not.toMatch(/retry of this execution/i);
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
						retryable: false,
						next: 'followTask',
					}),
				),
			);
			expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		},
	);
});

describeSleep(stage, 'EXECUTIONS_DATA_SAVE_ON_PROGRESS, n8n dies between look and sleep', () => {
	it('loses no items', async () => {
		const sleeping = await stage.lookOnce(await begin());
		const result = await stage.toEnd(await stage.engine.crash(sleeping, { saveProgress: true }));
		expect(jsonOf(result.outputs()[0])).toMatchObject([
			{ status: 'SUCCESS' },
			{ status: 'SUCCESS' },
		]);
	});
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
