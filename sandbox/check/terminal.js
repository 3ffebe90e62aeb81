'use strict';

const { createInterface } = require('node:readline/promises');
const { Writable } = require('node:stream');

/** One line, or nothing where the input ends or Ctrl+C is pressed. */
async function ask(input, output, question) {
	const terminal = createInterface({ input, output, terminal: true, historySize: 0 });
	const closed = new Promise((resolve) => terminal.once('close', () => resolve('')));
	try {
		return (await Promise.race([terminal.question(question), closed])).trim();
	} finally {
		terminal.close();
	}
}

/**
 * Questions to a person. Their output is that of messages, so that results can go into a file.
 * @param {NodeJS.ReadStream} input
 * @param {NodeJS.WriteStream} output
 */
const createTerminal = (input, output) => ({
	/** Whether there is somebody to ask. */
	isAttended: input.isTTY === true && output.isTTY === true,
	/** A line that nobody sees: the terminal does not echo it, and it is written nowhere. */
	async askHidden(question) {
		output.write(question);
		const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
		const line = await ask(input, nowhere, '');
		output.write('\n');
		return line;
	},
	askYes: async (question) => /^y(es)?$/i.test(await ask(input, output, question)),
});

module.exports = { createTerminal };
