#!/usr/bin/env node
'use strict';

const { fail, readOptions, toNumber } = require('./commandLine');

// `npm run sandbox -- <name>`, for the service without a name; docs/dev/sandbox.md tells of each.

const COMMON = {
	quiet: { type: 'boolean', default: false },
	help: { type: 'boolean', default: false },
};
const withDefault = (value) => ({ type: 'string', default: value });

/** Prints a line for a request. The key may be in its address, and a log is no place for it. */
function printRecord({ vendor, method, url, status, taskId, body, aborted }) {
	const end = aborted ? 'the client went away' : (status ?? 'cut');
	const address = url.replace(/([?&]key=)[^&]*/, '$1***');
	// A vendor's body says what a gateway has made of a request.
	const last = vendor === undefined ? taskId : body && JSON.stringify(body);
	process.stdout.write(`${[vendor, method, address, end, last].filter(Boolean).join(' ')}\n`);
}

/** What was started, to be closed by Ctrl+C; or the reason and the end. */
async function start(create, { quiet, ...values }, settings) {
	const port = toNumber(values, 'port', { most: 65535, whole: true });
	const logger = quiet ? false : printRecord;
	const running = await create({ port, logger, ...settings }).catch((error) =>
		fail(
			error.code === 'EADDRINUSE'
				? `Port ${port} is in use: choose another one with --port.`
				: `The sandbox could not start: ${error.message}`,
		),
	);
	const end = () => running.close().then(() => process.exit(0));
	process.once('SIGINT', end).once('SIGTERM', end);
	return running;
}

const END = 'Press Ctrl+C to stop it. docs/dev/sandbox.md describes what it can do.\n';

async function startService() {
	const values = readOptions(
		{
			port: withDefault('4010'),
			render: withDefault('3'),
			key: withDefault('sandbox-key'),
			...COMMON,
		},
		'Usage: npm run sandbox -- [--port 4010] [--render SECONDS] [--key KEY] [--quiet]\n',
	);
	const { key } = values;
	const renderMs = toNumber(values, 'render') * 1000;
	const { url, foreignUrl } = await start(require('./service').createSandbox, values, {
		...{ key, renderMs },
	});
	process.stdout.write(
		`Base URL      ${url}\nKey           ${key}\nStorage host  ${foreignUrl}\n${END}`,
	);
}

const row = (...cells) =>
	`${[3, 24, 32, 0].map((width, at) => cells[at].padEnd(width)).join('  ')}\n`;

/** Prints what to enter in a gateway, a row for each kind of channel. */
async function startVendors() {
	const values = readOptions(
		{ port: withDefault('4020'), queued: withDefault('1'), running: withDefault('1'), ...COMMON },
		'Usage: npm run sandbox -- vendors [--port 4020] [--queued POLLS] [--running POLLS] [--quiet]\n',
	);
	const [queuedPolls, runningPolls] = ['queued', 'running'].map((name) =>
		toNumber(values, name, { whole: true }),
	);
	const { createVendors } = require('./vendors');
	const { url, channels } = await start(createVendors, values, { queuedPolls, runningPolls });
	const rows = channels.map(({ type, label, base_url, key }) =>
		// A service account is too long for a row.
		row(String(type), label, base_url, key.startsWith('{') ? 'see /_sandbox/channels' : key),
	);
	const all = `\nEverything of them as JSON: ${url}/_sandbox/channels\n`;
	process.stdout.write([row('', 'Channel', 'Base URL', 'Key'), ...rows, all, END].join(''));
}

const TOOLS = {
	service: startService,
	vendors: startVendors,
	check: () => import('./checkService.mjs'),
	arrivals: () => import('./arrivals/cli.mjs'),
	services: () => import('./services/cli.js'),
	models: () => require('./writeModels').printModels(),
};

const isNamed = process.argv[2] !== undefined && !process.argv[2].startsWith('-');
const [name] = isNamed ? process.argv.splice(2, 1) : ['service'];
if (Object.hasOwn(TOOLS, name)) void TOOLS[name]();
else fail(`The names are: ${Object.keys(TOOLS).join(', ')}.`);
