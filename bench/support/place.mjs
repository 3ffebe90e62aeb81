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
import { until } from '../../e2e/support/workflows.mjs';

const OWNER = { email: 'owner@example.com', password: 'Sandbox-bench-1' };
const INTO_N8N = path.join(import.meta.dirname, 'intoN8n.cjs');
const SERVICE = path.join(ROOT, 'sandbox', 'cli.js');
export const KEY = 'sandbox-key';
const MODEL = 'veo-3.1-fast-generate-001';

/** The stand-in of the service in a process of its own. */
async function startService() {
	const port = await freePort();
	const args = [SERVICE, '--port', String(port), '--quiet'];
	const child = execa('node', args, { stdio: 'ignore', reject: false });
	const url = `http://127.0.0.1:${port}`;
	const answers = async () => await axios.get(`${url}/_sandbox/tasks`).catch(() => false);
	await until(answers, 'the stand-in service');
	return {
		url,
		/** Submits a render with this plan (docs/dev/sandbox.md); gives the task's id. */
		async render(plan) {
			const headers = { authorization: `Bearer ${KEY}` };
			const body = { model: MODEL, prompt: `Bicycle sandbox:${JSON.stringify(plan)}` };
			const { data } = await axios.post(`${url}/v1/video/generations`, body, { headers });
			return data.task_id;
		},
		/** How many renders it has taken. */
		countTasks: async () => (await axios.get(`${url}/_sandbox/tasks`)).data.length,
		close: async () => {
			child.kill();
			await child;
		},
	};
}

/**
 * The stand-in service and a real n8n with the built package, in a folder that goes with `close()`.
 * `restart()` starts the same n8n anew, and `pid` is another one then.
 */
export async function openPlace() {
	const steps = [];
	const close = async () => {
		for (const step of steps.splice(0).reverse()) await step();
	};
	try {
		const installed = await ensureN8n(createReport(process.stderr));
		const folder = await mkdtemp(path.join(tmpdir(), 'n8n-bench-'));
		steps.push(() => rm(folder, { recursive: true, force: true }));
		await installPackage(folder);
		const service = await startService();
		steps.push(service.close);
		const start = {
			installed,
			userFolder: folder,
			port: await freePort(),
			logFile: path.join(folder, 'n8n.log'),
			env: { NODE_OPTIONS: `--require ${JSON.stringify(INTO_N8N)}` },
		};
		let n8n = await startN8n(start);
		steps.push(async () => await n8n.stop());
		const api = createApi(n8n.url, installed);
		await api.signIn(OWNER);
		const type = 'videoGenerationApi';
		const data = { baseUrl: service.url, apiKey: KEY };
		const { id } = await api.createCredential({ name: type, type, data });
		return {
			...{ service, api, close },
			/** As nodes refer to it. */
			credential: { [type]: { id, name: type } },
			get pid() {
				return n8n.pid;
			},
			async restart() {
				await n8n.stop();
				n8n = await startN8n(start);
			},
			/** Where n8n keeps the files of executions. */
			storage: path.join(folder, '.n8n', 'storage'),
		};
	} catch (error) {
		await close();
		throw error;
	}
}
