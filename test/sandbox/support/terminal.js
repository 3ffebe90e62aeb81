'use strict';

const { PassThrough } = require('node:stream');
const { createTerminal } = require('../../../sandbox/check/terminal');

/** A terminal without a window: what a person would type goes into `input`, and what they would see is `written()`. */
function openTerminal() {
	const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
	const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
	const chunks = [];
	output.on('data', (chunk) => chunks.push(String(chunk)));
	return { input, terminal: createTerminal(input, output), written: () => chunks.join('') };
}

module.exports = { openTerminal };
