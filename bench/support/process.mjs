import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** The unit of the times in /proc/<pid>/stat; 100 on every Linux that Node.js runs on. */
const TICKS_PER_SECOND = 100;
/** Memory stands still when it moves by no more than so much in so many looks. */
const STILL_MB = 3;
const STILL_LOOKS = 4;
const LOOK_EVERY_MS = 1_500;
const MOST_LOOKS = 40;

/** CPU time that a process has used so far, user and system, in seconds. */
async function cpuSeconds(pid) {
	const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
	// The process's name stands in brackets and may hold blanks; utime is field 14, stime 15.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** `{ nowMb, peakMb }`: resident memory now, and at most since `resetPeak`. */
async function memoryOf(pid) {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	const toMb = (name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)[1]) / 1000;
	return { nowMb: toMb('VmRSS'), peakMb: toMb('VmHWM') };
}

async function resetPeak(pid) {
	await writeFile(`/proc/${pid}/clear_refs`, '5');
}

/**
 * Collects the garbage of n8n again and again, until its resident memory stands
 * still; gives it in MB.
 */
async function stillMemory(pid) {
	const seen = [];
	while (seen.length < MOST_LOOKS) {
		process.kill(pid, 'SIGUSR2');
		await pause(LOOK_EVERY_MS);
		seen.push((await memoryOf(pid)).nowMb);
		const latest = seen.slice(-STILL_LOOKS);
		const moved = Math.max(...latest) - Math.min(...latest);
		if (latest.length === STILL_LOOKS && moved <= STILL_MB) return latest.at(-1);
	}
	throw new Error(`The memory of process ${pid} does not stand still: ${seen.join(', ')} MB`);
}

/**
 * What a piece of work takes of a process: its figures, of which the memory is the peak above what
 * the process held before, collected.
 */
export async function measureUse(pid, work) {
	const idleMb = await stillMemory(pid);
	const cpuBefore = await cpuSeconds(pid);
	await resetPeak(pid);
	const begunAt = Date.now();
	await work();
	const { peakMb } = await memoryOf(pid);
	return {
		'Memory (MB)': peakMb - idleMb,
		'CPU (s)': (await cpuSeconds(pid)) - cpuBefore,
		'Time (s)': (Date.now() - begunAt) / 1000,
	};
}
