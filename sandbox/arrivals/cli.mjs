#!/usr/bin/env node
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createStudio } from '../../e2e/support/workflows.mjs';
import { openSandbox } from '../../e2e/support/sandbox.mjs';
import { ROOT } from '../n8n/folders.mjs';
import { runArrivals, runTextArrivals, startRecorder } from './run.mjs';

const require = createRequire(import.meta.url);
const { fail, readOptions } = require('../commandLine.js');
const { CASES } = require('./cases.js');
const { TEXT_CASES } = require('./textCases.js');
const { groupBy, judge, lostPaths, withTables } = require('./table.js');

const USAGE = `Usage: VIDEO_API_KEY=... npm run arrivals -- --base-url GATEWAY --vendors VENDORS [--only COLUMN] [--record]

Runs every option of Video Generate and Generate Content in a real n8n, through a real gateway, and
compares what was set with what the vendors' stand-ins received. --record writes the result into the
repository: sandbox/service/gateway and docs/models.md.
`;

const OPTIONS = {
	'base-url': { type: 'string' },
	vendors: { type: 'string', default: 'http://127.0.0.1:4020' },
	only: { type: 'string', default: '' },
	record: { type: 'boolean', default: false },
	help: { type: 'boolean', default: false },
};

function readSettings() {
	const values = readOptions(OPTIONS, USAGE);
	const key = process.env.VIDEO_API_KEY;
	return key && values['base-url'] ? { ...values, key } : fail(USAGE);
}

/** A line per record, so that what changes can be read. */
const toLines = (about, records) =>
	`{"about":${JSON.stringify(about)},"records":[\n${records.map((one) => JSON.stringify(one)).join(',\n')}\n]}\n`;

function report(records) {
	const judged = records.map((record) => ({ record, ...judge(record) }));
	for (const [verdict, all] of groupBy(judged, (one) => one.verdict)) {
		process.stdout.write(`${verdict}: ${all.length}\n`);
	}
	const bad = judged.filter(({ verdict }) => !['arrives', 'refused'].includes(verdict));
	for (const { record, verdict, why } of bad) {
		const { column, about, says = '' } = record;
		process.stdout.write(`${verdict}: ${column}, ${about}: ${why} ${says}\n`);
	}
	return bad.length;
}

async function write(version, records, texts) {
	const about = { gateway: version };
	const folder = path.join(ROOT, 'sandbox', 'service', 'gateway');
	await mkdir(folder, { recursive: true });
	await writeFile(path.join(folder, 'arrivals.json'), toLines(about, records));
	await writeFile(path.join(folder, 'textArrivals.json'), toLines(about, texts));
	const page = path.join(ROOT, 'docs', 'models.md');
	await writeFile(page, withTables(await readFile(page, 'utf8'), records, texts));
}

async function main() {
	const { key, 'base-url': baseUrl, vendors: vendorsUrl, only, record } = readSettings();
	const { data: status } = await (await fetch(`${baseUrl}/api/status`)).json();
	const recorder = await startRecorder(baseUrl);
	const sandbox = await openSandbox();
	try {
		const { api } = sandbox;
		const { credentials } = await createStudio({ service: { url: recorder.url }, api, key });
		const cases = CASES.filter(({ column }) => column.startsWith(only));
		const gateway = { baseUrl, key };
		const run = { api, credentials, recorder, gateway, vendorsUrl, cases };
		const records = await runArrivals(run);
		const texts = await runTextArrivals({ api, recorder, key, vendorsUrl, cases: TEXT_CASES });
		for (const { about, sent, received } of texts.filter((one) => one.sent)) {
			const lost = lostPaths(sent, received);
			if (lost.length > 0) process.stdout.write(`text, dropped: ${about}: ${lost.join(', ')}\n`);
		}
		if (record) await write(status.version, records, texts);
		process.exitCode = report(records) === 0 ? 0 : 1;
	} finally {
		await sandbox.close();
		await recorder.close();
	}
}

await main();
