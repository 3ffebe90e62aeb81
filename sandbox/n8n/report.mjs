/** Something the person can put right: its sentence is printed alone, without a stack. */
export class Refusal extends Error {}

/** Prints what went wrong the way a person can use it, and returns the exit code. */
export function printFailure(error, stream = process.stderr) {
	const text = error instanceof Refusal ? error.message : (error?.stack ?? String(error));
	stream.write(`\n${text}\n`);
	return 1;
}

const REDRAW_MS = 500;
const PLAIN_EVERY_MS = 30_000;

/** 75000 -> "1:15 min", 4200 -> "4 s": short enough to stand at the end of a line. */
export function duration(ms) {
	const seconds = Math.round(ms / 1000);
	if (seconds < 60) return `${seconds} s`;
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`;
}

/** 1536000 -> "1.5 MB": decimal units, as disks and download pages count. */
export function fileSize(bytes) {
	const units = ['kB', 'MB', 'GB', 'TB'];
	if (bytes < 1000) return `${bytes} bytes`;
	const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
	return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1]}`;
}

/**
 * Lines for a person at a terminal (one line that is redrawn while work goes on) or for a log
 * (a line at the start, one now and then, one at the end).
 */
export function createReport(stream = process.stdout) {
	const live = Boolean(stream.isTTY);
	const line = (text = '') => stream.write(`${text}\n`);
	/** What is going on, as texts: several works may be under way at once. */
	const underWay = new Set();

	async function during(label, work) {
		const started = Date.now();
		const describe = () => `${label}: ${duration(Date.now() - started)}`;
		const draw = () => {
			const texts = [...underWay].map((text) => text());
			stream.write(live ? `\r\u001b[K${texts.join('; ')}` : `${describe()}\n`);
		};
		underWay.add(describe);
		if (!live) line(`${label} ...`);
		const timer = setInterval(draw, live ? REDRAW_MS : PLAIN_EVERY_MS);
		try {
			const result = await work();
			if (live) stream.write('\r\u001b[K');
			line(`${label}: done in ${duration(Date.now() - started)}`);
			return result;
		} catch (error) {
			if (live) stream.write('\n');
			throw error;
		} finally {
			clearInterval(timer);
			underWay.delete(describe);
		}
	}

	return { line, during };
}
