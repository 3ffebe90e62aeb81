'use strict';

const { parseArgs } = require('node:util');

// What the command lines of the sandbox share.

function fail(sentence, code = 1) {
	process.stderr.write(`${sentence}\n`);
	process.exit(code);
}

/** What is not known is not repeated, nor are values: they may be a key in the wrong place. */
const WRONG = {
	ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL:
		'There are options only: each begins with --, and has its value right behind it.',
	ERR_PARSE_ARGS_UNKNOWN_OPTION: 'There is an unknown option.',
};
const whatIsWrong = ({ code, message }) => WRONG[code] ?? message;

/** The values of the options, or the end with `code`; with --help the usage, `more()` and the end. */
function readOptions(options, usage, { code = 1, more = () => '' } = {}) {
	try {
		const { values } = parseArgs({ options });
		if (!values.help) return values;
	} catch (error) {
		fail(`${whatIsWrong(error)}\n${usage}`, code);
	}
	process.stdout.write(usage + more());
	return process.exit(0);
}

/** The number of an option, or the end. */
function toNumber(values, name, { least = 0, most = Infinity, whole = false, code } = {}) {
	const value = Number(values[name]);
	const fits = values[name].trim() !== '' && value >= least && value <= most;
	if (fits && (!whole || Number.isInteger(value))) return value;
	const kind = whole ? 'whole number' : 'number';
	const limits = most === Infinity ? `${least} or more` : `${least} to ${most}`;
	return fail(`--${name} is a ${kind}, ${limits}.`, code);
}

module.exports = { fail, readOptions, toNumber };
