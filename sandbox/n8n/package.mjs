import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from './command.mjs';
import { ROOT } from './folders.mjs';
import { Refusal } from './report.mjs';

const SOURCES = ['credentials', 'icons', 'nodes', 'package.json', 'tsconfig.json'];
/** It goes when the packages of this clone go. */
const STAMP = path.join(ROOT, 'node_modules', '.cache', 'n8n-nodes-video-generation', 'build.json');

/** Resolves to `{ 'relative/path': sha256 }` of every file under `places`, in a stable order. */
async function hashFiles(places) {
	const files = [];
	for (const place of places.filter((name) => existsSync(path.join(ROOT, name)))) {
		const full = path.join(ROOT, place);
		const entries = await readdir(full, { recursive: true, withFileTypes: true }).catch(() => null);
		if (entries === null) files.push(place);
		for (const entry of entries?.filter((one) => one.isFile()) ?? []) {
			files.push(path.relative(ROOT, path.join(entry.parentPath, entry.name)));
		}
	}
	const hash = async (file) =>
		createHash('sha256')
			.update(await readFile(path.join(ROOT, file)))
			.digest('hex');
	return Object.fromEntries(
		await Promise.all(files.sort().map(async (file) => [file, await hash(file)])),
	);
}

const fingerprint = async (places) => JSON.stringify(await hashFiles(places));

/**
 * Builds the package with n8n's own tool. Reuses `dist/` if neither the sources nor `dist/` have
 * changed since the last build; `always: true` builds in any case. Where PACKAGE_IS_BUILT is set, other
 * tests use `dist/` at the same time, so it is left as it is.
 */
export async function buildPackage({ always = false } = {}) {
	if (process.env.PACKAGE_IS_BUILT) return;
	const last = JSON.parse(await readFile(STAMP, 'utf8').catch(() => '{}'));
	const sources = await fingerprint(SOURCES);
	const unchanged = last.sources === sources && last.dist === (await fingerprint(['dist']));
	if (unchanged && !always) return;
	const tool = path.join(ROOT, 'node_modules', '.bin', 'n8n-node');
	const { code, output } = await run(tool, ['build'], { cwd: ROOT });
	if (code !== 0) throw new Refusal(`The package could not be built (n8n-node build):\n${output}`);
	await mkdir(path.dirname(STAMP), { recursive: true });
	await writeFile(STAMP, JSON.stringify({ sources, dist: await fingerprint(['dist']) }));
}

/** Packs `source` as npm would publish it into the folder `target`; resolves to the tarball's path. */
export async function packTarball(target, source = ROOT) {
	const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', target];
	const { code, output } = await run('npm', pack, { cwd: source });
	const tarball = (await readdir(target)).find((name) => name.endsWith('.tgz'));
	if (code !== 0 || !tarball) throw new Refusal(`npm pack failed:\n${output}`);
	return path.join(target, tarball);
}

/** Packs the package in `source` as npm would publish it and unpacks that into `target`. */
export async function packInto(target, source = ROOT) {
	const temp = await mkdtemp(path.join(tmpdir(), 'n8n-package-'));
	try {
		const tarball = await packTarball(temp, source);
		await mkdir(target, { recursive: true });
		const unpack = ['-xzf', tarball, '-C', target, '--strip-components=1'];
		const { code, output } = await run('tar', unpack);
		if (code !== 0) throw new Refusal(`tar could not unpack: ${output}`);
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
	await rm(target, { recursive: true, force: true });
	await packInto(target, source);
	const list = { name: 'installed-nodes', private: true, dependencies: { [name]: version } };
	await writeFile(path.join(nodes, 'package.json'), JSON.stringify(list, null, 2));
	return target;
}
