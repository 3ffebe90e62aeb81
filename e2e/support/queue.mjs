import { cp } from 'node:fs/promises';
import path from 'node:path';
import { createApi } from '../../sandbox/n8n/api.mjs';
import { installPackage } from '../../sandbox/n8n/package.mjs';
import { freePort } from '../../sandbox/n8n/ports.mjs';
import { startN8n } from '../../sandbox/n8n/start.mjs';
import { fixed, replicas, worker } from '../../test/package/support/compose.js';
import { skipWithoutPostgres, startPostgres } from './postgres.mjs';
import { skipWithoutRedis, startRedis } from './redis.mjs';
import { openGround, OWNER, WITHOUT_EDITOR } from './sandbox.mjs';

/** A reason to skip a test, or false: as Node.js's test runner takes it. */
export const skipWithoutQueue = skipWithoutPostgres || skipWithoutRedis;

/** What docs/queue-mode/docker-compose.yml sets, with servers on this machine. */
const queueMode = (postgres, redis) => ({
	...fixed,
	DB_POSTGRESDB_HOST: postgres.host,
	DB_POSTGRESDB_PORT: String(postgres.port),
	DB_POSTGRESDB_USER: postgres.user,
	DB_POSTGRESDB_DATABASE: postgres.database,
	QUEUE_BULL_REDIS_HOST: redis.host,
	QUEUE_BULL_REDIS_PORT: String(redis.port),
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
	QUEUE_HEALTH_CHECK_PORT: String(port),
	N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
});

/**
 * A whole n8n in queue mode with PostgreSQL and Redis, main and the first of two workers: what
 * `openSandbox` returns, and `killMain()`, `killWorker(i)`, `startMain()`, `startWorker(i)`.
 * Kills are SIGKILL, without a farewell; a start takes the same folder and port again.
 */
export const openQueueSandbox = async () =>
	await openGround('n8n-queue-', {}, async (ground, steps) => {
		const { installed, folder } = ground;
		const postgres = await startPostgres(folder);
		steps.push(() => postgres.stop());
		const redis = await startRedis(folder);
		steps.push(() => redis.stop());
		const env = { ...queueMode(postgres, redis), ...NOTICE_KILLED_WORKERS, ...WITHOUT_EDITOR };
		const cluster = await createCluster({ installed, folder, env });
		steps.push(() => cluster.killAll());
		// Main alone at first: it makes the tables.
		const { url } = await cluster.startMain();
		await cluster.startWorker(0);
		const api = createApi(url, installed);
		await api.signIn(OWNER);
		return { ...cluster, ...ground, api, url };
	});

async function createCluster(common) {
	const main = await createMember({ ...common, name: 'main', args: ['start'] });
	await installPackage(main.userFolder);
	const workers = [];
	for (let i = 0; i < replicas; i++) {
		const place = { ...common, name: `worker-${i}`, args: worker, envOf: workerMode };
		const member = await createMember(place);
		await cp(main.userFolder, member.userFolder, { recursive: true });
		workers.push(member);
	}
	return {
		startMain: main.start,
		startWorker: async (i) => await workers[i].start(),
		killMain: main.kill,
		killWorker: async (i) => await workers[i].kill(),
		/** Not in good order, which would wait for executions: nothing of it is read any more. */
		killAll: async () => {
			for (const { kill } of [main, ...workers]) await kill();
		},
	};
}

/** One process with its folder and port, which can be killed and started again. */
async function createMember({ installed, folder, env, name, args, envOf = () => ({}) }) {
	const userFolder = path.join(folder, name);
	const port = await freePort();
	const logFile = path.join(folder, `${name}.log`);
	const ownEnv = { ...env, ...envOf(port) };
	let kill = async () => {};
	const start = async () => {
		const n8n = await startN8n({ installed, userFolder, port, logFile, args, env: ownEnv });
		kill = n8n.kill9;
		n8n.exited.then(() => (kill = async () => {}));
		return n8n;
	};
	return { userFolder, start, kill: () => kill() };
}
