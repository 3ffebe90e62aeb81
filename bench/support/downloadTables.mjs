import { median } from './median.mjs';
import { toTable } from './table.mjs';

const MB = 1e6;

/** `[median, most]` of one figure of a way over all rounds. */
const figures = (rounds, name, figure) => {
	const values = rounds.map((round) => round[name][figure]);
	return [median(values), Math.max(...values)];
};

const fixed = (value, digits) => (Number.isFinite(value) ? value.toFixed(digits) : '');

/** What n8n's process needed; empty for curl. */
function needs(rounds, name) {
	const [cpuS] = figures(rounds, name, 'cpuS');
	const [idleMb] = figures(rounds, name, 'idleMb');
	const [moreMb, mostMb] = figures(rounds, name, 'moreMb');
	return [fixed(cpuS, 1), fixed(idleMb, 0), fixed(moreMb, 0), fixed(mostMb, 0)];
}

const NEEDS = ['CPU of n8n (s)', 'Idle before (MB)', 'Peak above that (MB)', 'At most (MB)'];

/** One large file by the ways `names`; `beside` is the one whose speed is 1. */
export function oneTable(rounds, names, sizeBytes, beside) {
	const timeOf = (name) => figures(rounds, name, 'tookMs')[0];
	const rows = names.map((name) => [
		name,
		fixed(timeOf(name) / 1000, 1),
		fixed(sizeBytes / MB / (timeOf(name) / 1000), 0),
		fixed(timeOf(beside) / timeOf(name), 2),
		...needs(rounds, name),
	]);
	return toTable(['Way', 'Time (s)', 'MB/s', `Speed, ${beside} is 1`, ...NEEDS], rows);
}

/** Many files; `atOnce` tells how many of them are under way at once. */
export function manyTable(rounds, names, atOnce) {
	const rows = names.map((name, i) => [
		name,
		atOnce[i],
		fixed(figures(rounds, name, 'tookMs')[0] / 1000, 1),
		...needs(rounds, name),
	]);
	return toTable(['Way', 'At once', 'Time (s)', ...NEEDS], rows);
}
