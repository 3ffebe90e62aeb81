import { parseArgs } from 'node:util';
import { waitDurably } from './support/durableWait.mjs';
import { publishResult, toTable } from './support/table.mjs';
import { createChance, normal } from './support/virtualClock.mjs';

// How soon Durable sees that a render is ready, what it asks for that, and how long it holds the
// process: in virtual time, with the built package's own decisions, before and after the last stretch.

const { values } = parseArgs({
	options: {
		batches: { type: 'string', default: '300' },
		write: { type: 'boolean', default: false },
	},
});
const BATCHES = Number(values.batches);
/** Mean times of models, in seconds; the renders of one spread by a fifth. */
const MEANS_S = [80, 150, 300, 600];
const SPREAD = 0.2;

/** What deployments tell, by the share of the render that is done. */
const PROGRESSES = {
	moves: (share) => Math.min(99, Math.floor(100 * share)),
	'moves, fast at first': (share) => Math.min(99, Math.floor(100 * share ** 0.7)),
	'stands at 99 for the last fifth': (share) => Math.min(99, Math.floor((100 * share) / 0.8)),
	'constants (30, 50)': (share) => (share < 0.5 ? 30 : 50),
};

async function measure({ count, meanS, progressAt, withStretch }) {
	const chance = createChance(4_711);
	const sum = { delayS: 0, checks: 0, heldS: 0 };
	for (let batch = 0; batch < BATCHES; batch++) {
		const renders = Array.from({ length: count }, () => ({
			readyMs: 1000 * meanS * Math.exp(SPREAD * normal(chance)),
			progressAt,
		}));
		// Chance of its own, so that both ways wait for the same renders.
		const seen = await waitDurably(renders, { chance: createChance(batch + 1), withStretch });
		for (const key of Object.keys(sum)) sum[key] += seen[key];
	}
	return Object.values(sum).map((total) => total / BATCHES / count);
}

const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** Delay, checks and time held, each as a mean over all render times. */
async function measureAll(plan) {
	const figures = [];
	for (const meanS of MEANS_S) figures.push(await measure({ ...plan, meanS }));
	return figures[0].map((_figure, i) => mean(figures.map((one) => one[i])));
}

const rows = [];
for (const [progress, progressAt] of Object.entries(PROGRESSES)) {
	for (const count of [1, 4, 10]) {
		const before = await measureAll({ count, progressAt, withStretch: false });
		const after = await measureAll({ count, progressAt, withStretch: true });
		const pairs = before.flatMap((figure, i) => [figure.toFixed(1), after[i].toFixed(1)]);
		rows.push([progress, count, ...pairs]);
	}
}
const table = toTable(
	[
		...['Progress', 'Videos', 'Delay before (s)', 'Delay (s)'],
		...['Checks before', 'Checks', 'Held before (s)', 'Held (s)'],
	],
	rows,
);
await publishResult('lastStretch', table, values);
