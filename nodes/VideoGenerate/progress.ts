import { toFileWords, toResultWords } from '../shared/download/link';
import { type ListPrice, showUnit, toPriceWords } from '../shared/fields/price';
import { createChatMessage, toFailureWords } from '../shared/item/chat';
import { type ItemResult, type Results } from '../shared/item/output';
import { isStreamed, type Run } from '../shared/item/run';
import { toItemName, toVideos } from '../shared/item/words';
import { type Billed, billedFor } from '../shared/service/next';
import { lowerFirst, sentences, toCode, toLink } from '../shared/lib/text';
import type { Connection } from '../shared/service/connection';
import type { Cost } from '../shared/service/cost';
import { isFailure } from '../shared/service/failure';
import { isFinal } from '../shared/service/videoTask';
import type { Outcome, Render, RenderJob, TaskOutcome } from '../shared/task/render';
import type { VideoJob } from './job';

const OF_SUBMITTED = ['done', 'failed', 'still rendering'] as const;
const NOT_SUBMITTED = ['refused before billing', 'unclear'] as const;
/** How videos end; those that were submitted, and so billed, are counted first. */
type End = (typeof OF_SUBMITTED | typeof NOT_SUBMITTED)[number] | 'submitted';

const BY_STATE: Record<TaskOutcome['state'], End> = {
	done: 'done',
	submitted: 'submitted',
	failed: 'failed',
	noVideo: 'failed',
	lost: 'still rendering',
	rendering: 'still rendering',
	stopped: 'still rendering',
	timedOut: 'still rendering',
};
/** The ends of items without a task, or whose work broke off, by whether they are billed. */
const BY_BILL: Record<Billed, End> = {
	yes: 'failed',
	no: 'refused before billing',
	unknown: 'unclear',
};

