import { oneLine, startOf } from '../lib/text';
import { giveWay } from '../lib/time';
import { createLimiter, type Limiter } from '../lib/turns';
import { type Connection, openConnection } from '../service/connection';
import { type Asked, type Failure, toInputFailure } from './failure';
import { type Done, isFailed, type ItemResult, type Results } from './output';
import { createReader, isSet, type Reader } from './reader';
import type { Run } from './run';

/** An incoming item, read and checked. */
export interface Job {
	itemIndex: number;
}

/** The work of a run, opened once for all items. */
interface Opened<J extends Job> {
	/** Does a job; resolves to `undefined` if the run ended before the job began. */
	work: (job: J) => Promise<ItemResult | undefined>;
	/** Limits how many jobs work at once; absent if the work limits its own requests. */
	limiter?: Limiter;
}

/** What an item needs no work for, such as one that has failed before it came. */
type Read<J> = J | Done;
type ReadJob<J> = (read: Reader, run: Run) => Read<J> | Promise<Read<J>>;
type Open<J, O> = (run: Run, connection: Connection, jobs: J[]) => O;

/** Items that are read at the same time. */
const READS_AT_ONCE = 10;
/** How long a later run is held in which nothing was done, in milliseconds. */
const IN_VAIN_MS = 1_000;

/**
 * Works all items of a node: reads and checks every item, then opens the credential, then works. In
 * the default mode, the first bad item ends the node before any paid request is sent, and after the
 * first failing item nothing new begins.
 *
 * @param read reads one item's parameters, or gives its result at once; throws by `read.refuse`
 * @param open makes the work, once all items and the credential are read
 * @returns the results, and the work if there was any
 */
export async function runItems<J extends Job, O extends Opened<J>>(
	run: Run,
	read: ReadJob<J>,
	open: Open<J, O>,
): Promise<{ results: Results; opened?: O }> {
	const results: Results = run.items.map(() => undefined);
	const jobs = await readAll(run, read, results);
	const ends = jobs.length === 0 || (run.stopsOnFailure && results.some(isFailed));
	const opened = ends ? undefined : await openAndWork(run, jobs, results, open);
	await holdInVain(run, results);
	return { results, opened };
}

/**
 * Holds a later run in which nothing was done: a loop that sends failing items back again and again
 * would leave n8n no time for anything else, not even for Stop.
 */
export async function holdInVain({ runIndex, clock }: Run, results: Results): Promise<void> {
	const isDone = (result: Results[number]) =>
		result !== undefined && !isFailed(result) && result.json.error === undefined;
	if (runIndex > 0 && !results.some(isDone)) await clock.pause(IN_VAIN_MS);
}

/**
 * Returns the item of a failure that came in, if this node finds nothing to work on in it: it goes
 * on as it came, and does not end the run.
 *
 * @param name the parameter that the node cannot do without
 */
export function passOn({ input: { json }, text }: Reader, name: string): Done | undefined {
	if (!isSet(json.error)) return undefined;
	try {
		text(name);
		return undefined;
	} catch {
		return { json: { error: json.error } };
	}
}

/**
 * Reads ten items at once, because reading one may load its picture. In the default mode, a bad
 * item halts the reading that is under way, but only once all items before it are read, so that
 * none of those is cut off or blamed. The items after it are still read, because they may know of
 * paid tasks.
 */
export async function readAll<J extends Job>(
	run: Run,
	read: ReadJob<J>,
	results: Results,
): Promise<J[]> {
	const limiter = createLimiter(READS_AT_ONCE);
	const readOne = async (itemIndex: number) => {
		try {
			await giveWay(itemIndex);
			const reader = createReader(run, itemIndex);
			run.asked.set(itemIndex, readAsked(run, reader));
			return await read(reader, run);
		} catch (error) {
			results[itemIndex] = { failure: toThrownFailure(run, itemIndex, error) };
			return undefined;
		}
	};
	const reads = run.items.map(async (_item, i) => await limiter(async () => await readOne(i)));
	const jobs: J[] = [];
	for (const [itemIndex, reading] of reads.entries()) {
		const job = await reading;
		if (!job) run.onFailure();
		else if ('json' in job) results[itemIndex] = job;
		else jobs.push(job);
	}
	return jobs;
}

/** A failing item is recognised by so much of its prompt. */
const SHOWN_PROMPT_CHARS = 60;

/** Reads what an item asks for; leaves out what cannot be read, which is reported elsewhere. */
function readAsked({ fields }: Run, reader: Reader): Asked {
	const textOf = (name: string) => {
		try {
			return fields.some((field) => field.name === name) ? reader.optionalText(name) : '';
		} catch {
			return '';
		}
	};
	const model = oneLine(textOf('model')) || undefined;
	const prompt = oneLine(startOf(textOf('prompt'), SHOWN_PROMPT_CHARS)) || undefined;
	return { model, prompt };
}

/** Opens the credential and works; if it cannot be opened, all jobs fail. */
export async function openAndWork<J extends Job, O extends Opened<J>>(
	run: Run,
	jobs: J[],
	results: Results,
	open: Open<J, O>,
): Promise<O | undefined> {
	let opened: O;
	try {
		opened = open(run, await openConnection(run.context, run.credential, run.redaction), jobs);
	} catch (error) {
		for (const { itemIndex } of jobs) {
			const failure = toThrownFailure(run, itemIndex, error);
			const ofAllItems = !run.unclear.has(itemIndex);
			results[itemIndex] = { failure: { ...failure, ofAllItems } };
		}
		return undefined;
	}
	await workAll(run, jobs, results, opened);
	return opened;
}

/**
 * Works all jobs at once, or as many as the limiter allows. A failing job is reported before it
 * gives up its place, so that in the default mode the next one does not begin.
 */
export async function workAll<J extends Job>(
	run: Run,
	jobs: J[],
	results: Results,
	{ work, limiter = async (task) => await task() }: Opened<J>,
): Promise<void> {
	const workOne = async (job: J) => {
		const attemptOne = async () => await attempt(run, job.itemIndex, async () => await work(job));
		results[job.itemIndex] = await limiter(attemptOne);
	};
	await Promise.all(jobs.map(workOne));
}

/**
 * Turns anything thrown for an item into a failure of that item, with its task ID if there is one.
 * Under "Continue (using error output)", an error that escapes makes n8n send the *input* down the
 * success branch, and every ID is lost.
 */
export async function attempt(
	run: Run,
	itemIndex: number,
	work: () => Promise<ItemResult | undefined>,
) {
	const result = await work().catch((error: unknown): ItemResult => ({
		failure: toThrownFailure(run, itemIndex, error),
	}));
	if (isFailed(result)) run.onFailure();
	return result;
}

function toThrownFailure({ taskIds, unclear }: Run, itemIndex: number, error: unknown): Failure {
	const known = unclear.get(itemIndex);
	if (known) return known;
	const task_id = taskIds.get(itemIndex);
	const next = task_id === undefined ? 'changeRequest' : 'followTask';
	return { ...toInputFailure(error), task_id, next };
}
