import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

const LOOK_EVERY_MS = 1000;
// Between making the folder and writing the number into it there are milliseconds.
const UNSIGNED_IS_STALE_MS = 10_000;

/** Whether a process of this machine has this number. */
function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}

async function holder(lock) {
	const pid = Number(await readFile(path.join(lock, 'pid'), 'utf8').catch(() => ''));
	if (pid > 0) return { pid, stale: !isAlive(pid) };
	const made = await stat(lock).catch(() => null);
	return { pid: 0, stale: made !== null && Date.now() - made.mtimeMs > UNSIGNED_IS_STALE_MS };
}

async function tryTake(lock) {
	try {
		await mkdir(lock);
	} catch (error) {
		if (error.code === 'EEXIST') return false;
		throw error;
	}
	await writeFile(path.join(lock, 'pid'), String(process.pid));
	return true;
}

/** Moves a dead holder's lock away. A second lock keeps two waiters from doing it at once. */
async function clearStale(lock) {
	const broom = `${lock}.clearing`;
	if (!(await tryTake(broom))) {
		if ((await holder(broom)).stale) await rm(broom, { recursive: true, force: true });
		return;
	}
	try {
		if (!(await holder(lock)).stale) return;
		const aside = `${lock}.stale-${process.pid}`;
		await rename(lock, aside);
		await rm(aside, { recursive: true, force: true });
	} finally {
		await rm(broom, { recursive: true, force: true });
	}
}

/** Takes the lock folder: `{ release }`, or `{ pid }` of the living process that has it. */
export async function takeLock(lock) {
	await mkdir(path.dirname(lock), { recursive: true });
	while (!(await tryTake(lock))) {
		const { pid, stale } = await holder(lock);
		if (!stale) return { pid };
		await clearStale(lock);
	}
	return { release: async () => await rm(lock, { recursive: true, force: true }) };
}

/**
 * Runs `work` while no other process does so under the same lock folder. `onWait(pid)` is called
 * once when somebody else holds it. A holder that is gone is not waited for.
 */
export async function withLock(lock, work, onWait = () => {}) {
	let taken = await takeLock(lock);
	if (!taken.release) onWait(taken.pid);
	while (!taken.release) {
		await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
		taken = await takeLock(lock);
	}
	try {
		return await work();
	} finally {
		await taken.release();
	}
}
