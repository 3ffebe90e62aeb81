import assert from 'node:assert/strict';
import { until } from './workflows.mjs';

const TAIL_WITHIN_MS = 10 * 60_000;
const ENDED = new Set(['success', 'error', 'canceled', 'crashed']);

/** Executions that ended well: `{ prompt, json }` for each of their videos. */
async function readVideos({ studio, workflow, api }) {
	const callers = await studio.callers(workflow.id);
	const good = callers.filter(({ status }) => status === 'success');
	const read = good.map(async ({ id }) => {
		const { data } = await api().execution(id);
		const itemsOf = (name) => data.resultData.runData[name].at(-1).data.main[0];
		const prompts = itemsOf('Prompts').map(({ json }) => json.prompt);
		return itemsOf('Video Generate').map(({ json }, i) => ({ prompt: prompts[i], json }));
	});
	return (await Promise.all(read)).flat();
}

/** The batches of all executions that have ended well, once all have ended. */
export async function endedWell(world) {
	const { studio, workflow } = world;
	const all = async () => await studio.callers(workflow.id);
	const over = async () => (await all()).every(({ status }) => ENDED.has(status));
	await until(over, 'all executions to end', TAIL_WITHIN_MS);
	const videos = await readVideos(world);
	return new Set(videos.map(({ prompt }) => Number(/^video (\d+)\./.exec(prompt)[1])));
}

/** With Crash-Safe Submit: items that say that they may have a task, and tasks that no item knows. */
export async function countUnclear(world) {
	const videos = await readVideos(world);
	const unclear = new Set(
		videos.filter(({ json }) => json.error?.next === 'checkUsage').map(({ prompt }) => prompt),
	);
	const got = new Set(videos.map(({ json }) => json.task_id));
	const missing = world.service.tasks().filter(({ task_id }) => !got.has(task_id));
	return {
		unclear: unclear.size,
		unclearWithTask: missing.filter(({ prompt }) => unclear.has(prompt)).length,
		lost: missing.filter(({ prompt }) => !unclear.has(prompt)).length,
	};
}

/** Each video is there once, or its item says that n8n died while it was submitted. */
export function assertCrashSafe(result, videos) {
	assert.equal(result.paidTwice, 0, 'a video was paid for twice');
	assert.equal(result.lost, 0, 'a task is in no item');
	assert.equal(result.videos + result.unclear, videos, 'a video is missing');
	assert.equal(result.submissions, result.tasks, 'a submission made no task');
	assert.equal(result.tasks, result.videos + result.unclearWithTask);
	assert.equal(result.fetchedByHand, result.inLog, 'an ID from the log gives no video');
}
