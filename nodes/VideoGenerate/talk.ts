import { toFileWords, toResultWords } from '../shared/download/link';
import { openChatMessage, toFailureWords } from '../shared/item/chat';
import { toItemName } from '../shared/item/failure';
import { isFailed, type ItemResult, type Results } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import { lowerFirst, sentences, toCode, toLink } from '../shared/lib/text';
import type { Connection } from '../shared/service/connection';
import { isFinal } from '../shared/service/videoTask';
import type { Outcome, Render } from '../shared/task/render';
import type { VideoJob } from './readJob';

/** A line is said after each quarter of the work, in percent. */
const QUARTER = 25;
/** A line is also said after so long a silence; the time doubles with each such line. */
const FIRST_SILENCE_MS = 60_000;
/** Nobody reads a message with more ends than this. */
const MAX_ENDS = 20;

/**
 * Returns what tells a chat or webhook in streaming mode about a run, in one message of few lines
 * for all its videos; `undefined` if nobody listens.
 */
export function openTalk(run: Run) {
	const { context, clock, items } = run;
	const message = openChatMessage(run);
	if (!message) return undefined;
	const total = items.length;
	/** Percent by item, for items that have a task or have ended. */
	const progress = new Map<number, number>();
	const tasks = new Set<number>();
	const ended = new Set<number>();
	const startedMs = clock.now();
	let saidMs = startedMs;
	let silenceMs = FIRST_SILENCE_MS;
	let quarters = 0;
	let saidSubmitted = total === 1;

	const say = (line: string) => {
		saidMs = clock.now();
		message.say(line);
	};
	/** Also says how many of several videos are submitted, once each is that waits for no other. */
	const setProgress = (itemIndex: number, percent: number) => {
		progress.set(itemIndex, percent);
		if (saidSubmitted || tasks.size === 0 || progress.size < total) return;
		saidSubmitted = true;
		const later = [...progress].filter(([i, known]) => known === 0 && !tasks.has(i)).length;
		const follow = later > 0 ? `, ${later} follow shot by shot` : '';
		say(`Submitted: ${tasks.size} of ${total} videos${follow}`);
	};
	/** Tells the end of an item once; without words, its work never began. */
	const onEnd = (itemIndex: number, words: string | undefined) => {
		if (words === undefined || ended.has(itemIndex)) return;
		ended.add(itemIndex);
		setProgress(itemIndex, 100);
		if (ended.size <= MAX_ENDS) {
			say(total > 1 ? `${toItemName(itemIndex)} ${lowerFirst(words)}` : words);
		}
	};
	/** Tells of the items that have failed, some before their work began. */
	const tellFailures = (results: Results) => {
		let ofAllItems: string | undefined;
		for (const [itemIndex, result] of results.entries()) {
			if (!isFailed(result)) continue;
			const words = toFailureWords(result.failure, run);
			if (result.failure.ofAllItems) ofAllItems = words;
			else onEnd(itemIndex, words);
		}
		if (ofAllItems !== undefined) say(ofAllItems);
	};
	return {
		/** Called for an item that will get no task. */
		onRefused: (itemIndex: number) => setProgress(itemIndex, 100),
		/** Called for a shot that is submitted when the one before it is ready. */
		onLater: (itemIndex: number) => setProgress(itemIndex, 0),
		/** Called once a task is known. */
		onTask(itemIndex: number, { task, reused }: Render) {
			tasks.add(itemIndex);
			setProgress(itemIndex, 0);
			if (total > 1) return;
			const id = toCode(task.task_id);
			say(reused ? `Picked up, as it is paid for already: ${id}` : `Submitted: ${id}`);
		},
		/** Called after each answer about a task. */
		onProgress(itemIndex: number, { task }: Render) {
			setProgress(itemIndex, task.progress);
			const sum = [...progress.values()].reduce((all, percent) => all + percent, 0);
			const percent = Math.floor(sum / total);
			const isSilent = clock.now() - saidMs >= silenceMs;
			const reached = Math.floor(percent / QUARTER);
			// Some deployments say 100 for minutes before the end, so that is said only after a silence.
			const isAtEnd = percent >= 100 && (isFinal(task.status) || !isSilent);
			if (isAtEnd || (reached <= quarters && !isSilent)) return;
			quarters = Math.max(quarters, reached);
			if (isSilent) silenceMs *= 2;
			const over = total > 1 ? `, ${ended.size} of ${total} over` : '';
			const minutes = Math.round((clock.now() - startedMs) / 60_000);
			// A progress of 0 mostly means that the service tells none.
			const done = percent > 0 ? `: ${percent} %` : '';
			say(`Rendering${done}${over}${isSilent ? ` after ${minutes} min` : ''}`);
		},
		onEnd,
		/** Called when the wait goes on without this node. */
		onSleep(results: Results) {
			tellFailures(results);
			const id = context.getExecutionId();
			const { id: workflowId } = context.getWorkflow();
			// It opens for people who can sign in.
			const url = `${context.getInstanceBaseUrl()}workflow/${workflowId}/executions/${id}`;
			say(
				`Still rendering. The execution sleeps meanwhile, so this message ends here. The videos will be in ${toLink(`execution ${id}`, url)}.`,
			);
		},
		/** Says `sum`, unless the end of the only video was told. It is missing if no work began. */
		sumUp(results: Results, sum?: string) {
			tellFailures(results);
			const more = ended.size > MAX_ENDS ? 'The output of the node has all.' : '';
			const words = sentences(total === 1 && ended.size > 0 ? '' : sum, more);
			if (words) say(words);
		},
		end: message.end,
	};
}

export type Talk = NonNullable<ReturnType<typeof openTalk>>;

/** Returns a line for a chat about how an item ended; `undefined` if its work never began. */
export function toEndWords(
	run: Run,
	connection: Connection,
	job: VideoJob,
	outcome: Outcome,
	result: ItemResult | undefined,
): string | undefined {
	if (!result) return undefined;
	if (isFailed(result)) return toFailureWords(result.failure, run);
	if (!('render' in outcome)) return undefined;
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
