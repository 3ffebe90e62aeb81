import { toFileWords, toResultWords } from '../shared/download/link';
import type { ListPrice } from '../shared/fields/price';
import { createChatMessage, toFailureWords } from '../shared/item/chat';
import { type ItemResult, type Results } from '../shared/item/output';
import { isStreamed, type Run } from '../shared/item/run';
import { toItemName } from '../shared/item/words';
import { lowerFirst, sentences, toCode, toLink } from '../shared/lib/text';
import type { Connection } from '../shared/service/connection';
import { isFinal } from '../shared/service/videoTask';
import type { RenderJob } from '../shared/task/job';
import type { Outcome, Render } from '../shared/task/render';
import type { VideoJob } from './job';
import { type Ended, toSummary } from './summary';
import { isFailure } from '../shared/service/reason';

/** A chat gets a line after so long a silence; the time doubles with each such line. */
const FIRST_SILENCE_MS = 60_000;
/** Nobody reads a message with more ends than this. */
const MAX_ENDS = 20;

export type Progress = ReturnType<typeof createProgress>;

/**
 * Returns what tells people how far the videos of a run are: in the log, in the browser's console, in
 * one message of few lines to a chat or webhook in streaming mode, and at the end in a hint on the
 * output.
 */
export function createProgress(run: Run) {
	const { context, clock, items, report, stop } = run;
	const chat = createChatMessage(run, isStreamed(run));
	const total = items.length;
	const startedMs = clock.now();
	const states = new Map<number, string>();
	/** Percent by item, for items that have a task or have ended. */
	const percents = new Map<number, number>();
	const tasks = new Set<number>();
	const ended = new Map<number, Ended>();
	const listPrices: Array<ListPrice | undefined> = [];
	let lineMs = startedMs;
	let silenceMs = FIRST_SILENCE_MS;
	let hasSaidSubmitted = total === 1;

	const say = (line: string) => {
		lineMs = clock.now();
		chat?.say(line);
	};
	const sayLast = run.forAgent ? () => {} : say;

	/** Also says how many of several videos are submitted, once each is that waits for no other. */
	const setPercent = (itemIndex: number, percent: number) => {
		percents.set(itemIndex, percent);
		if (hasSaidSubmitted || tasks.size === 0 || percents.size < total) return;
		hasSaidSubmitted = true;
		const later = [...percents].filter(([i, done]) => done === 0 && !tasks.has(i)).length;
		const follow = later > 0 ? `, ${later} follow shot by shot` : '';
		say(`Submitted: ${tasks.size} of ${total} videos${follow}`);
	};
	const sayEnd = (itemIndex: number, words: string) => {
		setPercent(itemIndex, 100);
		if (ended.size > MAX_ENDS) return;
		sayLast(total > 1 ? `${toItemName(itemIndex)} ${lowerFirst(words)}` : words);
	};
	/** Counts and tells the items that have failed without an outcome, most before their work began. */
	const endFailures = (results: Results) => {
		let ofAllItems: string | undefined;
		for (const [itemIndex, result] of results.entries()) {
			if (!isFailure(result) || ended.has(itemIndex)) continue;
			ended.set(itemIndex, { outcome: result });
			const words = toFailureWords(result, run);
			if (result.kind === 'read' && result.ofAllItems) ofAllItems = words;
			else sayEnd(itemIndex, words);
		}
		if (ofAllItems !== undefined) sayLast(ofAllItems);
	};
	return {
		/** Called once all items are read, with those that can be worked. */
		onRead(jobs: VideoJob[]) {
			const readable = new Map(jobs.map((job) => [job.itemIndex, job]));
			for (const i of items.keys()) {
				const job = readable.get(i);
				// An item that cannot be read gets no task; a later shot waits for the one before it.
				if (!job) setPercent(i, 100);
				else if (job.shot?.shotBefore !== undefined) setPercent(i, 0);
			}
		},
		onTask({ itemIndex, wait }: RenderJob, { task, reused }: Render) {
			// The end of an item that is not waited for follows at once.
			if (wait === 'none' && !reused) return;
			tasks.add(itemIndex);
			setPercent(itemIndex, 0);
			if (total > 1) return;
			const words = reused ? 'Picked up, as it is paid for already' : 'Submitted';
			const patience = run.forAgent ? '. Rendering takes minutes.' : '';
			say(`${words}: ${toCode(task.task_id)}${patience}`);
		},
		onProgress({ itemIndex }: RenderJob, { task }: Render) {
			const state = `${task.status} ${task.progress}%`;
			if (states.get(itemIndex) !== state) {
				states.set(itemIndex, state);
				report.debug(`task ${task.task_id} is ${state}`);
				report.browser(`${toItemName(itemIndex)} task ${task.task_id}: ${state}`);
			}
			setPercent(itemIndex, task.progress);
			// The end is told at once.
			if (isFinal(task.status) || clock.now() - lineMs < silenceMs) return;
			silenceMs *= 2;
			const sum = [...percents.values()].reduce((all, percent) => all + percent, 0);
			const percent = Math.floor(sum / total);
			// A progress of 0 mostly means that the service tells none.
			const done = percent > 0 ? `: ${percent} %` : '';
			const over = total > 1 ? `, ${ended.size} of ${total} over` : '';
			const minutes = Math.round((clock.now() - startedMs) / 60_000);
			say(`Rendering${done}${over} after ${minutes} min`);
		},
		/** Called at the end of each job. */
		onOutcome(
			job: VideoJob,
			outcome: Outcome,
			result: ItemResult | undefined,
			connection: Connection,
		) {
			if (!outcome) return;
			ended.set(job.itemIndex, { outcome, result });
			const words = toEndWords(run, connection, job, outcome, result);
			if (words) sayEnd(job.itemIndex, words);
			const isTask = !isFailure(outcome);
			if (isTask) {
				const { state, failure, render } = outcome;
				if (state === 'lost') report.warn(`task ${render.task.task_id}: ${failure!.message}`);
			} else if (outcome.kind === 'unclear') {
				const { message, body } = outcome;
				const sent = body ? `; what the service sent: ${body}` : '';
				report.warn(`task without a known ID: ${message}${sent}`);
			}
		},
		onDryRun(itemIndex: number, listPrice?: ListPrice) {
			listPrices.push(listPrice);
			setPercent(itemIndex, 100);
		},
		/** Called when the wait goes on without this node. */
		onSleep(results: Results) {
			endFailures(results);
			const id = context.getExecutionId();
			// It opens for people who can sign in.
			const url = `${context.getInstanceBaseUrl()}workflow/${context.getWorkflow().id}/executions/${id}`;
			say(
				`Still rendering. The execution sleeps meanwhile, so this message ends here. The videos will be in ${toLink(`execution ${id}`, url)}.`,
			);
		},
		/** Called when the node ends, unless it goes to sleep. If any work began, tells the sum. */
		sumUp(results: Results, hasBegun: boolean): void {
			endFailures(results);
			if (!hasBegun) return;
			const durationMs = clock.now() - startedMs;
			const { words: sum, isWarning } = toSummary(
				[...ended.values()],
				listPrices,
				durationMs,
				stop.aborted,
			);
			report.debug(sum);
			report.hint(sum, isWarning ? 'warning' : 'info');
			const more = ended.size > MAX_ENDS && 'The output of the node has all.';
			// The end of the only video has been told.
			const words = sentences(total > 1 || ended.size === 0 ? sum : '', more);
			if (words) sayLast(words);
		},
		end: async () => await chat?.end(),
	};
}

/** Returns a line for a chat about how an item ended. */
function toEndWords(
	run: Run,
	connection: Connection,
	job: VideoJob,
	outcome: NonNullable<Outcome>,
	result: ItemResult | undefined,
): string | undefined {
	if (isFailure(result)) return toFailureWords(result, run);
	if (!result || isFailure(outcome)) return undefined;
	const { state, render } = outcome;
	const id = toCode(render.task.task_id);
	if (state === 'submitted') return `Submitted, and not waited for: ${id}`;
	if (state !== 'done') {
		const why = state === 'timedOut' ? 'Not ready within Max Wait' : 'Stopped';
		return `${why}. The render continues and is billed: ${id}`;
	}
	const binary = result.binary?.[job.binaryProperty];
	return `Ready: ${binary ? toFileWords(binary, result.json, job.linkHours, run) : toResultWords(render.task, connection)}`;
}
