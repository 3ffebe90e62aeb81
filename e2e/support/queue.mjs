import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createApi } from '../../sandbox/n8n/api.mjs';
import { installPackage } from '../../sandbox/n8n/package.mjs';
import { freePort } from '../../sandbox/n8n/ports.mjs';
import { startN8n } from '../../sandbox/n8n/start.mjs';
import { skipWithoutPostgres, startPostgres } from './postgres.mjs';
import { skipWithoutRedis, startRedis } from './redis.mjs';
import { openGround, OWNER } from './sandbox.mjs';

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

/**
 * A killed worker is noticed within about 40 seconds; with n8n's own values it takes up to two
 * minutes, and three hours if main was killed, too. A worker renews the lock of each job under way
 * (n8n: 60 s, renewed every 10 s); living workers look for jobs without one (every 30 s) and throw
 * them out of the queue. Main looks every so many minutes (180) for executions that the queue does
 * not know and calls them crashed. The main that queued the execution waits 30 s longer for its
 * result, or until it is crashed, and then writes the state error over it: wait for that one.
 */
const NOTICE_KILLED_WORKERS = {
	QUEUE_WORKER_LOCK_DURATION: '15000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
	N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '0.25',
};

/** A worker answers on the same address as main does (`/healthz/readiness`), on a port of its own. */
const workerMode = (port) => ({
	QUEUE_HEALTH_CHECK_ACTIVE: 'true',
	QUEUE_HEALTH_CHECK_PORT: String(port),
	N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
});

/**
 * A whole n8n in queue mode with PostgreSQL and Redis: what `openSandbox` returns, and `workers`,
 * `killMain()`, `killWorker(i)`, `startMain()`, `startWorker(i)`, `logs()`. Kills are SIGKILL,
 * without a farewell; a start takes the same folder and port again. `n8n` and `workers[i]` are the
 * processes that run now (or ran last). `env` goes to all of them.
 */
export const openQueueSandbox = async ({
	workers = 2,
	concurrency = 2,
	env = {},
	service = {},
} = {}) =>
	await openGround('n8n-queue-', service, async (ground, steps) => {
		const { installed, folder } = ground;
		const postgres = await startPostgres(folder);
		steps.push(() => postgres.stop());
		const redis = await startRedis(folder);
		steps.push(() => redis.stop());
		const shared = { ...queueMode(postgres, redis), ...NOTICE_KILLED_WORKERS, ...env };
		const cluster = await createCluster({ installed, folder, env: shared, workers, concurrency });
		steps.push(() => cluster.killAll());
		await cluster.startAll();
		const { url } = cluster.n8n;
		const api = createApi(url, installed);
		await api.signIn(OWNER);
		return Object.assign(cluster, ground, { api, url });
	});

async function createCluster({ installed, folder, env, workers, concurrency }) {
	const main = await createMember({ installed, folder, env, name: 'main', args: ['start'] });
	await installPackage(main.userFolder);
	const others = [];
	for (let i = 0; i < workers; i++) {
		const name = `worker-${i}`;
		const args = ['worker', `--concurrency=${concurrency}`];
		const other = await createMember({ installed, folder, env, name, args, envOf: workerMode });
		await cp(main.userFolder, other.userFolder, { recursive: true });
		others.push(other);
	}
	const members = [main, ...others];
	const cluster = {
		n8n: undefined,
		workers: [],
		startMain: async () => (cluster.n8n = await main.start()),
		startWorker: async (i) => (cluster.workers[i] = await others[i].start()),
		killMain: async () => await cluster.n8n.kill9(),
		killWorker: async (i) => await cluster.workers[i].kill9(),
		/** Main alone at first: it makes the tables. */
		startAll: async () => {
			await cluster.startMain();
			await all(others.map((_, i) => cluster.startWorker(i)));
		},
		/** Not in good order, which would wait for executions: nothing of it is read any more. */
		killAll: async () => await all(members.map(({ kill }) => kill())),
		/** All that main and workers have logged, those that were killed, too. */
		logs: async () => (await Promise.all(members.map(({ logs }) => logs()))).join(''),
	};
	return cluster;
}

/** One process with its folder and port, which can be killed and started again. */
async function createMember({ installed, folder, env, name, args, envOf = () => ({}) }) {
	const userFolder = path.join(folder, name);
	const port = await freePort();
	const ownEnv = { ...env, ...envOf(port) };
	// A start empties the log it is given, and what a killed process wrote is worth reading.
	const logFiles = [];
	let kill = async () => {};
	const start = async () => {
		const logFile = path.join(folder, `${name}-${logFiles.length + 1}.log`);
		logFiles.push(logFile);
		const n8n = await startN8n({ installed, userFolder, port, logFile, args, env: ownEnv });
		kill = n8n.kill9;
		n8n.exited.then(() => (kill = async () => {}));
		return n8n;
	};
	const logs = async () =>
		(await Promise.all(logFiles.map((file) => readFile(file, 'utf8')))).join('');
	return { userFolder, start, kill: () => kill(), logs };
}

/** Like Promise.all, but comes to its end when all have: nobody is left starting behind an error. */
async function all(promises) {
	const results = await Promise.allSettled(promises);
	const failed = results.find(({ status }) => status === 'rejected');
	if (failed) throw failed.reason;
}
