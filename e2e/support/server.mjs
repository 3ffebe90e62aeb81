import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { PATIENCE_MS } from '../../sandbox/n8n/api.mjs';

const ASK_EVERY_MS = 50;

/**
 * Starts a server that n8n needs and returns, once it is ready, what ends it. `isReady` is asked until
 * it says yes; `endSignal` ends the server; `cwd` has to be a folder that its user may enter.
 */
export async function startServer({ name, command, cwd, logFile, endSignal, isReady }) {
	const log = openSync(logFile, 'w');
	const [file, ...args] = command;
	// Its own process group: a Ctrl+C in the terminal reaches us, and we end it after n8n.
	const child = spawn(file, args, { cwd, stdio: ['ignore', log, log], detached: true });
	closeSync(log);
	let ended = false;
	const exited = new Promise((resolve) => {
		child.once('error', resolve);
		child.once('exit', resolve);
	}).then(() => (ended = true));
	const end = () => child.kill(endSignal);
	process.on('exit', end);
	exited.then(() => process.off('exit', end));
	const stop = async () => {
		end();
		await exited;
	};
	const deadline = Date.now() + PATIENCE_MS;
	while (!ended && Date.now() < deadline) {
		if (await isReady()) return stop;
		await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
	}
	await stop();
	throw new Error(`${name} did not start:\n${readFileSync(logFile, 'utf8')}`);
}
