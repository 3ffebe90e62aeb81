import path from 'node:path';
import axios from 'axios';
import { execa } from 'execa';
import { ROOT } from '../../sandbox/n8n/folders.mjs';
import { freePort } from '../../sandbox/n8n/ports.mjs';
import { until } from './until.mjs';

const CLI = path.join(ROOT, 'sandbox', 'service', 'cli.js');
const READY_WITHIN_MS = 10_000;
export const KEY = 'sandbox-key';
export const MODEL = 'veo-3.1-fast-generate-001';

/**
 * The stand-in of the service in a process of its own:
 * `{ url, reset, health, tasks, submissions, render }`.
 */
export async function startService({ latencyMs = 0 } = {}) {
	const port = await freePort();
	const args = [CLI, '--port', String(port), '--latency', String(latencyMs), '--quiet'];
	const child = execa('node', args, { stdio: 'ignore', reject: false });
	const url = `http://127.0.0.1:${port}`;
	const read = async (place) => (await axios.get(`${url}/_sandbox/${place}`)).data;
	await until(() => read('health').catch(() => false), READY_WITHIN_MS, 'the stand-in service');
	return {
		url,
		reset: async () => await axios.post(`${url}/_sandbox/reset`),
		/** `{ requests, tasks }`: how many of each; `foreignUrl`: the storage host. */
		health: async () => await read('health'),
		/** With the times that only the service knows: `at`, `renderMs`, `successSaidAt`. */
		tasks: async () => await read('tasks'),
		submissions: async () => await read('requests?method=POST&origin=service'),
		/** Submits a render with this plan (docs/dev/sandbox.md); gives the task's id. */
		render: async (plan) => {
			const prompt = `Bicycle sandbox:${JSON.stringify(plan)}`;
			const headers = { authorization: `Bearer ${KEY}` };
			const { data } = await axios.post(
				`${url}/v1/video/generations`,
				{ model: MODEL, prompt },
				{ headers },
			);
			return data.task_id;
		},
		close: async () => {
			child.kill();
			await child;
		},
	};
}
