import assert from 'node:assert/strict';
import { chain, items, node, until, webhook } from './workflows.mjs';

/** Each execution of a death test wants so many videos. */
export const PER_EXECUTION = 4;

const ENDED = new Set(['success', 'error', 'canceled', 'crashed']);

/** Waits until all executions have ended, and counts what became of the videos. */
export async function countDeaths({ service, workflows, studio, api, logs }) {
	const callers = async () =>
		(await Promise.all(workflows.map(({ id }) => studio.callers(id)))).flat();
	await until(
		async () => (await callers()).every(({ status }) => ENDED.has(status)),
		'all executions to end',
	);
	const all = await callers();
	const done = await Promise.all(
		all.filter(({ status }) => status === 'success').map(({ id }) => api().execution(id)),
	);
	const failed = await Promise.all(
		all.filter(({ status }) => status !== 'success').map(({ id }) => api().execution(id)),
	);
	const given = done.flatMap(
		({ data }) => data.resultData.runData['Video Generate'].at(-1).data.main[0],
	);
	const got = new Set(
		given.filter(({ json }) => json.status === 'SUCCESS').map(({ json }) => json.task_id),
	);
	const tasks = service.tasks();
	const log = await logs();
	const batchOf = ({ prompt }) => /^video (\d+)\./.exec(prompt)[1];
	const missing = tasks.filter(({ task_id }) => !got.has(task_id));
	const inLog = missing.filter(({ task_id }) => log.includes(task_id));
	const cutOff = new Set(missing.map(batchOf));
	return {
		videos: got.size,
		files: given.filter(({ binary }) => binary?.data?.id).length,
		tasks: tasks.length,
		submissions: service.submissions().length,
		paths: countBy(service.submissions().map(({ path }) => path)),
		paidTwice: tasks.length - new Set(tasks.map(({ prompt }) => prompt)).size,
		/** Executions that did not end well though n8n had stored that they sleep. */
		sleptInVain: failed.filter(({ customData }) => customData?.video_task_ids).length,
		/** Executions that n8n died in while they submitted, and their tasks. */
		cutOff: cutOff.size,
		endedBadly: failed.length,
		tasksCutOff: tasks.filter((task) => cutOff.has(batchOf(task))).length,
		/** Of those: known from n8n's log, or accepted when nobody read the answer any more. */
		inLog: inLog.length,
		answerUnread: missing.length - inLog.length,
		/** Files that Video Download gets for the IDs in the log. */
		fetchedByHand: await downloadAll(
			studio,
			api(),
			inLog.map(({ task_id }) => task_id),
		),
		statuses: countBy(all.map(({ status }) => status)),
	};
}

const countBy = (words) =>
	words.reduce((counts, word) => ({ ...counts, [word]: (counts[word] ?? 0) + 1 }), {});

/** What a person does with IDs from n8n's log; says how many files came. */
async function downloadAll(studio, api, ids) {
	if (ids.length === 0) return 0;
	const workflow = await studio.publish(
		'by hand',
		[
			webhook(),
			items(
				ids.map((task_id) => ({ task_id })),
				'IDs',
			),
			node(
				'Video Download',
				'n8n-nodes-video-generation.videoDownload',
				1,
				{},
				{ credentials: studio.credentials },
			),
		],
		chain('Webhook', 'IDs', 'Video Download'),
	);
	await api.callWebhook(workflow.path);
	const execution = await studio.ended(workflow.id);
	return studio.itemsOf(execution, 'Video Download').filter(({ binary }) => binary).length;
}

/** Whatever slept has its videos, each submitted once; the rest was cut off while it submitted. */
export function assertNothingLost(result, videos) {
	const { cutOff, tasksCutOff } = result;
	assert.equal(result.paidTwice, 0, 'a video was paid for twice');
	assert.equal(result.sleptInVain, 0, 'an execution that slept was lost');
	assert.equal(result.videos, videos - cutOff * PER_EXECUTION, 'a video is missing');
	assert.equal(result.tasks, result.videos + tasksCutOff, 'submissions made = videos wanted');
	assert.equal(result.submissions, result.tasks, 'a submission made no task');
	assert.ok(cutOff <= result.endedBadly, 'tasks are missing though no execution ended badly');
	assert.equal(result.fetchedByHand, result.inLog, 'an ID from the log gives no video');
}
