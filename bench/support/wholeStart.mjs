import path from 'node:path';
import { freePort } from '../../sandbox/n8n/ports.mjs';
import { startN8n } from '../../sandbox/n8n/start.mjs';
import { cpuSeconds, memoryOf } from './processFacts.mjs';

/** Starts n8n until it answers, and ends it: what that took, and the memory that it held then. */
export async function wholeStart(installed, userFolder) {
	const started = performance.now();
	const logFile = path.join(userFolder, 'n8n.log');
	const n8n = await startN8n({ installed, userFolder, port: await freePort(), logFile });
	const seconds = (performance.now() - started) / 1000;
	const cpu = await cpuSeconds(n8n.pid);
	const { nowMb } = await memoryOf(n8n.pid);
	await n8n.stop();
	return { seconds, cpu, nowMb };
}
