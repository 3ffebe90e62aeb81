import { type Failure, isFailure, isOwnError, readFailed } from '../failure/failure';
import { oneLine, startOf } from '../lib/text';
import { giveWay } from '../lib/time';
import { createLimiter, type Limiter } from '../lib/turns';
import { endOf } from '../services/answerPaths';
import type { Connection } from '../services/connection';
import { readCarried } from './carried';
import type { Done, ItemResult, Results } from './output';
import { createReader, type Reader, toPlainText } from './reader';
import type { Run, Summary } from './run';

/** An incoming item, read and checked. */
export interface Job {
	itemIndex: number;
}

interface Worker<J extends Job> {
	/** Completes a job before the first one is worked, such as by its picture; throws by `read.refuse`. */
	prepare?: (job: J) => Promise<J>;
	/** Resolves to `undefined` if the run ended before the job began. */
	work: (job: J) => Promise<ItemResult | undefined>;
	/** Limits how many jobs work at once; absent if the work limits its own requests. */
	limiter?: Limiter;
}

/** Gives the result at once for an item that needs no work, such as one that has failed before. */
type ReadJob<J> = (read: Reader, run: Run) => J | Done | Promise<J | Done>;
type CreateWorker<J, W> = (connection: Connection, jobs: J[]) => W;

/**
 * Works all items of a node: reads and checks every item, then opens the credential, then works. In
 * the default mode, the first bad item ends the node before any paid request is sent, and after the
 * first failing item nothing new begins.
 *
 * @param readJob throws by `read.refuse`
 * @param createWorker called once all items and the credential are read, if there is a job
 */
export async function runItems<J extends Job, W extends Worker<J>>(
	run: Run,
	readJob: ReadJob<J>,
	createWorker: CreateWorker<J, W>,
): Promise<{ results: Results; worker?: W }> {
	const results: Results = run.items.map(() => undefined);
	const jobs = await readAll(run, readJob, results);
	const worker = await workItems(run, jobs, results, createWorker);
	await slowDownIdleLoop(run, results);
	return { results, worker };
}

/** Reads all items, and puts what ends in the reading into `results`. */
export async function readAll<J extends Job>(
	run: Run,
	readJob: ReadJob<J>,
	results: Results,
): Promise<J[]> {
	const items = run.items.map((_item, itemIndex) => ({ itemIndex }));
	return await readInOrder(run, items, results, async ({ itemIndex }) => {
		const read = createReader(run, itemIndex);
		run.summaries.set(itemIndex, summarize(run, read));
		return await readJob(read, run);
	});
}

/** Preparing an item may load its picture. */
const READS_AT_ONCE = 10;

/**
 * Reads items, and puts what ends in the reading into `results`. In the default mode, a bad item halts
 * the reading that is under way, but only once all items before it are read, so that none of those is
 * blamed. Those after it are read as well: they may know of paid tasks.
 */
async function readInOrder<I extends Job, J extends Job>(
	run: Run,
	items: I[],
	results: Results,
	read: (item: I) => Promise<J | Done>,
): Promise<J[]> {
	const limiter = createLimiter(READS_AT_ONCE);
	const readOne = async (item: I) => {
		try {
			await giveWay(item.itemIndex);
			return await read(item);
		} catch (error) {
			return toThrownFailure(run, item.itemIndex, error);
		}
	};
	const reads = items.map(async (item) => await limiter(async () => await readOne(item)));
	const jobs: J[] = [];
	for (const [i, reading] of reads.entries()) {
		const end = (await reading)!;
		if ('itemIndex' in end) {
			jobs.push(end);
			continue;
		}
		results[items[i].itemIndex] = end;
		if (isFailure(end)) run.onFailure();
	}
	return jobs;
}

/**
 * Opens the credential, prepares all jobs, and works them at once, or as many as the limiter allows; in the
 * default mode, none if an item could not be read. A failing job is reported before it gives up its place,
 * so that the next one does not begin.
 */
