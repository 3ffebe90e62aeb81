'use strict';

// The rows as text for a terminal or a file.

const TITLES = {
	contract: 'Promised by the contract',
	gateways: 'Seen at gateways: the nodes use it where it is there, and do without it',
};
const HEAD = { row: 'Row', says: 'Documented', seen: 'Seen', verdict: 'Verdict' };
/** Characters of a column; the last one comes first, so that it can be read down the margin. */
const WIDTHS = { verdict: 10, row: 24, says: 36, seen: 44 };
const COLUMNS = Object.keys(WIDTHS);

/** A text in lines of at most `width` characters, broken at spaces where there are some. */
function wrap(text, width) {
	const lines = [];
	let rest = text;
	while (rest.length > width) {
		const space = rest.lastIndexOf(' ', width);
		const at = space > 0 ? space : width;
		lines.push(rest.slice(0, at));
		rest = rest.slice(at).trimStart();
	}
	return [...lines, rest];
}

function toLines(row) {
	const cells = COLUMNS.map((column) => wrap(row[column], WIDTHS[column]));
	const height = Math.max(...cells.map((lines) => lines.length));
	return Array.from({ length: height }, (_, at) =>
		COLUMNS.map((column, index) => (cells[index][at] ?? '').padEnd(WIDTHS[column]))
			.join('  ')
			.trimEnd(),
	);
}

const rule = COLUMNS.map((column) => '-'.repeat(WIDTHS[column])).join('  ');

function section(title, rows) {
	return ['', title, '', ...toLines(HEAD), rule, ...rows.flatMap(toLines)];
}

const count = (rows, name) => rows.filter(({ verdict }) => verdict === name).length;

/** @param {import('.').CheckRow[]} rows */
function toTable(rows) {
	const sections = Object.entries(TITLES).flatMap(([by, title]) =>
		section(
			title,
			rows.filter((row) => row.by === by),
		),
	);
	const sum = ['kept', 'differs', 'not tested'].map((name) => `${count(rows, name)} ${name}`);
	return [...sections, '', sum.join(', '), ''].join('\n').trimStart();
}

module.exports = { toTable };
