import { openConnection, type Connection } from '../service/connection';
import { toInputFailure } from './failure';
import { isFailed, type ItemResult, type Results } from './output';
import { createReader, type Reader } from './reader';
import type { Run } from './run';

/** What one input item asks for. */
export interface Job {
	itemIndex: number;
}

/** Does what a job asks for; `undefined` where the run ended before it began. */
export type Work<J extends Job> = (job: J) => Promise<ItemResult | undefined>;

/**
 * All items of a node: read and check every one, then connect, then work. In the default mode the
 * first bad item ends the node before anything is sent, and the first failing one lets nothing new
 * begin.
 *
 * @param read one item's parameters; throws by `read.refuse`
 * @param open the work, made once all items are read and the credential is
 * @returns the results, and the work where there was any
 */
export async function runItems<J extends Job, Opened extends { work: Work<J> }>(
	run: Run,
	read: (read: Reader, run: Run) => J | Promise<J>,
	open: (run: Run, connection: Connection, jobs: J[]) => Opened,
): Promise<{ results: Results; opened?: Opened }> {
	const results: Results = run.items.map(() => undefined);
	const jobs: J[] = [];
	for (const itemIndex of run.items.keys()) {
		results[itemIndex] = await attempt(run, itemIndex, async () => {
			jobs.push(await read(createReader(run, itemIndex), run));
			return undefined;
		});
	}
	const refused = results.some((result) => result && isFailed(result));
	if (jobs.length === 0 || (refused && run.stopsOnFailure)) return { results };
	let opened: Opened;
	try {
		opened = open(run, await openConnection(run.context, run.credential), jobs);
	} catch (error) {
		const failure = { ...toInputFailure(error), ofAllItems: true };
		for (const { itemIndex } of jobs) results[itemIndex] = { failure };
		return { results };
	}
	await workAll(run, jobs, results, opened.work);
	return { results, opened };
}

/** Works all jobs at once; how many requests are under way is for the limiter of the work. */
export async function workAll<J extends Job>(
	run: Run,
	jobs: J[],
	results: Results,
	work: Work<J>,
): Promise<void> {
	await Promise.all(
		jobs.map(async (job) => {
			results[job.itemIndex] = await attempt(run, job.itemIndex, async () => await work(job));
		}),
	);
}

/**
 * The one boundary between an item and n8n: whatever is thrown for an item is a failure of that
 * item, with its task id where there is one. Under "Continue (using error output)" an error that
 * gets past this sends the *input* down the success branch, and every id with it.
 */
export async function attempt(
	run: Run,
	itemIndex: number,
	work: () => Promise<ItemResult | undefined>,
): Promise<ItemResult | undefined> {
	let result: ItemResult | undefined;
	try {
		result = await work();
	} catch (error) {
		const task_id = run.taskIds.get(itemIndex);
		const next = task_id === undefined ? 'changeRequest' : 'followTask';
		result = { failure: { ...toInputFailure(error), task_id, next } };
	}
	if (result && isFailed(result)) run.onFailure();
	return result;
}
