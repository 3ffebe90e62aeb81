import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { createApi } from '../sandbox/n8n/api.mjs';
import { startN8n } from '../sandbox/n8n/start.mjs';
import { dieInVain, PLAN } from './support/death.mjs';
import { openSandbox } from './support/sandbox.mjs';

// n8n is killed (SIGKILL) at random moments while renders go on, and started again each time.

let sandbox;
let running;
let api;
let earlierLogs = '';

const readLog = async () => await readFile(running.logFile, 'utf8');

async function kill() {
	await running.kill9();
	earlierLogs += await readLog();
	const { installed, folder, url } = sandbox;
	const port = Number(new URL(url).port);
	const { logFile } = running;
	running = await startN8n({ installed, userFolder: folder, port, logFile });
	api = createApi(url, installed);
	await api.signIn(sandbox.owner);
}

before(async () => {
	sandbox = await openSandbox();
	running = sandbox.n8n;
	api = sandbox.api;
});
after(async () => {
	await running?.stop();
	await sandbox?.close();
});

test(`${PLAN.kills} kills over ${PLAN.videos} renders`, async (t) => {
	const current = () => api;
	const logs = async () => earlierLogs + (await readLog());
	await dieInVain(t, { service: sandbox.service, kill, api: current, logs });
});
