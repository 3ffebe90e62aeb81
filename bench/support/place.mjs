import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createApi } from '../../sandbox/n8n/api.mjs';
import { buildPackage, installPackage } from '../../sandbox/n8n/package.mjs';
import { ensureN8n } from '../../sandbox/n8n/install.mjs';
import { freePort } from '../../sandbox/n8n/ports.mjs';
import { createReport } from '../../sandbox/n8n/report.mjs';
import { startN8n } from '../../sandbox/n8n/start.mjs';
import { describeMachine } from './machine.mjs';
import { KEY, startService } from './service.mjs';

const OWNER = { email: 'owner@example.com', password: 'Sandbox-bench-1' };
const BENCH = path.resolve(import.meta.dirname, '..');
const LOOP_MONITOR = path.join(BENCH, 'loopMonitor.cjs');
const COLLECT_GARBAGE = path.join(BENCH, 'collectGarbage.cjs');

// A benchmark that is told to stop takes its n8n with it (startN8n listens for our exit).
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

/**
 * The stand-in service and a real n8n with the built package, in a folder that goes with `close()`.
 * `watchLoop` loads the event loop's monitor into n8n: `loopFile` is what it writes. `mayCollect`
 * makes n8n collect its garbage on SIGUSR2. `env` is added to n8n's environment. `restart()` starts
 * the same n8n anew, and `pid` is another one then.
 */
export async function openPlace({
	latencyMs = 0,
	watchLoop = false,
	mayCollect = false,
	env = {},
} = {}) {
	const steps = [];
	const close = async () => {
		for (const step of steps.splice(0).reverse()) await step();
	};
	try {
		const installed = await ensureN8n(createReport(process.stderr));
		await buildPackage();
		const folder = await mkdtemp(path.join(tmpdir(), 'n8n-bench-'));
		steps.push(() => rm(folder, { recursive: true, force: true }));
		await installPackage(folder);
		const service = await startService({ latencyMs });
		steps.push(service.close);
		const loopPrefix = path.join(folder, 'loop');
		const loaded = [watchLoop && LOOP_MONITOR, mayCollect && COLLECT_GARBAGE].filter(Boolean);
		const requires = loaded.map((file) => `--require ${JSON.stringify(file)}`).join(' ');
		const start = {
			installed,
			userFolder: folder,
			port: await freePort(),
			logFile: path.join(folder, 'n8n.log'),
			env: {
				...env,
				...(loaded.length > 0 && { NODE_OPTIONS: requires }),
				...(watchLoop && { BENCH_LOOP_FILE: loopPrefix }),
			},
		};
		let n8n = await startN8n(start);
		steps.push(async () => await n8n.stop());
		const api = createApi(n8n.url, installed);
		await api.signIn(OWNER);
		const data = { baseUrl: service.url, apiKey: KEY };
		const { id } = await api.createCredential({ name: 'Video', type: 'videoGenerationApi', data });
		return {
			service,
			api,
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
			credential: { videoGenerationApi: { id, name: 'Video' } },
			machine: await describeMachine(installed),
			close,
		};
	} catch (error) {
		await close();
		throw error;
	}
}
