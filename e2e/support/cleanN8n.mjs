import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createApi } from '../../sandbox/n8n/api.mjs';
import { packInto, packTarball } from '../../sandbox/n8n/package.mjs';
import { freePort } from '../../sandbox/n8n/ports.mjs';
import { startN8n } from '../../sandbox/n8n/start.mjs';
import { startNpmRegistry } from './npmRegistry.mjs';
import { startOnlyWayOut } from './onlyWayOut.mjs';
import { openGround, OWNER } from './sandbox.mjs';

/** n8n's environment where npm's registry is the only other machine, and npm knows nothing of ours. */
async function toEnv(folder, registry, wayOut) {
	const file = async (name, text = '') => {
		await writeFile(path.join(folder, name), text);
		return path.join(folder, name);
	};
	return {
		HTTP_PROXY: wayOut.url,
		HTTPS_PROXY: wayOut.url,
		NO_PROXY: '127.0.0.1,localhost',
		NODE_EXTRA_CA_CERTS: await file('registry.pem', registry.certificate),
		npm_config_userconfig: await file('user.npmrc'),
		npm_config_globalconfig: await file('global.npmrc'),
		npm_config_cache: path.join(folder, 'npm-cache'),
		// Else npm asks the registry about itself now and then.
		npm_config_update_notifier: 'false',
	};
}

/** Publishes the built package; `version` gives it another number than it has. */
async function publishBuilt(folder, registry, version) {
	const release = await mkdtemp(path.join(folder, 'release-'));
	const source = path.join(release, 'package');
	await packInto(source);
	const file = path.join(source, 'package.json');
	const manifest = JSON.parse(await readFile(file, 'utf8'));
	if (version) manifest.version = version;
	await writeFile(file, JSON.stringify(manifest));
	await registry.publish(manifest, await packTarball(release, source));
	return manifest.version;
}

/**
 * A real n8n that has no package, with a signed-in owner, for which a stand-in for npm's registry is
 * all there is of the internet: `{ api, service, registry, wayOut, nodesFolder, publish, restart }`.
 */
export const openCleanN8n = async () =>
	await openGround('n8n-clean-', {}, async (ground, steps) => {
		const { installed, folder } = ground;
		const registry = await startNpmRegistry(installed);
		steps.push(registry.close);
		const wayOut = await startOnlyWayOut({ [`${registry.host}:443`]: registry.port });
		steps.push(wayOut.close);
		const userFolder = path.join(folder, 'user');
		await mkdir(userFolder);
		const env = await toEnv(folder, registry, wayOut);
		const port = await freePort();
		const logFile = path.join(folder, 'n8n.log');
		const clean = {
			...ground,
			registry,
			wayOut,
			nodesFolder: path.join(userFolder, '.n8n', 'nodes', 'node_modules'),
			publish: async (version) => await publishBuilt(folder, registry, version),
			restart: async () => {
				await clean.n8n?.stop();
				clean.n8n = await startN8n({ installed, userFolder, port, logFile, env });
				clean.api = createApi(clean.n8n.url, installed);
				await clean.api.signIn(OWNER);
			},
		};
		steps.push(async () => await clean.n8n?.stop());
		await clean.restart();
		return clean;
	});
