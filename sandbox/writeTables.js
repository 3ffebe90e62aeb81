#!/usr/bin/env node
'use strict';

// A part of `npm run write`: the tables of docs/dev/sandbox.md, from what the stand-ins can do.

const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { FAULTS } = require('./service/faults');
const { KEYS } = require('./service/keys');
const { SETTINGS } = require('./service/deployment');
const { PLAN_KEYS } = require('./service/plan');

const PAGE = join(__dirname, '..', 'docs', 'dev', 'sandbox.md');
const MAX_DEFAULT_CHARS = 12;

const code = (text) => `\`${text}\``;
const toDefault = (value) => {
	const json = JSON.stringify(value);
	return json.length > MAX_DEFAULT_CHARS ? '' : code(json);
};

const toTable = (headings, table, toCells) => {
	const rows = Object.entries(table).map(([name, row]) => toCells(row, name));
	const all = [headings, headings.map(() => '-'), ...rows];
	return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
};

const accepted = Object.keys(FAULTS).filter((name) => FAULTS[name].change.accept);
const withoutAccepted = Object.fromEntries(
	Object.entries(FAULTS).filter(([name]) => !accepted.includes(name)),
);

const TABLES = {
	plan: toTable(['key', 'value', 'what it does'], PLAN_KEYS, ([about, schema], name) => [
		...[code(name), schema.description, about],
	]),
	faults: toTable(['fault', 'answer'], withoutAccepted, ({ about }, name) => [
		...[code(name), about],
	]).concat(`\n| ${accepted.map(code).join(', ')} | as the name says, but the task is created |`),
	keys: toTable(['key', 'what it meets'], KEYS, ([about], name) => [code(name), about]),
	deployment: toTable(
		['setting', 'default', 'what it does'],
		SETTINGS,
		([about, , byDefault], name) => [code(name), toDefault(byDefault), about],
	),
};

/** Returns the page with each table between the two comments that carry its name. */
function withTables(page) {
	return Object.entries(TABLES).reduce((text, [name, table]) => {
		const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
		const [from, to] = [text.indexOf(start), text.indexOf(end)];
		if (from < 0 || to < from) throw new Error(`docs/dev/sandbox.md has no ${start} ... ${end}`);
		// Prettier would pad the cells of these long tables with spaces.
		const inner = `\n\n<!-- prettier-ignore -->\n${table}\n\n`;
		return text.slice(0, from + start.length) + inner + text.slice(to);
	}, page);
}

if (require.main === module) writeFileSync(PAGE, withTables(readFileSync(PAGE, 'utf8')));

module.exports = { withTables };
