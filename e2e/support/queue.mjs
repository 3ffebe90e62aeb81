import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createApi } from '../../sandbox/n8n/api.mjs';
import { buildPackage } from '../../sandbox/n8n/build.mjs';
import { ensureN8n } from '../../sandbox/n8n/install.mjs';
import { installPackage } from '../../sandbox/n8n/package.mjs';
import { freePort } from '../../sandbox/n8n/ports.mjs';
import { createReport } from '../../sandbox/n8n/report.mjs';
import { startN8n } from '../../sandbox/n8n/start.mjs';
import { skipWithoutPostgres, startPostgres } from './postgres.mjs';
import { skipWithoutRedis, startRedis } from './redis.mjs';
import { KEY, OWNER } from './sandbox.mjs';

const require = createRequire(import.meta.url);

/** A reason to skip a test, or false: as Node.js's test runner takes it. */
export const skipWithoutQueue = skipWithoutPostgres || skipWithoutRedis;

const queueMode = (postgres, redis) => ({
	EXECUTIONS_MODE: 'queue',
	DB_TYPE: 'postgresdb',
	DB_POSTGRESDB_HOST: postgres.host,
	DB_POSTGRESDB_PORT: String(postgres.port),
	DB_POSTGRESDB_USER: postgres.user,
	DB_POSTGRESDB_DATABASE: postgres.database,
	QUEUE_BULL_REDIS_HOST: redis.host,
	QUEUE_BULL_REDIS_PORT: String(redis.port),
	// n8n's own default in queue mode: what a worker stores, main can read.
	N8N_DEFAULT_BINARY_DATA_MODE: 'database',
});

/** A worker answers on the same address as main does (`/healthz/readiness`), on a port of its own. */
const workerMode = (port) => ({
	QUEUE_HEALTH_CHECK_ACTIVE: 'true',
	QUEUE_HEALTH_CHECK_PORT: String(port),
	N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
});

/**
 * A whole n8n in queue mode with PostgreSQL and Redis: what `openSandbox` returns, and `workers`,
 * `killMain()`, `killWorker(i)`, `startMain()`, `startWorker(i)`. Kills are SIGKILL, without a
 * farewell; a start takes the same folder and port again. Each process has a folder of its own, as
 * each container has. `env` goes to all of them.
 */
export async function openQueueSandbox({
	workers = 2,
	concurrency = 2,
	env = {},
	service: serviceOptions = {},
} = {}) {
	const steps = [];
	const close = async () => {
		for (const step of steps.splice(0).reverse()) await step();
	};
	try {
		const installed = await ensureN8n(createReport());
		await buildPackage();
		const folder = await mkdtemp(path.join(tmpdir(), 'n8n-queue-'));
		steps.push(() => rm(folder, { recursive: true, force: true }));
		const { createSandbox } = require('../../sandbox/service');
		const service = await createSandbox({ port: 0, key: KEY, renderMs: 500, ...serviceOptions });
		steps.push(() => service.close());
		const postgres = await startPostgres(folder);
		steps.push(() => postgres.stop());
		const redis = await startRedis(folder);
		steps.push(() => redis.stop());
		const shared = { ...queueMode(postgres, redis), ...env };
		const cluster = await createCluster({ installed, folder, env: shared, workers, concurrency });
		steps.push(() => cluster.killAll());
		await cluster.startAll();
		const { url } = cluster.n8n;
		const api = createApi(url, installed);
		await api.signIn(OWNER);
		return Object.assign(cluster, { installed, folder, service, api, url, owner: OWNER, close });
	} catch (error) {
		await close();
		throw error;
	}
}

async function createCluster({ installed, folder, env, workers: count, concurrency }) {
	const alive = new Set();

	/** A process with its folder and port; each start has a log of its own. */
	async function createMember(name, args, envOf = () => ({})) {
		const userFolder = path.join(folder, name);
		const port = await freePort();
		let starts = 0;
		return async () => {
			starts += 1;
			const logFile = path.join(folder, `${name}-${starts}.log`);
			const ownEnv = { ...env, ...envOf(port) };
			const n8n = await startN8n({ installed, userFolder, port, logFile, args, env: ownEnv });
			alive.add(n8n);
			n8n.exited.then(() => alive.delete(n8n));
			return n8n;
		};
	}

	const main = await createMember('main', ['start']);
	await installPackage(path.join(folder, 'main'));
	const starters = [];
	for (let i = 0; i < count; i++) {
		const args = ['worker', `--concurrency=${concurrency}`];
		starters.push(await createMember(`worker-${i}`, args, workerMode));
		await cp(path.join(folder, 'main'), path.join(folder, `worker-${i}`), { recursive: true });
	}

	const cluster = {
		n8n: undefined,
		workers: [],
		startMain: async () => (cluster.n8n = await main()),
		startWorker: async (i) => (cluster.workers[i] = await starters[i]()),
		killMain: async () => await cluster.n8n.kill9(),
		killWorker: async (i) => await cluster.workers[i].kill9(),
		/** Main alone at first: it makes the tables. */
		startAll: async () => {
			await cluster.startMain();
			await all(starters.map((_, i) => cluster.startWorker(i)));
		},
		/** Not in good order, which would wait for executions: nothing of it is read any more. */
		killAll: async () => await all([...alive].map((n8n) => n8n.kill9())),
	};
	return cluster;
}

/** Like Promise.all, but comes to its end when all have: nobody is left starting behind an error. */
async function all(promises) {
	const results = await Promise.allSettled(promises);
	const failed = results.find(({ status }) => status === 'rejected');
	if (failed) throw failed.reason;
}
