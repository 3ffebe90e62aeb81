#!/usr/bin/env node
'use strict';

const { parseArgs } = require('node:util');
const { createSandbox } = require('.');

const USAGE = `Usage: node sandbox/service/cli.js [--port 4010] [--foreign-port N] [--render SECONDS]
                                   [--key KEY] [--latency MS] [--quiet]
`;

const OPTIONS = {
	port: { type: 'string', default: '4010' },
	'foreign-port': { type: 'string', default: '0' },
	render: { type: 'string', default: '3' },
	key: { type: 'string', default: 'sandbox-key' },
	latency: { type: 'string', default: '0' },
	quiet: { type: 'boolean', default: false },
	help: { type: 'boolean', default: false },
};

function fail(sentence) {
	process.stderr.write(`${sentence}\n`);
	process.exit(1);
}

/** The number of an option, or the end. */
function toNumber(values, name, most = Infinity) {
	const value = Number(values[name]);
	const fits = values[name].trim() !== '' && value >= 0 && value <= most;
	return fits ? value : fail(`--${name} is a number, 0 or more, not "${values[name]}".`);
}

function readOptions() {
	try {
		return parseArgs({ options: OPTIONS }).values;
	} catch (error) {
		return fail(`${error.message}\n${USAGE}`);
	}
}

function printRecord({ method, url, status, taskId, aborted }) {
	const end = aborted ? 'the client went away' : (status ?? 'cut');
	// The key may be in the address; a log is the last place where it should be.
	const address = url.replace(/([?&]key=)[^&]*/, '$1***');
	process.stdout.write(`${[method, address, end, taskId].filter(Boolean).join(' ')}\n`);
}

async function main() {
	const values = readOptions();
	if (values.help) return void process.stdout.write(USAGE);
	const port = toNumber(values, 'port', 65535);
	const sandbox = await createSandbox({
		port,
		foreignPort: toNumber(values, 'foreign-port', 65535),
		key: values.key,
		renderMs: toNumber(values, 'render') * 1000,
		latencyMs: toNumber(values, 'latency'),
		logger: values.quiet ? false : printRecord,
	}).catch((error) =>
		fail(
			error.code === 'EADDRINUSE'
				? `Port ${error.port} is in use: choose another one with --port.`
				: `The sandbox could not start: ${error.message}`,
		),
	);
	process.stdout.write(
		`Base URL      ${sandbox.url}\nKey           ${values.key}\nStorage host  ${sandbox.foreignUrl}\n` +
			'Press Ctrl+C to stop it. docs/sandbox-service.md describes what it can do.\n',
	);
	const end = () => sandbox.close().then(() => process.exit(0));
	process.once('SIGINT', end).once('SIGTERM', end);
}

void main();
