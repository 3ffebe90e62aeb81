import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import path from 'node:path';
import { finished } from 'node:stream/promises';

const KEPT_OUTPUT = 200_000;
// Keys are for n8n's credentials only; a folder that npm was started for is not ours to pass on.
const NOT_PASSED_ON =
	/^(VIDEO_(API_KEY|BASE_URL)|npm_(package|lifecycle)_.*|INIT_CWD|npm_config_local_prefix|npm_command|npm_execpath)$/;

const running = new Set();
// A command must not outlive this process, whatever ends it.
process.on('exit', () => running.forEach((child) => child.kill('SIGTERM')));

function openLog(file) {
	mkdirSync(path.dirname(file), { recursive: true });
	return createWriteStream(file, { flags: 'a' });
}

/**
 * Runs a program to its end and returns `{ code, output }`; `output` is the last part of what it
 * wrote. A program that cannot be started has code 127. `show: true` also prints it as it comes.
 */
export async function run(file, args, { cwd, env = {}, logFile, show = false } = {}) {
	const log = logFile ? openLog(logFile) : null;
	const kept = Object.entries(process.env).filter(([name]) => !NOT_PASSED_ON.test(name));
	const child = spawn(file, args, {
		cwd,
		env: { ...Object.fromEntries(kept), ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	running.add(child);
	let output = '';
	const take = (stream) => (chunk) => {
		output = (output + chunk).slice(-KEPT_OUTPUT);
		log?.write(chunk);
		if (show) stream.write(chunk);
	};
	child.stdout.setEncoding('utf8').on('data', take(process.stdout));
	child.stderr.setEncoding('utf8').on('data', take(process.stderr));
	const code = await new Promise((resolve) => {
		child.once('error', (error) => {
			output += error.message;
			resolve(127);
		});
		child.once('close', (exitCode, signal) => resolve(signal ? 128 : exitCode));
	});
	running.delete(child);
	if (log) await finished(log.end());
	return { code, output };
}
