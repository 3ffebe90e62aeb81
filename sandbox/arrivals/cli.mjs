#!/usr/bin/env node
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createStudio } from '../../e2e/support/workflows.mjs';
import { openSandbox } from '../../e2e/support/sandbox.mjs';
import { ROOT } from '../n8n/folders.mjs';
import { runArrivals, runTextArrivals, startRecorder } from './run.mjs';

const require = createRequire(import.meta.url);
const { fail, readOptions } = require('../commandLine.js');
const { ARRIVALS, CASES, TEXT_ARRIVALS, judge, lostPaths } = require('.');

const USAGE = `Usage: VIDEO_API_KEY=... npm run sandbox -- arrivals --base-url GATEWAY --vendors VENDORS
                               [--only COLUMN] [--record]

Runs every option of Video Generate and Generate Content in a real n8n, through a real gateway, and
compares what was set with what the vendors' stand-ins received. --record writes the result into
sandbox/service/gateway.
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

/** Prints what did not arrive; returns how many that are. */
function report(records) {
	const judged = records.map((record) => ({ ...record, ...judge(record) }));
	const bad = judged.filter(({ verdict }) => verdict !== 'arrives');
	process.stdout.write(`arrives: ${judged.length - bad.length}\n`);
	for (const { column, about, says = '', verdict, why } of bad) {
		process.stdout.write(`${verdict}: ${column}, ${about}: ${why} ${says}\n`);
	}
	return bad.length;
}

/** Writes a line per record, so that what changes can be read. */
async function write(name, gateway, records) {
	const lines = records.map((one) => JSON.stringify(one)).join(',\n');
	const about = JSON.stringify({ gateway });
	const file = path.join(ROOT, 'sandbox', 'service', 'gateway', name);
	await writeFile(file, `{"about":${about},"records":[\n${lines}\n]}\n`);
}

async function main() {
	const { key, 'base-url': baseUrl, vendors: vendorsUrl, only, record } = readSettings();
	const { data: status } = await (await fetch(`${baseUrl}/api/status`)).json();
	const recorder = await startRecorder(baseUrl);
	const sandbox = await openSandbox();
	try {
		const { api } = sandbox;
		// The picture of the cases is on this machine.
		const access = { allowPrivateAddresses: true };
		const service = { url: recorder.url };
		const { credentials } = await createStudio({ service, api, key, access });
		const isAsked = ({ column }) => column.startsWith(only);
		const cases = CASES.filter(isAsked);
		const run = { api, credentials, recorder, vendorsUrl, cases };
		const { records, refused } = await runArrivals(run);
		// They belong into test/engine/arrivals/refused.ts: a record holds what arrives.
		for (const { column, about, message } of refused) {
			process.stdout.write(`refused: ${column}, ${about}: ${message}\n`);
		}
		const texts = await runTextArrivals({ api, recorder, key, vendorsUrl, cases: TEXT_ARRIVALS });
		for (const { about, sent, received } of texts) {
			const lost = lostPaths(sent, received);
			if (lost.length > 0) process.stdout.write(`text, dropped: ${about}: ${lost.join(', ')}\n`);
		}
		if (record) {
			const kept = ARRIVALS.filter((one) => !isAsked(one));
			await write('arrivals.json', status.version, [...kept, ...records]);
			await write('textArrivals.json', status.version, texts);
		}
		process.exitCode = report(records) === 0 ? 0 : 1;
	} finally {
		await sandbox.close();
		await recorder.close();
	}
}

await main();
