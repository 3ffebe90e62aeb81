import { existsSync } from 'node:fs';
import { copyFile, lstat, mkdir, readFile, rename, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { run } from './command.mjs';
import {
	N8N_LOCK,
	N8N_MANIFEST,
	ROOT,
	cacheFolder,
	n8nFolder,
	n8nVersion,
	nodeFolder,
	shortHash,
} from './folders.mjs';
import { withLock } from './lock.mjs';
import { Refusal, fileSize } from './report.mjs';

/** Refuses before a long install that could not end well. */
export async function ensureFreeDisk(folder, neededBytes, what, remedy) {
	let existing = path.resolve(folder);
	while (!existsSync(existing)) existing = path.dirname(existing);
	const { bavail, bsize } = await statfs(existing);
	if (bavail * bsize >= neededBytes) return;
	throw new Refusal(
		`Not enough disk space: ${what} needs ${fileSize(neededBytes)} in ${folder}, ` +
			`and ${fileSize(bavail * bsize)} is free. ${remedy}`,
	);
}

const NO_NETWORK =
	/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/;
const INSTALL = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];

/** Installs exactly what the lock in `cwd` says; `what` names it in messages. */
async function npmInstall(cwd, what, logFile) {
	const { code, output } = await run('npm', INSTALL, { cwd, logFile });
	if (code !== 0) throw new Refusal(`${whyNpmEnded(code, output, what)} Log: ${logFile}`);
}

function whyNpmEnded(code, output, what) {
	if (code === 127) return 'npm was not found. Install Node.js 20 with npm, then try again.';
	if (/\bENOSPC\b/.test(output)) {
		return `The disk filled up while installing ${what}. Free some space and try again.`;
	}
	if (NO_NETWORK.test(output)) {
		return (
			`No network: npm could not reach its package registry to install ${what}. ` +
			"Connect (or set npm's proxy) and run the same command again."
		);
	}
	const lines = output.trim().split('\n').slice(-5).join('\n');
	return `npm could not install ${what} (exit code ${code}):\n${lines}\n`;
}

const LOADS = "new (require('sqlite3').Database)(':memory:').close()";

/**
 * n8n's database driver is the one package that has to be compiled: installs run without
 * packages' scripts, and the headers come from the Node.js beside n8n, not from the network.
 */
async function buildSqlite(installed, logFile) {
	const node = nodeFolder(installed);
	const env = {
		PATH: `${path.join(node, 'bin')}${path.delimiter}${process.env.PATH}`,
		npm_config_nodedir: node,
	};
	const options = { cwd: installed, env, logFile };
	const built = await run('npm', ['rebuild', 'sqlite3'], options);
	const loaded = await run(path.join(node, 'bin', 'node'), ['-e', LOADS], options);
	if (built.code !== 0 || loaded.code !== 0) throw new Refusal(await whyNotBuilt(logFile));
}

async function whyNotBuilt(logFile) {
	const missing = [];
	for (const tool of ['python3', 'make', 'g++']) {
		if ((await run(tool, ['--version'])).code !== 0) missing.push(tool);
	}
	const remedy = missing.length > 0 && ` Install ${missing.join(', ')}, and run it again.`;
	return `n8n's database driver (sqlite3) could not be built.${remedy || ''} Log: ${logFile}`;
}

const readPackages = async (...place) =>
	JSON.parse(await readFile(path.join(ROOT, ...place), 'utf8').catch(() => '{}')).packages ?? {};

/** Whether npm's own list in node_modules holds what the lock says. */
async function isInstalled() {
	const present = await readPackages('node_modules', '.package-lock.json');
	const { '': _root, ...wanted } = await readPackages('package-lock.json');
	return Object.entries(wanted).every(
		([place, { version, optional }]) => optional || present[place]?.version === version,
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

const OLDEST_NODE = [20, 19];

/** Refuses Node.js versions that the tools of this repository do not run on. */
export function ensureNodeVersion(version = process.versions.node) {
	const [major, minor] = version.split('.').map(Number);
	if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
	throw new Refusal(`Node.js ${OLDEST_NODE.join('.')} or newer is required; this is ${version}.`);
}

/** Runs `install` unless `isThere` by now: other clones on this machine may be at it. */
async function installOnce(place, what, isThere, install, report) {
	if (await isThere()) return;
	await withLock(
		place,
		async () => {
			if (!(await isThere())) await install();
		},
		(pid) => report.line(`Waiting for process ${pid}, which installs ${what} ...`),
	);
}

const PACKAGES = "this repository's packages";
const PACKAGES_BYTES = 2_000_000_000;

/** Installs this repository's own packages (about 1 minute, 1.3 GB) unless they are there. */
export async function ensureDependencies(report) {
	ensureNodeVersion();
	const install = async () => {
		await ensureFreeDisk(ROOT, PACKAGES_BYTES, PACKAGES, 'Free some space.');
		await refuseLinked();
		const logFile = path.join(cacheFolder(), `packages-${shortHash(ROOT)}.log`);
		await report.during(`Installing ${PACKAGES} (about 1 minute)`, () =>
			npmInstall(ROOT, PACKAGES, logFile),
		);
	};
	await installOnce(ROOT, 'the packages', isInstalled, install, report);
}

const N8N_BYTES = 2_800_000_000;
/** npm's own cache grows, too, by what it downloads. */
const N8N_NEEDED_BYTES = 4_500_000_000;
const REMEDY = 'Free some space, or choose another folder with N8N_SANDBOX_CACHE.';

export const isN8nInstalled = () =>
	existsSync(path.join(n8nFolder(), 'node_modules', 'n8n', 'bin', 'n8n'));

/** npm writes this list when everything else is done. */
const isComplete = (half) => existsSync(path.join(half, 'node_modules', '.package-lock.json'));

/** Refuses early if n8n is still to be installed and would not fit. */
export async function ensureRoomForN8n() {
	if (isN8nInstalled() || isComplete(`${n8nFolder()}.partial`)) return;
	await ensureFreeDisk(cacheFolder(), N8N_NEEDED_BYTES, `n8n ${n8nVersion()}`, REMEDY);
}

/**
 * Resolves to the folder of the pinned n8n, installed on first use (about 5 minutes). It is made beside
 * its final place and renamed when whole, so that an interrupted install is never used.
 */
export async function ensureN8n(report) {
	const folder = n8nFolder();
	nodeFolder(folder);
	await installOnce(folder, 'n8n', isN8nInstalled, () => installN8n(report), report);
	return folder;
}

async function installN8n(report) {
	const folder = n8nFolder();
	const half = `${folder}.partial`;
	const logFile = `${folder}.log`;
	await rm(logFile, { force: true });
	const name = `n8n ${n8nVersion()}`;
	report.line(`${name} is installed once, in ${folder} (about 5 minutes, ${fileSize(N8N_BYTES)}).`);
	if (!isComplete(half)) {
		await rm(half, { recursive: true, force: true });
		await ensureRoomForN8n();
		await mkdir(half, { recursive: true });
		await copyFile(N8N_MANIFEST, path.join(half, 'package.json'));
		await copyFile(N8N_LOCK, path.join(half, 'package-lock.json'));
		await report.during(`Installing ${name}`, () => npmInstall(half, 'n8n', logFile));
	}
	await report.during(`Building the database driver of ${name} (about 1 minute)`, () =>
		buildSqlite(half, logFile),
	);
	await rename(half, folder);
}
