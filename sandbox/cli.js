#!/usr/bin/env node
'use strict';

const { parseArgs } = require('node:util');
const { toHelp } = require('./helpTables');
const { createSandbox } = require('./service');

// `npm run sandbox`: the stand-in of the service; docs/dev/sandbox.md tells of it.

const USAGE =
	'Usage: npm run sandbox -- [--port 4010] [--render SECONDS] [--key KEY] [--quiet] [--help]\n';
const OPTIONS = {
	port: { type: 'string', default: '4010' },
	render: { type: 'string', default: '3' },
	key: { type: 'string', default: 'sandbox-key' },
	quiet: { type: 'boolean', default: false },
	help: { type: 'boolean', default: false },
};

function fail(sentence) {
	process.stderr.write(`${sentence}\n`);
	process.exit(1);
}

/** What is not known is not repeated, nor are values: they may be a key in the wrong place. */
const WRONG = {
	ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL:
		'There are options only: each begins with --, and has its value right behind it.',
	ERR_PARSE_ARGS_UNKNOWN_OPTION: 'There is an unknown option.',
};

function readOptions() {
	try {
		return parseArgs({ options: OPTIONS }).values;
	} catch ({ code, message }) {
		return fail(`${WRONG[code] ?? message}\n${USAGE}`);
	}
}

/** Prints a line for a request. The key may be in its address, and a log is no place for it. */
function printRecord({ method, url, status, taskId, aborted }) {
	const end = aborted ? 'the client went away' : (status ?? 'cut');
	const address = url.replace(/([?&]key=)[^&]*/, '$1***');
	process.stdout.write(`${[method, address, end, taskId].filter(Boolean).join(' ')}\n`);
}

async function main() {
	const { help, key, quiet, ...values } = readOptions();
	if (help) {
		process.stdout.write(`${USAGE}\n${toHelp()}`);
		return;
	}
	const [port, render] = [Number(values.port), Number(values.render)];
	if (!(Number.isInteger(port) && port >= 0 && port <= 65535)) {
		fail('--port is a whole number, 0 to 65535.');
	}
	if (!(render >= 0) || values.render.trim() === '') fail('--render is a number, 0 or more.');
	const settings = { port, key, renderMs: render * 1000, logger: quiet ? false : printRecord };
	const sandbox = await createSandbox(settings).catch(({ code, message }) =>
		fail(
			code === 'EADDRINUSE'
				? `Port ${port} is in use: choose another one with --port.`
				: `The sandbox could not start: ${message}`,
		),
	);
	const end = () => sandbox.close().then(() => process.exit(0));
	process.once('SIGINT', end).once('SIGTERM', end);
	process.stdout.write(
		`Base URL      ${sandbox.url}\nKey           ${key}\nStorage host  ${sandbox.foreignUrl}\n` +
			'Press Ctrl+C to stop it. docs/dev/sandbox.md describes what it can do.\n',
	);
}

void main();
