import { isFailed, type ItemResult } from '../item/output';
import type { Run } from '../item/run';
import type { Cost } from '../service/cost';
import type { Outcome, Render, RenderJob } from './render';

const WORDS = ['done', 'submitted', 'failed', 'still rendering', 'unclear'] as const;
type Word = (typeof WORDS)[number];

const WORD_OF: Partial<Record<Outcome['state'], Word>> = {
	...{ done: 'done', submitted: 'submitted', unclear: 'unclear' },
	...{ failed: 'failed', noVideo: 'failed', refused: 'failed' },
	...{ trouble: 'still rendering', stopped: 'still rendering', timedOut: 'still rendering' },
};

/**
 * Returns what tells people how far a batch is: in the log, in the browser console and in a hint on
 * the output.
 * @param refused the number of items that could not be read
 */
export function createBatchReport({ report, clock, stop }: Run, refused: number) {
	const startedMs = clock.now();
	const counts = new Map<Word, number>([['failed', refused]]);
	const countOf = (word: Word) => counts.get(word) ?? 0;
	let reused = 0;
	let dryRuns = 0;
	const costs: Array<Cost | undefined> = [];
	const lastSaid = new Map<number, string>();

	/** Describes the batch in a few words: "3 videos: 2 done, 1 failed, in 5 s." */
	const describe = (): string => {
		const seconds = Math.round((clock.now() - startedMs) / 1000);
		const took =
			seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
		const words = WORDS.filter((word) => countOf(word) > 0);
		const list = words.map((word) => `${countOf(word)} ${word}`).join(', ');
		const total = words.reduce((sum, word) => sum + countOf(word), 0);
		const videos = total === 0 ? 'No videos' : toVideos(total);
		const said: string[] = [];
		if (dryRuns > 0) {
			const would = `Dry Run: ${toVideos(dryRuns)} would be submitted.`;
			said.push(`${would} Nothing was, and nothing is billed.`);
		}
		if (stop.aborted) said.push(`Stopped after ${took}: ${list || 'no video submitted'}.`);
		else if (words.length > 1) said.push(`${videos}: ${list}, in ${took}.`);
		else if (total > 0 || dryRuns === 0)
			said.push(`${videos} ${words[0] ?? 'submitted'} in ${took}.`);
		if (countOf('submitted') > 0) {
			said.push('Rendering takes minutes: follow the task IDs with Video Status.');
		}
		if (reused > 0) said.push(`${reused} picked up from an earlier try.`);
		const rendering = countOf('still rendering');
		if (stop.aborted && rendering > 0) {
			const goOn = `The ${rendering === 1 ? 'render goes' : 'renders go'} on, billed`;
			// In the same workflow, n8n would run the nodes before Video Status again, and pay again.
			said.push(`${goOn}: see Video Status, in a new workflow.`);
		}
		return [...said, ...toSum(costs)].join(' ');
	};

	return {
		/** Called after each answer about a task; reports it only if its state has changed. */
		onProgress({ itemIndex }: RenderJob, { task }: Render) {
			const state = `${task.status} ${task.progress}%`;
			if (lastSaid.get(itemIndex) === state) return;
			lastSaid.set(itemIndex, state);
			report.debug(`task ${task.task_id} is ${state}`);
			report.browser(`item ${itemIndex}, task ${task.task_id}: ${state}`);
		},
		/** Called at the end of each job; its download may have failed although its render is done. */
		onOutcome(outcome: Outcome, result: ItemResult | undefined) {
			const hasNoFilm = outcome.state === 'done' && result !== undefined && isFailed(result);
			const word = hasNoFilm ? 'failed' : WORD_OF[outcome.state];
			if (word) counts.set(word, countOf(word) + 1);
			if (outcome.state === 'done') costs.push(outcome.render.task.cost);
			if ('render' in outcome && outcome.render.reused) reused++;
			if (outcome.state === 'trouble' || outcome.state === 'unclear') {
				const { message, body } = outcome.trouble;
				const id = 'render' in outcome ? outcome.render.task.task_id : 'without a known ID';
				const sent = body === undefined ? '' : `; what the service sent: ${body}`;
				report.warn(`task ${id}: ${message}${sent}`);
			}
		},
		/** Called for each video that Dry Run kept from being submitted. */
		onDryRun: () => void dryRuns++,
		/** Called when the node ends, however it ends; returns the text of the hint. */
		sumUp(): string {
			const message = describe();
			report.debug(message);
			report.hint(message, stop.aborted || countOf('unclear') > 0 ? 'warning' : 'info');
			return message;
		},
	};
}

export const toVideos = (count: number) => `${count} ${count === 1 ? 'video' : 'videos'}`;

/** Returns the total cost as a sentence if it is known of every video, in the same unit. */
function toSum(costs: Array<Cost | undefined>): string[] {
	const [first] = costs;
	if (!first) return [];
	let total = 0;
	let about = '';
	for (const cost of costs) {
		if (cost?.unit !== first.unit) return [];
		total += cost.value;
		if (cost.kind === 'estimate') about = 'about ';
	}
	// n8n shows hints as HTML, and an operator may call the unit anything.
	const unit = first.unit.replace(/[^\p{L}\p{Sc}¤ ]/gu, '').slice(0, 10);
	return [`Cost: ${about}${Number(total.toFixed(6))} ${unit}.`];
}
