import { median } from './median.mjs';
import { toTable } from './table.mjs';

const fixed = (value, digits) => (Number.isFinite(value) ? value.toFixed(digits) : '');

/** The rows of the ways `names`, by medians; curl needs nothing of n8n. */
export function toDownloadRows(rounds, names, files) {
	const medianOf = (name, figure) => median(rounds.map((round) => round[name][figure]));
	return names.map((name) => [
		name,
		files,
		fixed(medianOf(name, 'tookMs') / 1000, 1),
		fixed(medianOf(name, 'cpuS'), 1),
		fixed(medianOf(name, 'moreMb'), 0),
	]);
}

export const toDownloadTable = (rows) =>
	toTable(['Way', 'Files', 'Time (s)', 'CPU (s)', 'Memory (MB)'], rows);
