#!/usr/bin/env node
'use strict';

const { hurry } = require('../../test/support/clock');
const { createEngine } = require('../../test/support/engine');
const { runService, toRow, wishesOf } = require('../../test/engine/services/support/runService');
const { fail, readOptions } = require('../commandLine');
const { RECORDS } = require('./records');

const USAGE = `Usage: npm run sandbox -- services [--only NAME] [--details]

Renders videos with the built package at the stand-in of each hosted service, once with each setting
that its page documents and once with all of them, and prints what became of the settings.
`;

const OPTIONS = {
	only: { type: 'string', default: '' },
	details: { type: 'boolean', default: false },
	help: { type: 'boolean', default: false },
};

const print = (line) => process.stdout.write(`${line}\n`);

/** What was sent in a run, and what came of it. */
function printDetails(wish, { reason, requests, submits }) {
	print(`  ${JSON.stringify(wish)}: ${reason ?? 'works'}`);
	for (const { path, encoding, fields, status } of submits) {
		print(`    POST ${path} ${encoding} ${JSON.stringify(fields).slice(0, 400)} ${status}`);
	}
	const others = requests.filter(({ method }) => method !== 'POST');
	print(`    ${others.map(({ path, status }) => `${path} ${status}`).join(', ')}`);
}

async function main() {
	const { only, details } = readOptions(OPTIONS, USAGE);
	const records = RECORDS.filter(({ name }) => name.startsWith(only));
	if (records.length === 0)
		fail(`The services are: ${RECORDS.map(({ name }) => name).join(', ')}.`);
	const engine = await createEngine();
	const { restore } = hurry(200);
	const works = [];
	for (const [n, record] of records.entries()) {
		const runs = [];
		for (const wish of wishesOf(record)) runs.push(await runService(engine, record, wish));
		const row = toRow(record, runs);
		if (n === 0) print(`| ${Object.keys(row).join(' | ')} |\n${'| - '.repeat(8)}|`);
		print(`| ${Object.values(row).join(' | ')} |`);
		works.push(row.together === 'works' ? Object.values(runs.at(-1).verdicts) : undefined);
		if (details) wishesOf(record).forEach((wish, at) => printDetails(wish, runs[at]));
	}
	const done = works.filter(Boolean);
	const whole = done.filter((verdicts) => verdicts.every((verdict) => verdict === 'arrives'));
	print(
		`${done.length} of ${records.length} work with all settings together, and with ${whole.length} all of them arrive.`,
	);
	restore();
	engine.close();
}

void main().then(() => process.exit());
