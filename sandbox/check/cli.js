#!/usr/bin/env node
'use strict';

const { fail } = require('../service/commandLine');
const { checkService, differsFromContract } = require('.');
const { KEY_ARGUMENT, holdsKey } = require('./keyArguments');
const { completeKeys, takeKeys } = require('./keys');
const { BAD_USAGE, readCommandLine } = require('./options');
const { toTable } = require('./table');
const { createTerminal } = require('./terminal');

const DIFFERS = 1;
const UNREACHABLE = 3;

const say = (line) => process.stderr.write(`${line}\n`);

/** Asked once everything free is known, right before the submit. */
function consent({ render, yes, baseUrl, seconds }, terminal) {
	const length = seconds === undefined ? "of the model's own length" : `of ${seconds} s`;
	const order = `This orders one video of ${render}, ${length}, at ${new URL(baseUrl).origin}, and costs money.`;
	return async () => {
		if (!yes) return await terminal.askYes(`${order} Continue? [y/N] `);
		say(order);
		return true;
	};
}

function print({ rows, taskId }, { json, baseUrl }) {
	const text = json
		? `${JSON.stringify({ baseUrl, taskId, rows }, null, 2)}\n`
		: `${baseUrl}\n\n${toTable(rows)}`;
	process.stdout.write(text);
}

async function main() {
	const found = takeKeys(process.env);
	const given = Object.values(found).filter(Boolean);
	const terminal = createTerminal(process.stdin, process.stderr);
	const args = process.argv.slice(2);
	const options = readCommandLine(args, given);
	if (options.render !== undefined && !options.yes && !terminal.isAttended) {
		fail(
			'There is no terminal to ask before ordering a video: --yes agrees in advance.',
			BAD_USAGE,
		);
	}
	const keys = await completeKeys(found, terminal);
	// What was entered is known only now; the arguments are printed from here on.
	if (args.some((argument) => holdsKey(argument, Object.values(keys))))
		fail(KEY_ARGUMENT, BAD_USAGE);
	const result = await checkService({
		...options,
		...keys,
		mayRender: consent(options, terminal),
		say,
	});
	if (result.unreachable !== undefined) {
		fail(`${options.baseUrl} cannot be reached: ${result.unreachable}.`, UNREACHABLE);
	}
	print(result, options);
	process.exitCode = differsFromContract(result.rows) ? DIFFERS : 0;
}

void main();
