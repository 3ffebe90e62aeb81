import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import axios from 'axios';
import { execa } from 'execa';
import { createApi } from '../../sandbox/n8n/api.mjs';
import { ROOT } from '../../sandbox/n8n/folders.mjs';
import { installPackage } from '../../sandbox/n8n/package.mjs';
import { ensureN8n } from '../../sandbox/n8n/install.mjs';
import { freePort } from '../../sandbox/n8n/ports.mjs';
import { createReport } from '../../sandbox/n8n/report.mjs';
import { startN8n } from '../../sandbox/n8n/start.mjs';
import { until } from './workflow.mjs';

const OWNER = { email: 'owner@example.com', password: 'Sandbox-bench-1' };
const INTO_N8N = path.join(import.meta.dirname, 'intoN8n.cjs');
const SERVICE = path.join(ROOT, 'sandbox', 'cli.js');
const READY_WITHIN_MS = 30_000;
export const KEY = 'sandbox-key';
export const MODEL = 'veo-3.1-fast-generate-001';

/** A prompt that carries its plan for the sandbox (docs/dev/sandbox.md). */
export const planned = (plan, prompt = 'Bicycle') => `${prompt} sandbox:${JSON.stringify(plan)}`;

/** The stand-in of the service in a process of its own. */
async function startService(latencyMs) {
	const port = await freePort();
	const args = [SERVICE, '--port', String(port), '--quiet'];
	const child = execa('node', args, { stdio: 'ignore', reject: false });
	const url = `http://127.0.0.1:${port}`;
	const read = async (place) => (await axios.get(`${url}/_sandbox/${place}`)).data;
	const post = async (place, body) => await axios.post(`${url}/_sandbox/${place}`, body);
	await until(() => read('tasks').catch(() => false), READY_WITHIN_MS, 'the stand-in service');
	await post('deployment', { latencyMs });
	return {
		url,
		async reset() {
			await post('reset');
			await post('deployment', { latencyMs });
		},
		requests: async () => await read('requests'),
		/** With the times that only the service knows: `at`, `renderMs`, `successSaidAt`. */
		tasks: async () => await read('tasks'),
		submissions: async () => await read('requests?method=POST&origin=service'),
		/** Submits a render with this plan; gives the task's id. */
		async render(plan) {
			const headers = { authorization: `Bearer ${KEY}` };
			const body = { model: MODEL, prompt: planned(plan) };
			const { data } = await axios.post(`${url}/v1/video/generations`, body, { headers });
			return data.task_id;
		},
		close: async () => {
			child.kill();
			await child;
		},
	};
}

/**
 * The stand-in service and a real n8n with the built package of the folder `source`, in a folder that
 * goes with `close()`. `env` is added to n8n's environment. `restart()` starts the same n8n anew, and
 * `pid` is another one then.
 */
export async function openPlace({ source, latencyMs = 0, env = {} }) {
	const steps = [];
	const close = async () => {
		for (const step of steps.splice(0).reverse()) await step();
	};
	try {
		const installed = await ensureN8n(createReport(process.stderr));
		const folder = await mkdtemp(path.join(tmpdir(), 'n8n-bench-'));
		steps.push(() => rm(folder, { recursive: true, force: true }));
		await installPackage(folder, source);
		const service = await startService(latencyMs);
		steps.push(service.close);
		const loopPrefix = path.join(folder, 'loop');
		const NODE_OPTIONS = `--require ${JSON.stringify(INTO_N8N)}`;
		const start = {
			installed,
			userFolder: folder,
			port: await freePort(),
			logFile: path.join(folder, 'n8n.log'),
			env: { ...env, NODE_OPTIONS, BENCH_LOOP_FILE: loopPrefix },
		};
		let n8n = await startN8n(start);
		steps.push(async () => await n8n.stop());
		const api = createApi(n8n.url, installed);
		await api.signIn(OWNER);
		/** Makes a credential; gives what a node refers to it by. */
		const credential = async (type, data) => {
			const { id } = await api.createCredential({ name: type, type, data });
			return { [type]: { id, name: type } };
		};
		return {
			...{ service, api, close },
			credential: await credential('videoGenerationApi', { baseUrl: service.url, apiKey: KEY }),
			createCredential: credential,
			get pid() {
				return n8n.pid;
			},
			async restart() {
				await n8n.stop();
				n8n = await startN8n(start);
			},
			loopFile: `${loopPrefix}.${n8n.pid}`,
			/** Where n8n keeps the files of executions. */
			storage: path.join(folder, '.n8n', 'storage'),
		};
	} catch (error) {
		await close();
		throw error;
	}
}
