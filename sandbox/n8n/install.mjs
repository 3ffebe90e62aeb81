import { existsSync } from 'node:fs';
import { access, copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { ensureFreeDisk } from './disk.mjs';
import {
	cacheFolder,
	CURRENT,
	lockOf,
	manifestOf,
	n8nFolder,
	n8nVersion,
	nodeFolder,
} from './folders.mjs';
import { withLock } from './lock.mjs';
import { npmInstall } from './npm.mjs';
import { buildSqlite } from './sqlite.mjs';

// npm's own cache grows, too, by what it downloads.
const SIZES = {
	1: { text: '1.8 GB', neededBytes: 3_000_000_000 },
	2: { text: '2.8 GB', neededBytes: 4_500_000_000 },
};
const COUNT_EVERY_MS = 3000;
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
	const progress = watchPackages(half);
	try {
		await report.during(
			`Installing n8n ${n8nVersion(major)}`,
			() => npmInstall(half, 'n8n', logFile),
			progress.text,
		);
	} finally {
		progress.stop();
	}
}

/** Counts the packages of the lock whose files npm has begun to write. */
function watchPackages(folder) {
	let total = 0;
	let present = 0;
	const isThere = async (place) => {
		return await access(path.join(folder, place, 'package.json')).then(
			() => true,
			() => false,
		);
	};
	const count = async () => {
		const lock = JSON.parse(await readFile(path.join(folder, 'package-lock.json'), 'utf8'));
		const places = Object.keys(lock.packages).filter((place) => place !== '');
		total = places.length;
		present = (await Promise.all(places.map(isThere))).filter(Boolean).length;
	};
	const timer = setInterval(() => count().catch(() => {}), COUNT_EVERY_MS);
	return {
		text: () => (present > 0 ? `${present} of ${total} packages` : 'downloading'),
		stop: () => clearInterval(timer),
	};
}
