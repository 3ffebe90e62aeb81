import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../workflows.mjs';
import { video, WITHIN_MS } from './runs.mjs';

// Somebody stops an execution that sleeps.

const SLEEPS_WITHIN_MS = 30_000;

/** Starts it. */
export async function begin(runs) {
	await runs.straight('stopped', [video('stopped', { outcome: 'never' })]);
}

/** Stops it: to be called before the first look is due. */
export function check(runs) {
	test('Stop on a sleeping execution: canceled, ids kept, nobody looks any more', async () => {
		const { id } = await runs.studio.asleep(runs.of.stopped.id, SLEEPS_WITHIN_MS);
		await runs.sandbox.api.rest('POST', `/executions/${id}/stop`);
		const execution = await runs.endOf('stopped');
		assert.equal(execution.status, 'canceled');
		const [task] = runs.tasksOf('stopped');
		assert.equal(execution.customData.video_task_ids, task.task_id);
	});
}

/** What becomes of the sub-executions, a while later. */
export function checkLater(runs) {
	test('after Stop the sub-executions end at their next turn, without a look', async () => {
		const { id } = runs.of.stopped;
		const [task] = runs.tasksOf('stopped');
		const isOver = async () =>
			(await runs.studio.executionsOf(id)).every(({ status }) => status !== 'waiting');
		await until(isOver, 'the sub-executions to end', WITHIN_MS);
		assert.equal(runs.sandbox.service.polls(task.task_id).length, 0);
	});
}
