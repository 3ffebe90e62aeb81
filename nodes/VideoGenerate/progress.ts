import type { IBinaryData } from 'n8n-workflow';

import { toFileWords, toResultWords } from '../shared/download/link';
import { isFailure } from '../shared/failure/failure';
import { lowerFirst, sentences, toCode, toItemName, toLink } from '../shared/lib/text';
import { createChatMessage, toFailureWords } from '../shared/n8n/chat';
import type { ItemResult, Results } from '../shared/n8n/output';
import type { Run } from '../shared/n8n/run';
import type { Connection } from '../shared/services/connection';
import type { ListPrice } from '../shared/services/contract';
import type { RenderJob } from '../shared/task/job';
import type { Outcome, Render } from '../shared/task/render';
import type { VideoJob } from './job';
import { type Ended, toSummary } from './summary';

/** Nobody reads a message with more submits, or more ends, than this. */
const MAX_LINES = 20;

/** How a job ended. */
type Told = Omit<Ended, 'outcome' | 'makes'> & { outcome: Outcome };

export type Progress = ReturnType<typeof createProgress>;

/**
 * Returns what tells people how far the videos of a run are: each new state in n8n's log and the browser's
 * console; submits and ends in one message to a chat or webhook in streaming mode; the sum in a hint.
 */
export function createProgress(run: Run) {
	const { clock, items, report } = run;
	const chat = createChatMessage(run, true);
	const startedMs = clock.now();
	const states = new Map<number, string>();
	const ended = new Map<number, Ended>();
	const isOne = items.length === 1;

	const say = (itemIndex: number, words: string) =>
		chat?.say(isOne ? words : `${toItemName(itemIndex)} ${lowerFirst(words)}`);
	/** An agent tells people itself how its video has ended. */
	const tellsEnds = !run.forAgent;

	const end = (itemIndex: number, one: Ended, words: string | undefined) => {
		ended.set(itemIndex, one);
		if (words && tellsEnds && ended.size <= MAX_LINES) say(itemIndex, words);
	};
	/** Notes the items that failed outside of their work, most before it began. */
	const endFailures = (results: Results) => {
		let ofAllItems: string | undefined;
		for (const [itemIndex, result] of results.entries()) {
			if (!isFailure(result) || ended.has(itemIndex)) continue;
			const words = toFailureWords(result, run);
			const isOfAll = result.ofAllItems === true;
			if (isOfAll) ofAllItems = words;
			end(itemIndex, { outcome: result }, isOfAll ? undefined : words);
		}
		if (ofAllItems !== undefined && tellsEnds) chat?.say(ofAllItems);
	};
	return {
		onTask({ itemIndex }: RenderJob, { task, reused }: Render) {
			states.set(itemIndex, task.status);
			const words = reused ? 'Picked up, as it is paid for already' : 'Submitted';
			if (states.size <= MAX_LINES) say(itemIndex, `${words}: ${toCode(task.task_id)}`);
		},
		onProgress({ itemIndex }: RenderJob, { task }: Render) {
			const state = `${task.status} ${task.progress}%`;
			if (states.get(itemIndex) === state) return;
			states.set(itemIndex, state);
			report.debug(`task ${task.task_id} is ${state}`);
			report.browser(`${toItemName(itemIndex)} task ${task.task_id}: ${state}`);
		},
		/** Called at the end of each job. */
		onOutcome(job: VideoJob, to: Connection, { outcome, ...more }: Told) {
			if (!outcome) return;
			const words = toEndWords(run, to, job, outcome, more.result);
			end(job.itemIndex, { outcome, makes: job.request?.video.makes, ...more }, words);
			if (!isFailure(outcome)) {
				const { state, because, render } = outcome;
				if (state === 'lost') report.warn(`task ${render.task.task_id}: ${because!.message}`);
			} else if (outcome.kind === 'unclear') {
				const { message, description = '' } = outcome;
				report.warn(`task without a known ID: ${message}. ${description}`);
			}
		},
		onPrice: ({ itemIndex }: VideoJob, listPrice?: ListPrice) =>
			void Object.assign(ended.get(itemIndex) ?? {}, { listPrice }),
		/** Called when the wait goes on without this node. */
		onSleep(results: Results) {
			endFailures(results);
			chat?.say(toSleepWords(run));
		},
		/** Called when the node ends, unless it goes to sleep. If any work began, tells the sum. */
		sumUp(results: Results, hasBegun: boolean, tellsPrices?: boolean): void {
			endFailures(results);
			if (!hasBegun) return;
			const dryRuns = results.flatMap((result) =>
				result && !isFailure(result) && result.json.dry_run === true ? [result.json] : [],
			);
			const durationMs = clock.now() - startedMs;
			const { words, isWarning } = toSummary([...ended.values()], dryRuns, durationMs, tellsPrices);
			report.debug(words);
			report.hint(words, isWarning ? 'warning' : 'info');
			const more = ended.size > MAX_LINES && 'The output of the node has all';
			// The end of a single video has been told.
			if (tellsEnds && !(isOne && ended.size > 0)) chat?.say(sentences(words, more)!);
		},
		end: async () => await chat?.end(),
	};
}

function toSleepWords({ context }: Run): string {
	const id = context.getExecutionId();
	// It opens for people who can sign in.
	const url = `${context.getInstanceBaseUrl()}workflow/${context.getWorkflow().id}/executions/${id}`;
	return `Still rendering. The execution sleeps meanwhile, so this message ends here. The files will be in ${toLink(`execution ${id}`, url)}.`;
}

/** Returns a line for a chat about how an item ended; `undefined` if there is no news. */
function toEndWords(
	run: Run,
	connection: Connection,
	job: VideoJob,
	outcome: NonNullable<Outcome>,
	result: ItemResult | undefined,
): string | undefined {
	if (isFailure(result)) return toFailureWords(result, run);
	if (!result || isFailure(outcome) || outcome.state === 'submitted') return undefined;
	const { state, render } = outcome;
	if (state !== 'done') {
		const id = toCode(render.task.task_id);
		return `Not ready within Max Wait. The render continues and is billed: ${id}`;
	}
	const isOwn = ([name, file]: [string, IBinaryData]) => file !== job.carriedFiles?.[name];
	const files = Object.entries(result.binary ?? {})
		.filter(isOwn)
		.map(([, file]) => file);
	return `Ready: ${files.length > 0 ? toFileWords(files, job.linkHours, run) : toResultWords(render.task, connection)}`;
}
