import { lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder, OWN_CACHE, ROOT, shortHash } from './folders.mjs';
import { ensureFreeDisk } from './disk.mjs';
import { withLock } from './lock.mjs';
import { npmInstall } from './npm.mjs';
import { Refusal } from './refusal.mjs';

const NEEDED_BYTES = 2_000_000_000;
const OLDEST_NODE = [20, 19];

async function readPackages(file) {
	const text = await readFile(file, 'utf8').catch(() => null);
	return text === null ? null : JSON.parse(text).packages;
}

/** The hash of the lock that node_modules was last installed from by us. */
const stampFile = (root) => path.join(root, OWN_CACHE, 'lock');
const lockHash = async (root) => shortHash(await readFile(path.join(root, 'package-lock.json')));

/**
 * Whether node_modules is what the lock says. Where it was not installed by us, npm's own list in
 * it must hold our direct dependencies, and no version that the lock does not have.
 */
export async function isInstalled(root = ROOT) {
	const present = await readPackages(path.join(root, 'node_modules', '.package-lock.json'));
	if (!present) return false;
	const stamp = await readFile(stampFile(root), 'utf8').catch(() => null);
	if (stamp !== null) return stamp === (await lockHash(root));
	const wanted = await readPackages(path.join(root, 'package-lock.json'));
	const direct = Object.keys(wanted[''].devDependencies);
	return (
		direct.every((name) => present[`node_modules/${name}`]) &&
		Object.entries(present).every(([place, { version }]) => wanted[place]?.version === version)
	);
}

/** npm empties node_modules before it installs, also what belongs to others behind a link. */
export async function refuseLinked(root = ROOT) {
	const folder = path.join(root, 'node_modules');
	const found = await lstat(folder).catch(() => undefined);
	if (!found?.isSymbolicLink()) return;
	throw new Refusal(
		`${folder} is a link to another folder and is not what package-lock.json says. ` +
			'npm would empty that folder to install here: remove the link, then try again.',
	);
}

async function install(report) {
	await refuseLinked();
	const logFile = path.join(cacheFolder(), `packages-${shortHash(ROOT)}.log`);
	await report.during("Installing this repository's packages (about 1 minute)", () =>
		npmInstall(ROOT, "this repository's packages", logFile),
	);
	await mkdir(path.dirname(stampFile(ROOT)), { recursive: true });
	await writeFile(stampFile(ROOT), await lockHash(ROOT));
}

/** Refuses Node.js versions that the tools of this repository do not run on. */
export function ensureNodeVersion(version = process.versions.node) {
	const [major, minor] = version.split('.').map(Number);
	if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
	throw new Refusal(`Node.js ${OLDEST_NODE.join('.')} or newer is required; this is ${version}.`);
}

/** Installs this repository's own packages (about 1 minute, 1.3 GB) unless they are there. */
export async function ensureDependencies(report) {
	ensureNodeVersion();
	if (await isInstalled()) return;
	await ensureFreeDisk(ROOT, NEEDED_BYTES, 'this repository with its packages', 'Free some space.');
	const lock = path.join(cacheFolder(), `packages-${shortHash(ROOT)}.lock`);
	const wait = (pid) => report.line(`Waiting for process ${pid}, which installs the packages ...`);
	await withLock(
		lock,
		async () => {
			if (!(await isInstalled())) await install(report);
		},
		wait,
	);
}
