'use strict';

const { spawn } = require('node:child_process');
const { join } = require('node:path');

const SANDBOX = join(__dirname, '..', '..', '..', 'sandbox');

const running = new Set();

/** A test that failed half-way must not leave its process behind. */
function stopAll() {
	for (const child of running) child.kill('SIGKILL');
}

/**
 * Starts the command. `printed(text)` resolves once that was printed, `ended` with the exit code.
 * @param {string[]} options
 * @param {string} [script] in the sandbox
 * @param {Record<string, string>} [env] besides that of the tests
 */
function startCli(options, script = 'service/cli.js', env = {}) {
	const command = [join(SANDBOX, script), ...options];
	const child = spawn(process.execPath, command, { env: { ...process.env, ...env } });
	// Without a terminal there is nobody to ask.
	child.stdin.end();
	running.add(child);
	const printer = { out: '', err: '', waiting: [] };
	child.stdout.on('data', (chunk) => {
		printer.out += chunk;
		printer.waiting = printer.waiting.filter(({ text, resolve }) =>
			printer.out.includes(text) ? resolve(undefined) : true,
		);
	});
	child.stderr.on('data', (chunk) => (printer.err += chunk));
	const ended = new Promise((resolve) =>
		child.on('close', (code, signal) => {
			running.delete(child);
			resolve({ code, signal });
		}),
	);
	return {
		ended,
		out: () => printer.out,
		err: () => printer.err,
		printed: (text) =>
			new Promise((resolve) => {
				if (printer.out.includes(text)) resolve(undefined);
				else printer.waiting.push({ text, resolve });
			}),
		interrupt: () => child.kill('SIGINT'),
	};
}

module.exports = { startCli, stopAll };