export async function workItems<J extends Job, W extends Worker<J>>(
	run: Run,
	jobs: J[],
	results: Results,
	createWorker: CreateWorker<J, W>,
): Promise<W | undefined> {
	const isOver = (open: J[]) =>
		open.length === 0 || (run.stopsOnFailure && results.some(isFailure));
	if (isOver(jobs)) return undefined;
	let worker: W;
	try {
		worker = createWorker(await run.connect(), jobs);
	} catch (error) {
		for (const { itemIndex } of jobs) {
			results[itemIndex] = toThrownFailure(run, itemIndex, error, { ofAllItems: true });
		}
		return undefined;
	}
	const { prepare, work, limiter = async (turn) => await turn() } = worker;
	const ready = prepare ? await readInOrder(run, jobs, results, prepare) : jobs;
	if (isOver(ready)) return undefined;
	const works = ready.map(async (job) => {
		const { itemIndex } = job;
		results[itemIndex] = await limiter(async () => await attempt(run, itemIndex, work(job)));
	});
	await Promise.all(works);
	return worker;
}

/**
 * Turns anything thrown for an item into a failure of that item, with its task ID if there is one.
 * Under "Continue (using error output)", an error that escapes makes n8n send the *input* down the
 * success branch, and every ID is lost.
 */
export async function attempt(
	run: Pick<Run, 'onFailure' | 'taskIds' | 'unclear'>,
	itemIndex: number,
	work: Promise<ItemResult | undefined>,
): Promise<ItemResult | undefined> {
	const result = await work.catch((error: unknown) => toThrownFailure(run, itemIndex, error));
	if (isFailure(result)) run.onFailure();
	return result;
}

/** How long a later run in which nothing was done takes at least, in milliseconds. */
const IDLE_RUN_MS = 1_000;

/**
 * Slows down a loop in which nothing is done. People connect an error output to the node's own input
 * (https://github.com/n8n-io/n8n/issues/14807), which would leave n8n no time to hear Stop.
 */
export async function slowDownIdleLoop(
	{ runIndex, clock }: Pick<Run, 'runIndex' | 'clock'>,
	results: Results,
): Promise<void> {
	const isDone = (result: Results[number]) =>
		result !== undefined && !isFailure(result) && result.json.error === undefined;
	if (runIndex > 0 && !results.some(isDone)) await clock.pause(IDLE_RUN_MS);
}

/**
 * Returns the ID of the task that an incoming item is about. An item that has failed in one of our nodes is
 * about the task that its error names, which may be an earlier task of the same item; without a task, and
 * after a failed render, it goes on as it came. That holds for the default of Task ID alone: anybody may post
 * an `error` to a chat or a webhook, as in CVE-2026-21858, and must not choose another task than the person
 * did. What an agent asks for is no such item.
 */
export function readTaskId(read: Reader, { forAgent }: Pick<Run, 'forAgent'>): string | Done {
	const { error } = read.input.json;
	if (forAgent || !isOwnError(error)) return read.text('taskId');
	const hasEnded = endOf(error.status) === 'failed';
	const task_id = read.isDefault('taskId')
		? !hasEnded && toPlainText(error.task_id)
		: read.optionalText('taskId').trim();
	return task_id || { json: { error } };
}

/** A failing item is recognised by so much of its prompt. */
const SHOWN_PROMPT_CHARS = 60;

/** Reads what an item asks for, without what its node does not have or what cannot be read. */
function summarize({ hasErrorOutput, forAgent }: Run, read: Reader): Summary {
	const find = <T>(readValue: () => T): T | undefined => {
		try {
			return readValue();
		} catch {
			return undefined;
		}
	};
	const textOf = (name: string) => find(() => read.optionalText(name)) ?? '';
	return {
		model: oneLine(textOf('model')) || undefined,
		prompt: oneLine(startOf(textOf('prompt'), SHOWN_PROMPT_CHARS)) || undefined,
		carried: hasErrorOutput || forAgent ? undefined : find(() => readCarried(read)),
	};
}

function toThrownFailure(
	{ taskIds, unclear }: Pick<Run, 'taskIds' | 'unclear'>,
	itemIndex: number,
	error: unknown,
	facts: { ofAllItems?: true } = {},
): Failure {
	const task_id = taskIds.get(itemIndex);
	return unclear.get(itemIndex) ?? readFailed(error, { ...facts, task_id });
}
