import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Refusal } from './report.mjs';

const DEFINITION = path.dirname(fileURLToPath(import.meta.url));

/** The root of this repository. */
export const ROOT = path.resolve(DEFINITION, '..', '..');

/** What describes the pinned n8n. */
export const N8N_MANIFEST = path.join(DEFINITION, 'package.json');
export const N8N_LOCK = path.join(DEFINITION, 'package-lock.json');

export function shortHash(...parts) {
	const hash = createHash('sha256');
	for (const part of parts) hash.update(part);
	return hash.digest('hex').slice(0, 12);
}

/** Shared by every clone on this machine, so that n8n is installed once. */
export function cacheFolder(env = process.env) {
	if (env.N8N_SANDBOX_CACHE) return path.resolve(env.N8N_SANDBOX_CACHE);
	const base = env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
	return path.join(base, 'n8n-nodes-video-generation');
}

/** The lock's hash is in the name: another n8n version never meets this one's files. */
export const n8nFolder = () => path.join(cacheFolder(), `n8n-${shortHash(readFileSync(N8N_LOCK))}`);

export const n8nVersion = () => JSON.parse(readFileSync(N8N_MANIFEST, 'utf8')).dependencies.n8n;

/** The folder of the Node.js that is installed beside n8n: `bin/node` and its headers. */
export function nodeFolder(installed) {
	const { platform, arch } = process;
	if (platform !== 'linux' || !['x64', 'arm64'].includes(arch)) {
		throw new Refusal(
			`The pinned n8n runs on Linux (x64 or arm64); this is ${platform} ${arch}. ` +
				'Use a Linux machine, virtual machine or container.',
		);
	}
	return path.join(installed, 'node_modules', `node-linux-${arch}`);
}
