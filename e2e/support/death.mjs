import assert from 'node:assert/strict';
import { seededRandom } from '../../sandbox/seededRandom.mjs';
import { chain, node, pause, planned, until, videoGenerate, webhook } from './workflows.mjs';

/** Executions, each with so many items. */
const PER_EXECUTION = 4;
const RENDER_MS = [2_000, 120_000];
const LIFE_MS = [2_000, 14_000];
const TAIL_WITHIN_MS = 8 * 60_000;

/**
 * How much is tried. The full plan (20 kills over 100 renders, about ten minutes) is that of
 * `npm run death`; the figures in docs/durable-waiting.md are from it.
 */
export const PLAN = {
	videos: Number(process.env.DEATH_VIDEOS ?? 40),
	kills: Number(process.env.DEATH_KILLS ?? 8),
	seed: Number(process.env.DEATH_SEED ?? Date.now() % 1_000_000),
};

/** Webhook with `{ prompts }` -> Video Generate, Durable. */
const deathWorkflow = async (studio) =>
	await studio.publish(
		'death',
		[
			webhook(),
			node('Prompts', 'n8n-nodes-base.code', 2, {
				jsCode: 'return $input.first().json.body.prompts.map((prompt) => ({ json: { prompt } }));',
			}),
			videoGenerate(studio.credentials, { waitMode: 'durable' }),
		],
		chain('Webhook', 'Prompts', 'Video Generate'),
	);

const between = (random, [least, most]) => least + random() * (most - least);

/**
 * Renders `videos` through executions that begin at random moments, while `kill` ends n8n (or a
 * part of it) with SIGKILL `kills` times and brings it up again. Returns what became of them.
 *
 * @param {object} world
 * @param {{ id: string, path: string }} world.workflow Webhook -> Video Generate (Durable)
 * @param {() => Promise<void>} world.kill ends and restarts; returns once n8n answers again
 * @param {() => object} world.api of the n8n that runs now
 * @param {() => Promise<string>} world.logs everything that n8n has logged so far
 */
async function dieAtRandom({ service, workflow, kill, api, executionsOf, logs, ...plan }) {
	const { videos, kills, seed } = plan;
	const random = seededRandom(seed);
	const batches = Array.from({ length: videos / PER_EXECUTION }, (_, batch) => ({
		batch,
		prompts: Array.from({ length: PER_EXECUTION }, (_unused, i) =>
			planned(`video ${batch}.${i}`, { renderMs: Math.round(between(random, RENDER_MS)) }),
		),
	}));
	const begin = async ({ prompts }) =>
		await api()
			.callWebhook(workflow.path, { prompts })
			.then((response) => response.text())
			// n8n may be dying: whether it began is seen from the submissions.
			.catch(() => undefined);
	const share = batches.length / kills;
	for (let death = 0; death < kills; death++) {
		const lifeMs = between(random, LIFE_MS);
		const beginning = batches.slice(Math.round(death * share), Math.round((death + 1) * share));
		const calls = beginning.map(async (batch) => {
			await pause(random() * lifeMs);
			await begin(batch);
		});
		await pause(lifeMs);
		await kill(death);
		await Promise.all(calls);
	}
	const isPaid = ({ batch }) =>
		service.tasks().some(({ prompt }) => prompt.startsWith(`video ${batch}.`));
	// What died before its first submission has cost nothing: a person would run it again.
	for (const batch of batches) if (!isPaid(batch)) await begin(batch);
	return await count({ service, workflow, executionsOf, api, logs, batches });
}

const ENDED = new Set(['success', 'error', 'canceled', 'crashed']);

async function count({ service, workflow, executionsOf, api, logs }) {
	const callers = async () =>
		(await executionsOf(workflow.id)).filter(({ mode }) => mode !== 'integrated');
	await until(
		async () => (await callers()).every(({ status }) => ENDED.has(status)),
		'all executions to end',
		TAIL_WITHIN_MS,
	);
	const all = await callers();
	const done = await Promise.all(
		all.filter(({ status }) => status === 'success').map(({ id }) => api().execution(id)),
	);
	const failed = await Promise.all(
		all.filter(({ status }) => status !== 'success').map(({ id }) => api().execution(id)),
	);
	const items = done.flatMap(({ data }) =>
		data.resultData.runData['Video Generate'].at(-1).data.main[0].map(({ json }) => json),
	);
	const got = new Set(
		items.filter(({ status }) => status === 'SUCCESS').map(({ task_id }) => task_id),
	);
	const tasks = service.tasks();
	const log = await logs();
	const batchOf = ({ prompt }) => /^video (\d+)\./.exec(prompt)[1];
	const missing = tasks.filter(({ task_id }) => !got.has(task_id));
	const cutOff = new Set(missing.map(batchOf));
	return {
		videos: got.size,
		tasks: tasks.length,
		submissions: service.submissions().length,
		paidTwice: tasks.length - new Set(tasks.map(({ prompt }) => prompt)).size,
		/** Executions that did not end well though n8n had stored that they sleep. */
		sleptInVain: failed.filter(({ customData }) => customData?.video_task_ids).length,
		/** Executions that n8n died in while they submitted, and their tasks. */
		cutOff: cutOff.size,
		endedBadly: failed.length,
		tasksCutOff: tasks.filter((task) => cutOff.has(batchOf(task))).length,
		/** Of those: known from n8n's log, or accepted when nobody read the answer any more. */
		inLog: missing.filter(({ task_id }) => log.includes(task_id)).length,
		answerUnread: missing.filter(({ task_id }) => !log.includes(task_id)).length,
		statuses: countBy(all.map(({ status }) => status)),
	};
}

const countBy = (words) =>
	words.reduce((counts, word) => ({ ...counts, [word]: (counts[word] ?? 0) + 1 }), {});

/** Runs the plan against a sandbox, says what it counted, and checks it. */
export async function dieInVain(t, { service, studio, kill, api, logs }) {
	t.diagnostic(`seed ${PLAN.seed}`);
	const workflow = await deathWorkflow(studio);
	const { executionsOf } = studio;
	const result = await dieAtRandom({
		...PLAN,
		...{ service, workflow, kill, api, executionsOf, logs },
	});
	t.diagnostic(JSON.stringify(result));
	assertNothingLost(result, PLAN.videos);
}

/** Whatever slept has its videos, each submitted once; the rest was cut off while it submitted. */
function assertNothingLost(result, videos) {
	const { cutOff, tasksCutOff } = result;
	assert.equal(result.paidTwice, 0, 'a video was paid for twice');
	assert.equal(result.sleptInVain, 0, 'an execution that slept was lost');
	assert.equal(result.videos, videos - cutOff * PER_EXECUTION, 'a video is missing');
	assert.equal(result.tasks, result.videos + tasksCutOff, 'submissions made = videos wanted');
	assert.equal(result.submissions, result.tasks, 'a submission made no task');
	assert.ok(cutOff <= result.endedBadly, 'tasks are missing though no execution ended badly');
}
