'use strict';

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { join } = require('node:path');

const SANDBOX = join(__dirname, '..', '..', '..', 'sandbox');

/** A test that fails half-way must not leave its process behind. */
const running = new Set();
afterEach(() => running.forEach((child) => child.kill('SIGKILL')));

/** Starts a command of the sandbox; `ended` resolves to its code and what it wrote to stderr. */
function open(script, options, env = {}) {
	const command = [join(SANDBOX, script), ...options];
	const child = spawn(process.execPath, command, { env: { ...process.env, ...env } });
	running.add(child);
	const written = { out: '', err: '' };
	child.stdout.on('data', (chunk) => (written.out += chunk));
	child.stderr.on('data', (chunk) => (written.err += chunk));
	const ended = once(child, 'close').then(([code]) => ({ code, err: written.err }));
	return { child, ended, out: () => written.out };
}

/** @param {string} script @param {string[]} options */
function startCli(script, ...options) {
	const { child, ended, out } = open(script, options);
	return { out, interrupt: () => (child.kill('SIGINT'), ended) };
}

/** @param {string} script @param {string[]} options @param {Record<string, string>} [env] */
async function runCli(script, options, env) {
	const { ended, out } = open(script, options, env);
	return { ...(await ended), out: out() };
}

module.exports = { startCli, runCli };
