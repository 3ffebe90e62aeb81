import type { IDataObject } from 'n8n-workflow';

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

// n8n is killed, or an execution stopped, while it sleeps.

const stage = useDurableStage();
const MAX_CRASHES = 20;

const begin = async (settings: IDataObject = {}) =>
	await stage.begin({ node: durable({}, settings), items: rows(SLOW, SLOW) });

it.each([
	['the first look: it leaves an error', 0],
	['a later one: it leaves items', 1],
])('in %s', async (_name, looks) => {
	let sleeping = await begin();
	for (let look = 0; look < looks; look++) sleeping = await stage.lookOnce(sleeping);
	const afterwards = await stage.engine.crash(sleeping);
	expect(statusesOf([afterwards, ...stage.subExecutions()])).toEqual([
		...['waiting', 'waiting', 'crashed', 'waiting'],
	]);
	const message = expect.stringMatching(/2 videos was interrupted \(.*costs nothing/);
	const warning = expect.objectContaining({ level: 'warn', message });
	expect(stage.subExecutions()[0].logs).toContainEqual(warning);
	await expectVideos(stage, afterwards);
});

it('between look and sleep, with EXECUTIONS_DATA_SAVE_ON_PROGRESS: loses no items', async () => {
	const sleeping = await stage.lookOnce(await begin());
	await expectVideos(stage, await stage.engine.crash(sleeping, { saveProgress: true }));
});

it('twenty times: fails with the IDs and the reason', async () => {
	let sleeping = await begin({ onError: 'continueErrorOutput' });
	while (sleeping.status === 'waiting') sleeping = await stage.engine.crash(sleeping);
	expect(stage.subExecutions()).toHaveLength(1 + MAX_CRASHES);
	expect(stage.sandbox.submissions()).toHaveLength(2);
	const failed = sleeping.outputs().at(-1)!;
	const message = expect.stringMatching(/its wait was interrupted 20 times: Workflow did not/);
	expect(failed.map(errorOf)).toMatchObject(
		stage.taskIds().map((task_id) => ({ task_id, message, next: 'followTask' })),
	);
	expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
});

it('as the videos are handed over: leaves the caller its tasks, as Return Task does', async () => {
	const { executionId } = await begin();
	await stage.engine.crash(stage.subExecutions()[0], { itself: true, eventLog: false });
	const caller = stage.engine.executions().find((result) => result.executionId === executionId)!;
	expect(caller.status).toBe('success');
	expect(jsonOf(caller.outputs()[0])).toMatchObject(
		stage.taskIds().map((task_id) => ({ task_id, status: 'queued' })),
	);
});

it('by Stop: keeps the IDs, and its sub-executions end with the videos', async () => {
	const { engine, credentials } = stage;
	const execution = engine.start({ node: durable(), items: rows(SLOW, SLOW), credentials });
	const { executionId } = await execution.done;
	await execution.stop();
	await stage.toEnd(stage.subExecutions()[0]);
	const caller = engine.executions().find((result) => result.executionId === executionId)!;
	expect(caller.status).toBe('canceled');
	expect(caller.customData.video_task_ids).toBe(stage.taskIds().join(','));
	expect(statusesOf(stage.subExecutions())).toEqual(['success', 'success']);
	expect(stage.sandbox.submissions()).toHaveLength(2);
});
