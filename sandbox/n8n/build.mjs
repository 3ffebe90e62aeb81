import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from './command.mjs';
import { OWN_CACHE, ROOT } from './folders.mjs';
import { Refusal } from './refusal.mjs';

const SOURCES = ['credentials', 'icons', 'nodes', 'package.json', 'tsconfig.json'];
const STAMP = path.join(OWN_CACHE, 'build.json');

/** `{ 'relative/path': sha256 }` of every file under `places`, in a stable order. */
export async function hashFiles(root, places) {
	const files = [];
	for (const place of places) {
		const full = path.join(root, place);
		if (!existsSync(full)) continue;
		const entries = await readdir(full, { recursive: true, withFileTypes: true }).catch(() => null);
		if (entries === null) files.push(place);
		for (const entry of entries ?? []) {
			const folder = entry.parentPath ?? entry.path;
			if (entry.isFile()) files.push(path.relative(root, path.join(folder, entry.name)));
		}
	}
	const hash = async (file) =>
		createHash('sha256')
			.update(await readFile(path.join(root, file)))
			.digest('hex');
	return Object.fromEntries(
		await Promise.all(files.sort().map(async (file) => [file, await hash(file)])),
	);
}

async function fingerprint(root, places) {
	return JSON.stringify(await hashFiles(root, places));
}

/**
 * Builds the package with n8n's own tool. Reuses `dist/` if neither the sources nor `dist/` have
 * changed since the last build; `always: true` builds in any case.
 */
export async function buildPackage({ root = ROOT, always = false } = {}) {
	const stamp = path.join(root, STAMP);
	const last = JSON.parse(await readFile(stamp, 'utf8').catch(() => '{}'));
	const sources = await fingerprint(root, SOURCES);
	const unchanged = last.sources === sources && last.dist === (await fingerprint(root, ['dist']));
	if (unchanged && !always) return { built: false };
	const tool = path.join(root, 'node_modules', '.bin', 'n8n-node');
	const { code, output } = await run(tool, ['build'], { cwd: root });
	if (code !== 0) throw new Refusal(`The package could not be built (n8n-node build):\n${output}`);
	await mkdir(path.dirname(stamp), { recursive: true });
	await writeFile(stamp, JSON.stringify({ sources, dist: await fingerprint(root, ['dist']) }));
	return { built: true };
}
