#!/usr/bin/env node
'use strict';

const { fail, readOptions, toNumber } = require('./commandLine');
const { toHelp } = require('./helpTables');

// `npm run sandbox -- <name>`, for the service without a name; docs/dev/sandbox.md tells of each.

const COMMON = {
	quiet: { type: 'boolean', default: false },
	help: { type: 'boolean', default: false },
};
const withDefault = (value) => ({ type: 'string', default: value });

/** Prints a line for a request. The key may be in its address, and a log is no place for it. */
function printRecord({ method, url, status, taskId, aborted }) {
	const end = aborted ? 'the client went away' : (status ?? 'cut');
	const address = url.replace(/([?&]key=)[^&]*/, '$1***');
	process.stdout.write(`${[method, address, end, taskId].filter(Boolean).join(' ')}\n`);
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

const SERVICE_USAGE = `Usage: npm run sandbox -- [--port 4010] [--render SECONDS] [--key KEY] [--quiet]

Other tools: npm run sandbox -- services (with --help), models
`;
const END = 'Press Ctrl+C to stop it. docs/dev/sandbox.md describes what it can do.\n';

async function startService() {
	const values = readOptions(
		{
			port: withDefault('4010'),
			render: withDefault('3'),
			key: withDefault('sandbox-key'),
			...COMMON,
		},
		SERVICE_USAGE,
		{ more: toHelp },
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

const TOOLS = {
	service: startService,
	services: () => import('./services/cli.js'),
};

const isNamed = process.argv[2] !== undefined && !process.argv[2].startsWith('-');
const [name] = isNamed ? process.argv.splice(2, 1) : ['service'];
if (Object.hasOwn(TOOLS, name)) void TOOLS[name]();
else fail(`The names are: ${Object.keys(TOOLS).join(', ')}.`);
