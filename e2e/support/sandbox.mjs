import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createApi } from '../../sandbox/n8n/api.mjs';
import { buildPackage, installPackage } from '../../sandbox/n8n/package.mjs';
import { ensureN8n } from '../../sandbox/n8n/install.mjs';
import { freePort } from '../../sandbox/n8n/ports.mjs';
import { createReport } from '../../sandbox/n8n/report.mjs';
import { startN8n } from '../../sandbox/n8n/start.mjs';

const require = createRequire(import.meta.url);

export const OWNER = { email: 'owner@example.com', password: 'Sandbox-test-1' };
export const KEY = 'sandbox-key';

// A test run that is told to stop takes its n8n with it (startN8n listens for our exit).
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

/**
 * What every real n8n of a test stands on: the installed n8n, the built package, a folder and a
 * stand-in service. `build` adds to it, and to the steps that `close()` goes, last one first; where
 * it throws, they are gone at once.
 */
export async function openGround(prefix, serviceOptions, build) {
	const steps = [];
	const close = async () => {
		for (const step of steps.splice(0).reverse()) await step();
	};
	try {
		const installed = await ensureN8n(createReport());
		await buildPackage();
		const folder = await mkdtemp(path.join(tmpdir(), prefix));
		steps.push(() => rm(folder, { recursive: true, force: true }));
		const { createSandbox } = require('../../sandbox/service');
		const service = await createSandbox({ port: 0, key: KEY, renderMs: 500, ...serviceOptions });
		steps.push(() => service.close());
		const ground = { installed, folder, service, owner: OWNER, close };
		return await build(ground, steps);
	} catch (error) {
		await close();
		throw error;
	}
}

/** Without its pages, and the types of nodes that they load, n8n starts a fifth faster. */
export const WITHOUT_EDITOR = { N8N_DISABLE_UI: 'true' };

/**
 * A stand-in service and a real n8n with the built package and a signed-in owner, all in a folder
 * that goes with `close()`. `env` is added to n8n's environment, `service` to the stand-in's options.
 */
export async function openSandbox({ env = {}, service = {} } = {}) {
	const build = async (ground, steps) => {
		const { installed, folder } = ground;
		await installPackage(folder);
		const port = await freePort();
		const logFile = path.join(folder, 'n8n.log');
		const n8n = await startN8n({ installed, userFolder: folder, port, logFile, env });
		steps.push(() => n8n.stop());
		const api = createApi(n8n.url, installed);
		await api.signIn(OWNER);
		return { ...ground, n8n, api, url: n8n.url };
	};
	return await openGround('n8n-e2e-', service, build);
}
