#!/usr/bin/env node
'use strict';

const { createSandbox } = require('.');
const { printRecord, readOptions, start, toNumber } = require('../commandLine');

const USAGE = `Usage: node sandbox/service/cli.js [--port 4010] [--render SECONDS] [--key KEY] [--quiet]
`;

const OPTIONS = {
	port: { type: 'string', default: '4010' },
	render: { type: 'string', default: '3' },
	key: { type: 'string', default: 'sandbox-key' },
	quiet: { type: 'boolean', default: false },
	help: { type: 'boolean', default: false },
};

async function main() {
	const values = readOptions(OPTIONS, USAGE);
	const starting = createSandbox({
		port: toNumber(values, 'port', { most: 65535 }),
		key: values.key,
		renderMs: toNumber(values, 'render') * 1000,
		logger: values.quiet ? false : printRecord,
	});
	const sandbox = await start(starting, 'The sandbox');
	process.stdout.write(
		`Base URL      ${sandbox.url}\nKey           ${values.key}\nStorage host  ${sandbox.foreignUrl}\n` +
			'Press Ctrl+C to stop it. docs/dev/sandbox.md describes what it can do.\n',
	);
}

void main();
