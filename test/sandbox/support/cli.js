'use strict';

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { join } = require('node:path');

const SANDBOX = join(__dirname, '..', '..', '..', 'sandbox', 'cli.js');

/** A test that fails half-way must not leave its process behind. */
const running = new Set();
afterEach(() => running.forEach((child) => child.kill('SIGKILL')));

/** Starts the sandbox; `ended` resolves to its code and what it wrote to stderr. */
function open(options) {
	const child = spawn(process.execPath, [SANDBOX, ...options]);
	running.add(child);
	const written = { out: '', err: '' };
	child.stdout.on('data', (chunk) => (written.out += chunk));
	child.stderr.on('data', (chunk) => (written.err += chunk));
	const ended = once(child, 'close').then(([code]) => ({ code, err: written.err }));
	return { child, ended, out: () => written.out };
}

/** @param {string[]} options */
function startCli(...options) {
	const { child, ended, out } = open(options);
	return { out, interrupt: () => (child.kill('SIGINT'), ended) };
}

/** @param {string[]} options */
async function runCli(options) {
	const { ended, out } = open(options);
	return { ...(await ended), out: out() };
}

module.exports = { startCli, runCli };