/** A chat gets a line after each quarter of the work, in percent. */
const QUARTER = 25;
/** It also gets one after so long a silence; the time doubles with each such line. */
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
	/** The items whose end is counted. */
	const ended = new Set<number>();
	const ends: End[] = [];
	const costs: Array<Cost | undefined> = [];
	let reused = 0;
	const listPrices: Array<ListPrice | undefined> = [];
	let quarters = 0;
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
		if (ended.size <= MAX_ENDS) {
			sayLast(total > 1 ? `${toItemName(itemIndex)} ${lowerFirst(words)}` : words);
		}
	};
	/** Counts and tells the items that have failed without an outcome, most before their work began. */
	const endFailures = (results: Results) => {
		let ofAllItems: string | undefined;
		for (const [itemIndex, result] of results.entries()) {
			if (!isFailure(result) || ended.has(itemIndex)) continue;
			ended.add(itemIndex);
			ends.push(BY_BILL[billedFor(result)]);
			const words = toFailureWords(result, run);
			if (result.ofAllItems) ofAllItems = words;
			else sayEnd(itemIndex, words);
		}
		if (ofAllItems !== undefined) sayLast(ofAllItems);
	};
	return {
		/** Called once all items are read, with those that can be worked. */
		onRead(jobs: VideoJob[]) {
			const real = new Map(jobs.map((job) => [job.itemIndex, job]));
			for (const i of items.keys()) {
				const job = real.get(i);
				// An item that cannot be read gets no task; a later shot waits for the one before it.
				if (!job) setPercent(i, 100);
				else if (job.shot?.shotBefore !== undefined) setPercent(i, 0);
			}
		},
		onTask({ itemIndex, wait }: RenderJob, { task, reused: isReused }: Render) {
			// The end of an item that is not waited for follows at once.
			if (wait === 'none' && !isReused) return;
			tasks.add(itemIndex);
			setPercent(itemIndex, 0);
			if (total > 1) return;
			const words = isReused ? 'Picked up, as it is paid for already' : 'Submitted';
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
			const sum = [...percents.values()].reduce((all, percent) => all + percent, 0);
			const percent = Math.floor(sum / total);
			const isSilent = clock.now() - lineMs >= silenceMs;
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
		/** Called at the end of each job. A finished render whose download failed counts as failed. */
		onOutcome(
			job: VideoJob,
			outcome: Outcome,
			result: ItemResult | undefined,
			connection: Connection,
		) {
			if (!outcome) return;
			ended.add(job.itemIndex);
			const words = toEndWords(run, connection, job, outcome, result);
			if (words) sayEnd(job.itemIndex, words);
			const isTask = !isFailure(outcome);
			const end = isTask ? BY_STATE[outcome.state] : BY_BILL[billedFor(outcome)];
			ends.push(end === 'done' && isFailure(result) ? 'failed' : end);
			if (isTask && outcome.state === 'done') costs.push(outcome.render.task.cost);
			if (isTask && outcome.render.reused) reused++;
			const failure = isTask ? outcome.state === 'lost' && outcome.failure : outcome;
			if (!failure || failure.certainty === 'refused') return;
			const { message, body } = failure;
			const id = isTask ? outcome.render.task.task_id : 'without a known ID';
			report.warn(`task ${id}: ${message}${body ? `; what the service sent: ${body}` : ''}`);
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
		/**
		 * Called when the node ends, unless it goes to sleep. If any work began, tells the sum: "5 videos in
		 * 12 s: 4 submitted (3 done, 1 failed), 1 refused before billing."
		 */
		sumUp(results: Results, hasBegun: boolean): void {
			endFailures(results);
			if (!hasBegun) return;
			const isStopped = stop.aborted;
			const isUnclear = ends.includes('unclear');
			const rendering = countOf(ends, 'still rendering');
			const goOn = `The ${rendering === 1 ? 'render goes' : 'renders go'} on, billed`;
			const dryRuns = listPrices.length;
			const sum = sentences(
				dryRuns > 0 &&
					`Dry Run: ${toVideos(dryRuns)} would be submitted. Nothing was, and nothing is billed`,
				toListWords(listPrices),
				(ends.length > 0 || dryRuns === 0 || isStopped) &&
					countEnds(ends, toDuration(clock.now() - startedMs), isStopped),
				isUnclear && 'Unclear ones may be billed: see the usage page',
				ends.includes('submitted') &&
					'Rendering takes minutes: follow the task IDs with Video Status',
				reused > 0 && `${reused} picked up from an earlier try, not billed again`,
				// In the same workflow, n8n would first run Video Generate again, and so pay again.
				isStopped && rendering > 0 && `${goOn}: see Video Status, in a new workflow`,
				toCostWords(costs, isStopped),
			)!;
			report.debug(sum);
			report.hint(sum, isStopped || isUnclear ? 'warning' : 'info');
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

function toDuration(ms: number): string {
	const seconds = Math.round(ms / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const countOf = (ends: End[], wanted: End) => ends.filter((end) => end === wanted).length;

function countEnds(ends: End[], duration: string, isStopped: boolean): string {
	const count = (wanted: readonly End[]) =>
		wanted.filter((end) => ends.includes(end)).map((end) => `${countOf(ends, end)} ${end}`);
	const ofSubmitted = count(OF_SUBMITTED).join(', ');
	const refused = count(NOT_SUBMITTED);
	const submitted = ends.filter((end) => !(NOT_SUBMITTED as readonly End[]).includes(end)).length;
	const all = [
		...(submitted > 0 ? [`${submitted} submitted${ofSubmitted && ` (${ofSubmitted})`}`] : []),
		...refused,
	].join(', ');
	if (isStopped) return `Stopped after ${duration}: ${all || 'no video submitted'}`;
	const videos = ends.length === 0 ? 'No videos' : toVideos(ends.length);
	const [end = 'submitted', ...others] = new Set(ends);
	return others.length > 0 ? `${videos} in ${duration}: ${all}` : `${videos} ${end} in ${duration}`;
}

/** Returns what the finished videos have cost, and of how many the service tells it. */
function toCostWords(costs: Array<Cost | undefined>, isStopped: boolean): string | undefined {
	const priced = costs.filter((cost) => cost !== undefined);
	if (priced.length === 0) {
		const isUntold = costs.length > 0 && !isStopped;
		return isUntold ? 'Cost: not told by the service; see its usage page' : undefined;
	}
	const sums = [...new Set(priced.map(({ unit }) => unit))].map((unit) => {
		const ofUnit = priced.filter((cost) => cost.unit === unit);
		const sum = ofUnit.reduce((all, { value }) => all + value, 0);
		const about = ofUnit.some(({ kind }) => kind === 'estimate') ? 'about ' : '';
		return `${about}${Number(sum.toFixed(6))} ${showUnit(unit)}`;
	});
	const part =
		priced.length < costs.length ? ` for ${priced.length} of ${toVideos(costs.length)}` : '';
	return `Cost${part}: ${sums.join(' + ')}`;
}

/** Returns what dry runs would cost by the list, as far as it tells. */
function toListWords(prices: Array<ListPrice | undefined>): string | undefined {
	const priced = prices.filter((price) => price !== undefined);
	if (priced.length === 0) return undefined;
	const value = priced.reduce((sum, price) => sum + price.value, 0);
	const all = toVideos(prices.length);
	const videos = priced.length < prices.length ? `${priced.length} of ${all}` : all;
	return `List price ${toPriceWords({ ...priced[0], value })} for ${videos}, before your account's discount`;
}
