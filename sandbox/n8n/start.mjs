import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cacheFolder, nodeFolder } from './folders.mjs';
import { freePort } from './ports.mjs';
import { Refusal } from './report.mjs';

const READY_WITHIN_MS = 600_000;
const ASK_EVERY_MS = 250;
const STOP_WITHIN_MS = 15_000;

// What n8n may take from the environment it is started in; keys and settings of others stay out.
const INHERITED = /^(HOME|USER|LANG|LC_.*|TZ|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_.*|.*_proxy)$/i;

const ALWAYS = {
	// No calls to the outside: no telemetry, update check, template gallery or server listing.
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	EXECUTIONS_DATA_SAVE_ON_ERROR: 'all',
	EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all',
	EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS: 'true',
	DB_TYPE: 'sqlite',
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	// Only this machine reaches it, over plain http.
	N8N_SECURE_COOKIE: 'false',
	// The same for every start with a folder, so that its credentials stay readable.
	N8N_ENCRYPTION_KEY: 'sandbox-only-encryption-key',
	N8N_DISABLED_MODULES: 'mcp-registry',
};

async function n8nEnv({ installed, userFolder, port }) {
	const inherited = Object.entries(process.env).filter(([name]) => INHERITED.test(name));
	return {
		...Object.fromEntries(inherited),
		...ALWAYS,
		// Where Node.js keeps what it has compiled: a start takes a fifth less.
		NODE_COMPILE_CACHE: path.join(cacheFolder(), 'compiled'),
		PATH: `${path.join(nodeFolder(installed), 'bin')}${path.delimiter}${process.env.PATH}`,
		N8N_USER_FOLDER: userFolder,
		N8N_PORT: String(port),
		N8N_EDITOR_BASE_URL: `http://127.0.0.1:${port}`,
		// n8n's chat shows only buttons whose links lead where it is open itself.
		WEBHOOK_URL: `http://127.0.0.1:${port}/`,
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
	};
}

/**
 * Starts n8n and returns when it answers: `{ url, pid, logFile, exited, stop(), kill9() }`.
 * `env` adds to or overrides its environment; `args` is the n8n command (e.g. `['worker']`). The log of an
 * earlier start stays: after a kill, it alone has the task IDs.
 */
export async function startN8n({ env, args = ['start'], ...place }) {
	const { installed, userFolder, port, logFile } = place;
	mkdirSync(userFolder, { recursive: true });
	mkdirSync(path.dirname(logFile), { recursive: true });
	const log = openSync(logFile, 'a');
	const binary = path.join(nodeFolder(installed), 'bin', 'node');
	const n8n = path.join(installed, 'node_modules', 'n8n', 'bin', 'n8n');
	const child = spawn(binary, [n8n, ...args], {
		cwd: userFolder,
		env: { ...(await n8nEnv(place)), ...env },
		stdio: ['ignore', log, log],
		// Its own process group: a Ctrl+C in the terminal reaches us, and we end it in good order.
		detached: true,
	});
	closeSync(log);
	const exited = new Promise((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
	});
	const killNow = () => killGroup(child.pid);
	process.on('exit', killNow);
	exited.then(() => process.off('exit', killNow));

	const stop = async () => {
		if (child.exitCode !== null || child.signalCode !== null) return;
		child.kill('SIGTERM');
		const timer = setTimeout(killNow, STOP_WITHIN_MS);
		await exited;
		clearTimeout(timer);
	};
	const kill9 = async () => {
		killNow();
		await exited;
	};
	const url = `http://127.0.0.1:${port}`;
	await waitUntilReady(url, exited, logFile).catch(async (error) => {
		await stop();
		throw error;
	});
	return { url, pid: child.pid, logFile, exited, stop, kill9 };
}

/** n8n starts its task runner as a child in the same group; both are ours. */
function killGroup(pid) {
	try {
		process.kill(-pid, 'SIGKILL');
	} catch (error) {
		if (error.code !== 'ESRCH') throw error;
	}
}

async function waitUntilReady(url, exited, logFile) {
	const isReady = async () =>
		await fetch(`${url}/healthz/readiness`).then(
			({ ok }) => ok,
			() => false,
		);
	let ended = null;
	exited.then((how) => (ended = how));
	const deadline = Date.now() + READY_WITHIN_MS;
	while (Date.now() < deadline) {
		if (ended !== null)
			throw new Refusal(`n8n exited during startup (${ended}).\n${tail(logFile)}`);
		if (await isReady()) return;
		await pause(ASK_EVERY_MS);
	}
	throw new Refusal(`n8n was not ready within ${READY_WITHIN_MS / 1000} s.\n${tail(logFile)}`);
}

function tail(logFile) {
	const lines = readFileSync(logFile, 'utf8').trim().split('\n').slice(-15);
	return `${lines.join('\n')}\nLog: ${logFile}`;
}
