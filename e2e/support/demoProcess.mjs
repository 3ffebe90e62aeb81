import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { PATIENCE_MS } from '../../sandbox/n8n/api.mjs';
import { ROOT } from '../../sandbox/n8n/folders.mjs';
import { freePort } from '../../sandbox/n8n/ports.mjs';

const DEMO = path.join(ROOT, 'sandbox', 'demo.mjs');
const STOP_WITHIN_MS = 30_000;

/**
 * A folder for n8n's data that goes with the tests of a file: `{ data, own(...more) }`, where `own`
 * gives the demo's options for it and for ports that nobody uses.
 */
export function createDemoFolder() {
	const data = mkdtempSync(path.join(tmpdir(), 'n8n-demo-'));
	after(() => rmSync(data, { recursive: true, force: true }));
	const own = async (...more) => {
		const ports = ['--port', String(await freePort()), '--service-port', String(await freePort())];
		return [...ports, '--data', data, ...more];
	};
	return { data, own };
}

/**
 * Runs the demo without a terminal: `{ child, output(), says(text), n8nPid(), ended }`; `ended` is
 * `{ code, output }`. A demo that is still there when its test is over is stopped.
 */
export function startDemo(t, args, env = {}) {
	const child = spawn(process.execPath, [DEMO, ...args], {
		env: { ...process.env, VIDEO_BASE_URL: '', VIDEO_API_KEY: '', ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	const take = (chunk) => (output += chunk);
	child.stdout.setEncoding('utf8').on('data', take);
	child.stderr.setEncoding('utf8').on('data', take);
	const ended = new Promise((resolve) => {
		child.once('close', (code, signal) => resolve({ code: signal ?? code, output }));
	});
	const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
	const stopNow = () => child.kill('SIGTERM');
	process.on('exit', stopNow);
	t.after(async () => {
		process.off('exit', stopNow);
		if (!hasEnded()) stopNow();
		const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
		await ended;
		clearTimeout(timer);
	});

	/** Waits until the demo has printed `text` so often; throws with all it printed if it ends before. */
	async function says(text, times = 1) {
		const deadline = Date.now() + PATIENCE_MS;
		while (output.split(text).length <= times) {
			if (hasEnded() || Date.now() > deadline) throw new Error(`No "${text}" in:\n${output}`);
			await new Promise((resolve) => setTimeout(resolve, 100));
		}
	}
	/** The process of n8n, which the demo has started. */
	function n8nPid() {
		const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
		const isN8n = (pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('bin/n8n');
		return Number(children.trim().split(' ').find(isN8n));
	}
	return { child, output: () => output, says, n8nPid, ended };
}

export async function runDemo(t, args, env) {
	return await startDemo(t, args, env).ended;
}
