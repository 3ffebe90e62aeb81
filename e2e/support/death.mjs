import assert from 'node:assert/strict';
import { seededRandom } from '../../sandbox/seededRandom.js';
import { assertNothingLost, countDeaths, PER_EXECUTION } from './deathCount.mjs';
import { chain, createStudio, node, pause, planned, videoGenerate, webhook } from './workflows.mjs';

/** The APIs of the credential, in which the executions take turns. */
const APIS = ['auto', 'openAiVideos'];
const PATHS = ['/v1/video/generations', '/v1/videos'];

const RENDER_MS = [2_000, 120_000];
const LIFE_MS = [2_000, 14_000];

/**
 * How much is tried. The full plan (20 kills over 100 renders, about ten minutes) is that of
 * CONTRIBUTING.md.
 */
export const PLAN = {
	videos: Number(process.env.DEATH_VIDEOS ?? 32),
	kills: Number(process.env.DEATH_KILLS ?? 6),
	seed: Number(process.env.DEATH_SEED ?? Date.now() % 1_000_000),
};

/** A download that takes some seconds, so that n8n may die in it. */
const SLOW_FILE = { sizeBytes: 3_000_000, content: { pieceDelayMs: 60 } };

/** Webhook with `{ prompts }` -> Video Generate, Durable. */
const deathWorkflow = async (studio, downloadVideo) =>
	await studio.publish(
		'death',
		[
			webhook(),
			node('Prompts', 'n8n-nodes-base.code', 2, {
				jsCode: 'return $input.first().json.body.prompts.map((prompt) => ({ json: { prompt } }));',
			}),
			videoGenerate(studio.credentials, { wait: 'durable', downloadVideo }),
		],
		chain('Webhook', 'Prompts', 'Video Generate'),
	);

const between = (random, [least, most]) => least + random() * (most - least);

/**
 * Renders `videos` through executions that begin at random moments, while `kill` ends n8n (or a
 * part of it) with SIGKILL `kills` times and brings it up again. Returns what became of them.
 *
 * @param {object} world
 * @param {Array<{ id: string, path: string }>} world.workflows Webhook -> Video Generate (Durable)
 * @param {() => Promise<void>} world.kill ends and restarts; returns once n8n answers again
 * @param {() => object} world.api of the n8n that runs now
 * @param {() => Promise<string>} world.logs everything that n8n has logged so far
 * @param {object} world.studio knows the executions, see workflows.mjs
 * @param {boolean} world.downloads whether each video has its file, which comes slowly
 */
async function dieAtRandom({ kill, ...world }) {
	const { service, workflows, api, videos, kills, seed, downloads } = world;
	const random = seededRandom(seed);
	const batches = Array.from({ length: videos / PER_EXECUTION }, (_, batch) => ({
		batch,
		prompts: Array.from({ length: PER_EXECUTION }, (_unused, i) =>
			planned(`video ${batch}.${i}`, {
				renderMs: Math.round(between(random, RENDER_MS)),
				...(downloads && SLOW_FILE),
			}),
		),
	}));
	const begin = async ({ batch, prompts }) =>
		await api()
			.callWebhook(workflows[batch % workflows.length].path, { prompts })
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
	return await countDeaths(world);
}

/** Runs the plan against a sandbox, says what it counted, and checks it. */
export async function dieInVain(t, { service, kill, api, logs, downloads = false }) {
	t.diagnostic(`seed ${PLAN.seed}`);
	const studios = await Promise.all(
		APIS.map(async (route) => await createStudio({ service, api, access: { api: route } })),
	);
	const workflows = await Promise.all(
		studios.map(async (studio) => await deathWorkflow(studio, downloads)),
	);
	const [studio] = studios;
	const result = await dieAtRandom({
		...PLAN,
		...{ service, workflows, kill, api, studio, logs, downloads },
	});
	t.diagnostic(JSON.stringify(result));
	assertNothingLost(result, PLAN.videos);
	assert.equal(result.files, downloads ? result.videos : 0, 'a video has no file');
	assert.deepEqual(Object.keys(result.paths).sort(), PATHS, 'a route has no submission');
}
