import { median } from './median.mjs';
import { publishResult, toTable } from './table.mjs';

const GOAL = 1.2;
const NAMES = {
	direct: 'The service, read directly',
	ours: 'Generate Content',
	theirs: 'Google Gemini',
	oneWord: 'Respond to Webhook',
	empty: 'Empty workflow',
};

/** The medians of one figure, by way; NaN where nothing was said. */
const mediansOf = (heard, figure) =>
	Object.fromEntries(
		Object.keys(NAMES).map((way) => [way, median(heard.map((round) => round[way][figure]))]),
	);

const inMs = (ms) => (Number.isNaN(ms) ? '' : ms.toFixed(ms < 100 ? 1 : 0));

function toRows({ waitMs, heard }) {
	const first = mediansOf(heard, 'firstMs');
	const total = mediansOf(heard, 'totalMs');
	return ['direct', 'ours', 'theirs'].map((way) => [
		...[NAMES[way], waitMs, inMs(first[way]), inMs(total[way])],
	]);
}

/** The start of n8n, in two readings, is taken off the first word. */
function toGoalRows({ waitMs, heard }) {
	const { direct, ours, oneWord } = mediansOf(heard, 'firstMs');
	const { empty } = mediansOf(heard, 'totalMs');
	return [
		['Empty workflow, whole', empty],
		['Respond to Webhook, first word', oneWord],
	].map(([name, startMs]) => {
		const ratio = (ours - startMs) / direct;
		const said = ratio <= GOAL ? 'yes' : 'no';
		return [name, waitMs, inMs(startMs), inMs(ours - startMs), ratio.toFixed(2), said];
	});
}

const WAIT = 'The service waits (ms)';

/** Prints two tables, and with `write` puts the first into docs/dev/performance.md. */
export async function publishStreaming(rounds, about, { write }) {
	const times = toTable(['Asked', WAIT, 'First word (ms)', 'Total (ms)'], rounds.flatMap(toRows));
	const goal = toTable(
		["n8n's start", WAIT, 'Start (ms)', 'First word without it (ms)', 'Ratio', 'Reached'],
		rounds.flatMap(toGoalRows),
	);
	await publishResult('streaming', times, { write }, `${goal}\n\n${about}`);
}
