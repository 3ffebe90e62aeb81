import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from './command.mjs';
import { ROOT } from './folders.mjs';
import { Refusal } from './refusal.mjs';

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
