'use strict';

const { parseArgs } = require('node:util');

// What the command lines of the stand-ins share.

/** @returns {never} */
function fail(sentence) {
	process.stderr.write(`${sentence}\n`);
	process.exit(1);
}

/** The values of the options, or the end; with --help the usage and the end. */
function readOptions(options, usage) {
	try {
		const { values } = parseArgs({ options });
		if (!values.help) return values;
	} catch (error) {
		fail(`${error.message}\n${usage}`);
	}
	process.stdout.write(usage);
	return process.exit(0);
}

/** The number of an option, or the end. */
function toNumber(values, name, { most = Infinity, whole = false } = {}) {
	const value = Number(values[name]);
	const fits = values[name].trim() !== '' && value >= 0 && value <= most;
	if (fits && (!whole || Number.isInteger(value))) return value;
	return fail(`--${name} is a ${whole ? 'whole ' : ''}number, 0 or more, not "${values[name]}".`);
}

/** What was started, to be closed by Ctrl+C; or the reason and the end. */
async function start(starting, name) {
	const running = await starting.catch((error) =>
		fail(
			error.code === 'EADDRINUSE'
				? `Port ${error.port} is in use: choose another one with --port.`
				: `${name} could not start: ${error.message}`,
		),
	);
	const end = () => running.close().then(() => process.exit(0));
	process.once('SIGINT', end).once('SIGTERM', end);
	return running;
}

module.exports = { readOptions, toNumber, start };
