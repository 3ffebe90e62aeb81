import { after, before, test } from 'node:test';
import { createApi } from '../sandbox/n8n/api.mjs';
import { dieInVain, PLAN } from './support/death.mjs';
import { openQueueSandbox, skipWithoutQueue } from './support/queue.mjs';

// Queue mode (PostgreSQL, Redis, main, two workers with two slots each): main and the workers are
// killed (SIGKILL) in turn while renders and downloads go on, and started again each time.

let sandbox;
let api;

async function kill(death) {
	const member = death % 3;
	if (member > 0) {
		await sandbox.killWorker(member - 1);
		await sandbox.startWorker(member - 1);
		return;
	}
	await sandbox.killMain();
	await sandbox.startMain();
	api = createApi(sandbox.url, sandbox.installed);
	await api.signIn(sandbox.owner);
}

before(async () => {
	if (skipWithoutQueue) return;
	sandbox = await openQueueSandbox();
	api = sandbox.api;
});
after(() => sandbox?.close());

test(
	`queue mode: ${PLAN.kills} kills over ${PLAN.videos} renders`,
	{ skip: skipWithoutQueue },
	async (t) => {
		const current = () => api;
		const { service, logs } = sandbox;
		await dieInVain(t, { service, kill, api: current, logs, downloads: true });
	},
);
