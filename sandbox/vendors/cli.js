#!/usr/bin/env node
'use strict';

const { printRecord, readOptions, start, toNumber } = require('../commandLine');
const { createVendors } = require('.');

const USAGE = `Usage: node sandbox/vendors/cli.js [--port 4020] [--queued POLLS] [--running POLLS] [--quiet]
`;

const OPTIONS = {
	port: { type: 'string', default: '4020' },
	queued: { type: 'string', default: '1' },
	running: { type: 'string', default: '1' },
	quiet: { type: 'boolean', default: false },
	help: { type: 'boolean', default: false },
};

const row = (cells) => [3, 24, 32, 0].map((width, at) => cells[at].padEnd(width)).join('  ');

/** What to enter in a gateway, a row for each kind of channel. */
const table = (channels) =>
	channels.map(({ type, label, base_url, key }) =>
		// A service account is too long for a row.
		row([String(type), label, base_url, key.startsWith('{') ? 'see /_sandbox/channels' : key]),
	);

async function main() {
	const values = readOptions(OPTIONS, USAGE);
	const starting = createVendors({
		port: toNumber(values, 'port', { most: 65535, whole: true }),
		queuedPolls: toNumber(values, 'queued', { whole: true }),
		runningPolls: toNumber(values, 'running', { whole: true }),
		logger: values.quiet ? false : printRecord,
	});
	const vendors = await start(starting, 'The vendors');
	const lines = [
		...['', row(['', 'Channel', 'Base URL', 'Key'])],
		...table(vendors.channels),
		`\nEverything of them as JSON: ${vendors.url}/_sandbox/channels`,
		'Press Ctrl+C to stop them. docs/dev/sandbox.md describes what they can do.',
	];
	process.stdout.write(`${lines.join('\n').trimStart()}\n`);
}

void main();
