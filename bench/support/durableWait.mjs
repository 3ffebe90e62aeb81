import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from '../../sandbox/n8n/folders.mjs';
import { createVirtualClock } from './virtualClock.mjs';

const require = createRequire(import.meta.url);
const dist = (file) => require(path.join(ROOT, 'dist', 'nodes', 'shared', file));
const { afterStretch, toLastStretch } = dist('durable/lastStretch.js');
const { toSleepSeconds, withCheck } = dist('durable/nextCheck.js');
const { isSleeping } = dist('durable/sleepingVideo.js');
const { sleepSeconds } = dist('durable/sleepLength.js');
const { checkTask } = dist('task/checkTask.js');
const { pollTask } = dist('task/pollTask.js');
const { toRender } = dist('task/render.js');
const { toRenderJson } = dist('task/renderJson.js');

const MAX_WAIT_MS = 1_800_000;
const ANSWER_MS = 300;
const PACE = { pollIntervalMs: 5_000, maxPollIntervalMs: 10_000, leavesAtTrouble: true };
const signal = new AbortController().signal;

/**
 * A batch in virtual time, with the package's own decisions: when to check, whom to watch, how long to
 * sleep. `withStretch: false` sleeps by the time that has passed alone, as before.
 *
 * @returns seconds between ready and seen, checks, and seconds in which the batch held the process
 */
export async function waitDurably(renders, { chance, withStretch }) {
	const clock = createVirtualClock(chance);
	const seen = { delayS: 0, checks: 0, heldS: 0 };
	const fetchTask = async (task_id) => {
		seen.checks++;
		await clock.pause(ANSWER_MS);
		const { readyMs, progressAt } = renders[Number(task_id)];
		const isReady = clock.now() >= readyMs;
		if (isReady) seen.delayS += (clock.now() - readyMs) / 1000;
		const status = isReady ? 'SUCCESS' : 'IN_PROGRESS';
		const progress = isReady ? 100 : progressAt(clock.now() / readyMs);
		const task = {
			task_id,
			status,
			progress,
			result_url: isReady ? 'https://a.example/v' : undefined,
		};
		return { kind: 'task', task, answer: undefined };
	};
	const world = { fetchTask, clock, signal, limiter: async (work) => await work() };
	const follow = async (videos, some, one) => {
		const jobs = videos.map(async (video) => {
			if (!some.includes(video)) return video;
			const { state, render } = await one(video);
			const json = toRenderJson(render, true);
			const isDone = state !== 'rendering' && state !== 'open';
			return isDone
				? { item: video.item, result: { json } }
				: withCheck(video, render, clock.now());
		});
		return await Promise.all(jobs);
	};
	const check = async ({ render }) => await checkTask(render, { ...world, maxPauseMs: Infinity });
	let videos = renders.map((_one, item) => toVideo(item));
	const wait = async () => {
		while (videos.some(isSleeping)) {
			const sleepers = videos.filter(isSleeping).map(({ render }) => render);
			const seconds = withStretch
				? toSleepSeconds(videos, clock.now())
				: sleepSeconds(sleepers, clock.now());
			await clock.pause(seconds * 1000);
			const wokeMs = clock.now();
			videos = await follow(videos, videos.filter(isSleeping), check);
			for (;;) {
				const startedMs = clock.now();
				const stretch = withStretch ? toLastStretch(videos, startedMs) : undefined;
				if (!stretch) break;
				const pace = { ...PACE, untilMs: stretch.untilMs };
				const watch = async ({ render }) => await pollTask(render, pace, world);
				videos = afterStretch(await follow(videos, stretch.near, watch), clock.now() - startedMs);
			}
			seen.heldS += (clock.now() - wokeMs) / 1000;
		}
	};
	await clock.run(wait());
	return seen;
}

const toVideo = (item) => ({
	item,
	callerId: '1',
	wishes: { simplify: true },
	render: toRender(
		{ task_id: String(item), model: 'model' },
		{ submittedAtMs: 0, deadlineMs: MAX_WAIT_MS },
	),
});
