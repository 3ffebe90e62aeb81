import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { run } from './command.mjs';
import { OWN_CACHE, ROOT } from './folders.mjs';
import { Refusal } from './report.mjs';
import { tmpdir } from 'node:os';

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

/** Packs `source` as npm would publish it into the folder `target`; returns the tarball's path. */
export async function packTarball(target, source = ROOT) {
	const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', target];
	const { code, output } = await run('npm', pack, { cwd: source });
	const tarball = (await readdir(target)).find((name) => name.endsWith('.tgz'));
	if (code !== 0 || !tarball) throw new Refusal(`npm pack failed:\n${output}`);
	return path.join(target, tarball);
}

/** Packs `source` as npm would publish it and unpacks that into `target`. */
export async function packInto(target, source = ROOT) {
	const temp = await mkdtemp(path.join(tmpdir(), 'n8n-package-'));
	try {
		const tarball = await packTarball(temp, source);
		await mkdir(target, { recursive: true });
		const unpack = ['-xzf', tarball, '-C', target, '--strip-components=1'];
		const unpacked = await run('tar', unpack);
		if (unpacked.code !== 0) throw new Refusal(`tar could not unpack: ${unpacked.output}`);
	} finally {
		await rm(temp, { recursive: true, force: true });
	}
}

/**
 * Puts the built package where n8n keeps community nodes, from its tarball, so that node types
 * start with the package's name and nothing but published files is used.
 */
export async function installPackage(userFolder, source = ROOT) {
	const { name, version } = JSON.parse(await readFile(path.join(source, 'package.json'), 'utf8'));
	const nodes = path.join(userFolder, '.n8n', 'nodes');
	const target = path.join(nodes, 'node_modules', name);
	const fresh = path.join(nodes, `.${name}.new`);
	await rm(fresh, { recursive: true, force: true });
	await packInto(fresh, source);
	await rm(target, { recursive: true, force: true });
	await mkdir(path.dirname(target), { recursive: true });
	await rename(fresh, target);
	const list = { name: 'installed-nodes', private: true, dependencies: { [name]: version } };
	await writeFile(path.join(nodes, 'package.json'), JSON.stringify(list, null, 2));
	return target;
}
