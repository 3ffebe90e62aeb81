#!/usr/bin/env node
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createStudio } from '../../e2e/support/workflows.mjs';
import { openSandbox } from '../../e2e/support/sandbox.mjs';
import { ROOT } from '../n8n/folders.mjs';
import { seededRandom } from '../seededRandom.js';
import { runArrivals, runTextArrivals, startRecorder } from './run.mjs';

const require = createRequire(import.meta.url);
const { fail, readOptions, toNumber } = require('../commandLine.js');
const { askPlugins, loadPlugins } = require('./plugins.js');
const { ARRIVALS, BY_OPENAI_VIDEOS, CASES, TEXT_ARRIVALS } = require('.');
const { combine, lostPaths, verdictsOf } = require('.');

const USAGE = `Usage: VIDEO_API_KEY=... npm run sandbox -- arrivals --base-url GATEWAY --vendors VENDORS
                               [--plugins FOLDER] [--only COLUMN] [--combine N] [--record]
                               [--openai-videos]

Runs every option of Video Generate and Generate Content in a real n8n, through a real gateway, and
compares what was set with what the vendors' stand-ins received. With --plugins, each request is also
given to the plugins of newer gateways in this folder, which write what the vendor would get; they run
with your rights. --combine runs N random combinations for each column instead. --record writes the
result into sandbox/service/gateway, and needs --plugins. --openai-videos sends all videos by /v1/videos,
and records what differs then.
`;

const OPTIONS = {
	'base-url': { type: 'string' },
	vendors: { type: 'string', default: 'http://127.0.0.1:4020' },
	plugins: { type: 'string' },
	only: { type: 'string', default: '' },
	combine: { type: 'string', default: '0' },
	record: { type: 'boolean', default: false },
	'openai-videos': { type: 'boolean', default: false },
	help: { type: 'boolean', default: false },
};

function readSettings() {
	const values = readOptions(OPTIONS, USAGE);
	const key = process.env.VIDEO_API_KEY;
	const isWhole = !values.record || (values.plugins && values.combine === '0');
	return key && values['base-url'] && isWhole ? { ...values, key } : fail(USAGE);
}

/** Prints what became of all, and each thing that did not arrive; returns how many were lost. */
function report(records, refused) {
	const counts = new Map();
	const count = (...names) => counts.set(names.join(', '), (counts.get(names.join(', ')) ?? 0) + 1);
	const lost = new Set();
	for (const { column, about, message } of refused) {
		count(column, 'refused by the node');
		// A record holds what arrives: one of each kind of refusal is in test/engine/arrivals/video.test.ts.
		process.stdout.write(`refused by the node: ${column}, ${about}: ${message}\n`);
	}
	for (const record of records) {
		for (const { of, verdict, why = '' } of verdictsOf(record)) {
			const { column, about, set } = record;
			count(column, of, verdict);
			if (['arrives', 'hinted'].includes(verdict)) continue;
			process.stdout.write(`${verdict}: ${[column, of, about, why].join(', ')}\n`);
			if (verdict !== 'refused') lost.add(`${column} ${JSON.stringify(set)}`);
		}
	}
	for (const [name, times] of counts) process.stdout.write(`${name}: ${times}\n`);
	return lost.size;
}

/** Leaves out what a plugin says: a record holds what arrives. */
const withoutWords = ({ plugins, ...record }) => ({
	...record,
	plugins: plugins.map(({ says: _says, ...result }) => result),
});

/** Returns whether a record by `/v1/videos` differs in more than its path from the one by Auto. */
function isDifferent({ path: _path, ...record }) {
	const same = ({ column, about }) => column === record.column && about === record.about;
	const { path: _other, ...first } = ARRIVALS.find(same) ?? {};
	return !isDeepStrictEqual(JSON.parse(JSON.stringify(record)), first);
}

/** Writes a line per record, so that what changes can be read. */
async function write(name, gateway, records) {
	const lines = records.map((one) => JSON.stringify(one)).join(',\n');
	const about = JSON.stringify({ gateway });
	const file = path.join(ROOT, 'sandbox', 'service', 'gateway', name);
	await writeFile(file, `{"about":${about},"records":[\n${lines}\n]}\n`);
}

async function main() {
	const { key, 'base-url': baseUrl, vendors: vendorsUrl, only, record, ...values } = readSettings();
	const isSecond = values['openai-videos'];
	const combinations = toNumber(values, 'combine', { whole: true });
	const { data: status } = await (await fetch(`${baseUrl}/api/status`)).json();
	const recorder = await startRecorder(baseUrl);
	const sandbox = await openSandbox();
	try {
		const { api } = sandbox;
		// The picture of the cases is on this machine.
		const access = { allowPrivateAddresses: true, api: isSecond ? 'openAiVideos' : 'auto' };
		const service = { url: recorder.url };
		const { credentials } = await createStudio({ service, api, key, access });
		const isAsked = ({ column }) => column.startsWith(only);
		const asked = CASES.filter(isAsked);
		const cases = combinations > 0 ? combine(asked, combinations, seededRandom(1)) : asked;
		const run = { api, credentials, recorder, vendorsUrl, cases };
		const { records: sent, refused } = await runArrivals(run);
		const plugins = values.plugins ? await loadPlugins(values.plugins) : [];
		const records = sent.map((one) => ({ ...one, plugins: askPlugins(plugins, one) }));
		process.exitCode = report(records, refused) === 0 ? 0 : 1;
		if (combinations > 0) return;
		const update = (recorded) => [
			...recorded.filter((one) => !isAsked(one)),
			...records.map(withoutWords),
		];
		if (isSecond) {
			const different = update(BY_OPENAI_VIDEOS).filter(isDifferent);
			if (record) await write('openAiArrivals.json', status.version, different);
			return;
		}
		const texts = await runTextArrivals({ api, recorder, key, vendorsUrl, cases: TEXT_ARRIVALS });
		for (const { about, sent, received } of texts) {
			const lost = lostPaths(sent, received);
			if (lost.length > 0) process.stdout.write(`text, dropped: ${about}: ${lost.join(', ')}\n`);
		}
		if (record) {
			await write('arrivals.json', status.version, update(ARRIVALS));
			await write('textArrivals.json', status.version, texts);
		}
	} finally {
		await sandbox.close();
		await recorder.close();
	}
}

await main();
