import { existsSync } from 'node:fs';
import { statfs, lstat, mkdir, readFile, writeFile, copyFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Refusal, fileSize } from './report.mjs';
import { run } from './command.mjs';
import {
	nodeFolder,
	cacheFolder,
	OWN_CACHE,
	ROOT,
	shortHash,
	CURRENT,
	lockOf,
	manifestOf,
	n8nFolder,
	n8nVersion,
} from './folders.mjs';
import { withLock } from './lock.mjs';

/** Bytes that this user may still write where `folder` is or will be. */
async function freeBytes(folder) {
	let existing = path.resolve(folder);
	while (!existsSync(existing) && path.dirname(existing) !== existing) {
		existing = path.dirname(existing);
	}
	const { bavail, bsize } = await statfs(existing);
	return bavail * bsize;
}

/** Refuses before a long install that could not end well. */
export async function ensureFreeDisk(folder, neededBytes, what, remedy) {
	const free = await freeBytes(folder);
	if (free >= neededBytes) return;
	throw new Refusal(
		`Not enough disk space: ${what} needs ${fileSize(neededBytes)} in ${folder}, ` +
			`and ${fileSize(free)} is free. ${remedy}`,
	);
}

const NO_NETWORK =
	/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/;
const INSTALL = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];

/** Asks the registry once: npm itself would try each of some thousand packages several times. */
async function isOffline(cwd) {
	const { code, output } = await run('npm', ['ping', '--fetch-retries=0'], { cwd });
	return code !== 0 && NO_NETWORK.test(output);
}

/** Installs exactly what the lock in `cwd` says; `what` names it in messages. */
async function npmInstall(cwd, what, logFile) {
	// Without a network an install still works if npm has every package in its cache.
	const source = (await isOffline(cwd)) ? '--offline' : '--prefer-offline';
	const { code, output } = await run('npm', [...INSTALL, source], { cwd, logFile });
	if (code !== 0) throw new Refusal(whyNpmEnded(code, output, what, logFile));
}

function whyNpmEnded(code, output, what, logFile) {
	const log = `Log: ${logFile}`;
	if (code === 127) return `npm was not found. Install Node.js 20 with npm, then try again.`;
	if (/\bENOSPC\b/.test(output)) {
		return `The disk filled up while installing ${what}. Free some space and try again. ${log}`;
	}
	if (NO_NETWORK.test(output)) {
		return (
			`No network: npm could not reach its package registry to install ${what}. ` +
			`Connect (or set npm's proxy) and run the same command again. ${log}`
		);
	}
	const lines = output.trim().split('\n').slice(-5).join('\n');
	return `npm could not install ${what} (exit code ${code}). ${log}\n${lines}`;
}

const TOOLS = [
	['python3', 'python3'],
	['make', 'make'],
	['g++', 'g++'],
];
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
	const cwd = installed;
	const built = await run('npm', ['rebuild', 'sqlite3'], { cwd, env, logFile });
	const loaded = await run(path.join(node, 'bin', 'node'), ['-e', LOADS], { cwd, env, logFile });
	if (built.code === 0 && loaded.code === 0) return;
	throw new Refusal(await whyNotBuilt(logFile));
}

async function whyNotBuilt(logFile) {
	const missing = [];
	for (const [command, debianPackage] of TOOLS) {
		const { code } = await run(command, ['--version']);
		if (code !== 0) missing.push(debianPackage);
	}
	if (missing.length === 0)
		return `n8n's database driver (sqlite3) could not be built. Log: ${logFile}`;
	return (
		`n8n's database driver (sqlite3) must be compiled on this machine, and ${missing.join(', ')} ` +
		`${missing.length > 1 ? 'are' : 'is'} missing. On Debian or Ubuntu: ` +
		`apt-get install -y ${missing.join(' ')}. Then run the same command again. Log: ${logFile}`
	);
}

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
async function isInstalled(root = ROOT) {
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

async function installDependencies(report) {
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
			if (!(await isInstalled())) await installDependencies(report);
		},
		wait,
	);
}

// npm's own cache grows, too, by what it downloads.
const SIZES = {
	1: { text: '1.8 GB', neededBytes: 3_000_000_000 },
	2: { text: '2.8 GB', neededBytes: 4_500_000_000 },
};
const REMEDY = 'Free some space, or choose another folder with N8N_SANDBOX_CACHE.';

export function isN8nInstalled(major = CURRENT) {
	return existsSync(path.join(n8nFolder(major), 'node_modules', 'n8n', 'bin', 'n8n'));
}

/** Refuses early where one of these n8n is still to be installed and all of them would not fit. */
export async function ensureRoomForN8n(...majors) {
	const missing = majors.filter(
		(major) => !isN8nInstalled(major) && !isComplete(`${n8nFolder(major)}.partial`),
	);
	if (missing.length === 0) return;
	const neededBytes = missing.reduce((sum, major) => sum + SIZES[major].neededBytes, 0);
	const what = missing.map((major) => `n8n ${n8nVersion(major)}`).join(' and ');
	await ensureFreeDisk(cacheFolder(), neededBytes, what, REMEDY);
}

/**
 * The folder of a pinned n8n, installed on first use (about 5 minutes). It is made beside its final
 * place and renamed when whole, so that an interrupted install is never used.
 */
export async function ensureN8n(report, major = CURRENT) {
	const folder = n8nFolder(major);
	nodeFolder(folder);
	if (isN8nInstalled(major)) return folder;
	await withLock(
		`${folder}.lock`,
		async () => {
			if (!isN8nInstalled(major)) await install(major, report);
		},
		(pid) => report.line(`Waiting for process ${pid}, which installs n8n ...`),
	);
	return folder;
}

async function install(major, report) {
	const folder = n8nFolder(major);
	const half = `${folder}.partial`;
	const logFile = `${folder}.log`;
	await rm(logFile, { force: true });
	const name = `n8n ${n8nVersion(major)}`;
	report.line(`${name} is installed once, in ${folder} (about 5 minutes, ${SIZES[major].text}).`);
	if (!isComplete(half)) await download(major, half, logFile, report);
	await report.during(`Building the database driver of ${name} (about 1 minute)`, () =>
		buildSqlite(half, logFile),
	);
	await rename(half, folder);
}

/** npm writes this list when everything else is done. */
const isComplete = (half) => existsSync(path.join(half, 'node_modules', '.package-lock.json'));

async function download(major, half, logFile, report) {
	await rm(half, { recursive: true, force: true });
	await ensureRoomForN8n(major);
	await mkdir(half, { recursive: true });
	await copyFile(manifestOf(major), path.join(half, 'package.json'));
	await copyFile(lockOf(major), path.join(half, 'package-lock.json'));
	await report.during(`Installing n8n ${n8nVersion(major)}`, () =>
		npmInstall(half, 'n8n', logFile),
	);
}
