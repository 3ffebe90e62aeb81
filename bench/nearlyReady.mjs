import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../sandbox/n8n/folders.mjs';
import { publishResult, toTable } from './support/table.mjs';

// How soon Durable sees that a render is ready, what it asks for that, and how long it holds the
// process: in virtual time, with the built package's own decisions, with and without the checks
// that an awake Checker adds for what is nearly ready.

const require = createRequire(import.meta.url);
const dist = (file) => require(path.join(ROOT, 'dist', 'nodes', file));
const { MAX_PAUSES, toAwakeMs, toSleepSeconds } = dist('shared/durable/sleepingVideo.js');

/** Chance that is the same in each run of a benchmark: 0 to 1. */
function createChance(seed) {
	let state = seed;
	return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

/** What spreads around 0 with a deviation of 1. */
const normal = (chance) => Math.sqrt(-2 * Math.log(chance())) * Math.cos(2 * Math.PI * chance());

const { values } = parseArgs({
	options: {
		batches: { type: 'string', default: '300' },
		videos: { type: 'string', default: '1' },
		write: { type: 'boolean', default: false },
	},
});
const BATCHES = Number(values.batches);
/** Mean times of models, in seconds; the renders of one spread by a fifth. */
const MEANS_S = [80, 150, 300, 600];
const SPREAD = 0.2;
const MAX_WAIT_MS = 1_800_000;
const ANSWER_MS = 300;

/** Progresses of deployments, by the share of the render that is done. */
const PROGRESSES = {
	moves: (share) => Math.min(99, Math.floor(100 * share)),
	'moves, fast at first': (share) => Math.min(99, Math.floor(100 * share ** 0.7)),
	'stands at 99 for the last fifth': (share) => Math.min(99, Math.floor((100 * share) / 0.8)),
	'constants (30, 50)': (share) => (share < 0.5 ? 30 : 50),
};

/** One batch to its end: seconds between ready and seen, checks, seconds that the process is held. */
function waitDurably(readyMs, progressAt, isAwake) {
	const seen = { delayS: 0, checks: 0, heldS: 0 };
	const toVideo = (task_id) => ({
		itemIndex: task_id,
		job: {},
		render: { task: { task_id, progress: 0 }, submittedAtMs: 0, deadlineMs: MAX_WAIT_MS },
	});
	let videos = readyMs.map((_ms, i) => toVideo(i));
	for (let nowMs = 0; videos.length > 0;) {
		nowMs += toSleepSeconds(videos, nowMs) * 1000;
		let awakeUntilMs = nowMs;
		const look = (video) => {
			let atMs = nowMs;
			for (let pauses = 0, { render } = video; ; pauses++) {
				const last = render;
				seen.checks++;
				atMs += ANSWER_MS;
				awakeUntilMs = Math.max(awakeUntilMs, atMs);
				const leftMs = readyMs[video.itemIndex] - atMs;
				if (leftMs <= 0) {
					seen.delayS -= leftMs / 1000;
					return [];
				}
				const progress = progressAt(atMs / readyMs[video.itemIndex]);
				render = { ...last, task: { ...last.task, progress } };
				const checked = { ...video, render };
				const awakeMs = isAwake ? toAwakeMs(checked, last, atMs, MAX_WAIT_MS) : undefined;
				if (awakeMs === undefined || pauses === MAX_PAUSES) return [checked];
				atMs += awakeMs;
			}
		};
		videos = videos.flatMap(look);
		seen.heldS += (awakeUntilMs - nowMs) / 1000;
		nowMs = awakeUntilMs;
	}
	return seen;
}

/** Delay, checks and time held of a render, as means over all render times. */
function measure(count, progressAt, isAwake) {
	const sum = { delayS: 0, checks: 0, heldS: 0 };
	for (const meanS of MEANS_S) {
		// The same renders in both ways.
		const chance = createChance(4_711);
		for (let batch = 0; batch < BATCHES; batch++) {
			const renders = Array.from(
				{ length: count },
				() => 1000 * meanS * Math.exp(SPREAD * normal(chance)),
			);
			const seen = waitDurably(renders, progressAt, isAwake);
			for (const key of Object.keys(sum)) sum[key] += seen[key];
		}
	}
	return Object.values(sum).map((total) => total / MEANS_S.length / BATCHES / count);
}

const rows = Object.entries(PROGRESSES).flatMap(([name, progressAt]) =>
	values.videos.split(',').map((count) => {
		const asleep = measure(Number(count), progressAt, false);
		const awake = measure(Number(count), progressAt, true);
		const [delayWithout, checksWithout] = asleep;
		const figures = [delayWithout, awake[0], checksWithout, awake[1], awake[2]];
		const who = count === '1' ? name : `${name}, ${count} videos`;
		return [who, ...figures.map((figure) => figure.toFixed(1))];
	}),
);
const table = toTable(
	['Progress', 'Asleep (s)', 'Awake (s)', 'Checks asleep', 'Awake', 'Held (s)'],
	rows,
);
await publishResult('nearlyReady', table, values);
