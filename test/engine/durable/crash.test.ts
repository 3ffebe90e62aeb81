import type { IDataObject } from 'n8n-workflow';

import type { CrashDetails } from '../../support/engine';
import {
	durable,
	errorOf,
	expectVideos,
	jsonOf,
	rows,
	SLOW,
	statusesOf,
	useDurableStage,
} from './support/stage';

const stage = useDurableStage();
const MAX_CRASHES = 20;

const begin = async (settings: IDataObject = {}) =>
	await stage.begin({ node: durable({}, settings), items: rows(SLOW, SLOW) });

describe('n8n that dies in the middle of a look', () => {
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
		const message = expect.stringMatching(/2 videos was interrupted \(.*costs nothing/);
		const warning = expect.objectContaining({ level: 'warn', message });
		expect(stage.subExecutions()[0].logs).toContainEqual(warning);
		await expectVideos(stage, afterwards);
	});

	it.each(['stopWorkflow', 'continueErrorOutput'])(
		'twenty times: fails with the ids and the reason (%s)',
		async (onError) => {
			let sleeping = await begin({ onError });
			while (sleeping.status === 'waiting') sleeping = await stage.engine.crash(sleeping);
			expect(stage.subExecutions()).toHaveLength(1 + MAX_CRASHES);
			expect(stage.sandbox.submissions()).toHaveLength(2);
			const [first, second] = stage.taskIds();
			expect(sleeping.customData.video_task_ids).toBe(`${first},${second}`);
			const reason = /its wait was interrupted 20 times: Workflow did not finish.*\(task task_/;
			const message = expect.stringMatching(reason);
			if (onError === 'stopWorkflow') {
				expect(sleeping.error?.message).toEqual(message);
				expect(sleeping.error?.message).toContain(`(task ${first}) [item 0]`);
				expect(sleeping.error?.description).toContain(second);
				expect(sleeping.error?.description).not.toMatch(/retry of this execution/i);
				return;
			}
			const failed = sleeping.outputs().at(-1)!;
			const failure = { message, retryable: false, next: 'followTask' };
			expect(failed.map(errorOf)).toMatchObject(
				[first, second].map((task_id) => ({ task_id, ...failure })),
			);
			expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		},
	);
});

describe('EXECUTIONS_DATA_SAVE_ON_PROGRESS, n8n dies between look and sleep', () => {
	it('loses no items', async () => {
		const sleeping = await stage.lookOnce(await begin());
		const result = await stage.toEnd(await stage.engine.crash(sleeping, { saveProgress: true }));
		expect(jsonOf(result.outputs()[0])).toMatchObject([
			{ status: 'SUCCESS' },
			{ status: 'SUCCESS' },
		]);
	});
});

describe('n8n that dies while the videos are handed over', () => {
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
