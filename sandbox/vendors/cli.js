#!/usr/bin/env node
'use strict';

const { parseArgs } = require('node:util');
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

function fail(sentence) {
	process.stderr.write(`${sentence}\n`);
	process.exit(1);
}

/** The whole number of an option, or the end. */
function toNumber(values, name, most = Infinity) {
	const fits = /^\d+$/.test(values[name]) && Number(values[name]) <= most;
	return fits ? Number(values[name]) : fail(`--${name} is a whole number, not "${values[name]}".`);
}

function readOptions() {
	try {
		return parseArgs({ options: OPTIONS }).values;
	} catch (error) {
		return fail(`${error.message}\n${USAGE}`);
	}
}

/** A line per request; a key is in no record. */
function printRecord({ vendor = '-', method, url, status, body, aborted }) {
	const end = aborted ? 'the client went away' : (status ?? 'cut');
	const asked = body === undefined ? '' : ` ${JSON.stringify(body)}`;
	process.stdout.write(`${vendor} ${method} ${url} ${end}${asked}\n`);
}

const row = (cells) => [3, 24, 32, 0].map((width, at) => cells[at].padEnd(width)).join('  ');

/** What to enter in a gateway, a row for each kind of channel. */
const table = (channels) =>
	channels.map(({ type, label, base_url, key }) =>
		// A service account is too long for a row.
		row([String(type), label, base_url, key.startsWith('{') ? 'see /_sandbox/channels' : key]),
	);

async function main() {
	const values = readOptions();
	if (values.help) return void process.stdout.write(USAGE);
	const vendors = await createVendors({
		port: toNumber(values, 'port', 65535),
		queuedPolls: toNumber(values, 'queued'),
		runningPolls: toNumber(values, 'running'),
		logger: values.quiet ? false : printRecord,
	}).catch((error) =>
		fail(
			error.code === 'EADDRINUSE'
				? `Port ${error.port} is in use: choose another one with --port.`
				: `The vendors could not start: ${error.message}`,
		),
	);
	const lines = [
		...['', row(['', 'Channel', 'Base URL', 'Key'])],
		...table(vendors.channels),
		`\nEverything of them as JSON: ${vendors.url}/_sandbox/channels`,
		'Press Ctrl+C to stop them. docs/vendors.md describes what they can do.',
	];
	process.stdout.write(`${lines.join('\n').trimStart()}\n`);
	const end = () => vendors.close().then(() => process.exit(0));
	process.once('SIGINT', end).once('SIGTERM', end);
}

void main();
