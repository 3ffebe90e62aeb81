import { type Billed, toItemName } from '../item/failure';
import { isFailed, type ItemResult, type Results } from '../item/output';
import type { Run } from '../item/run';
import { sentences } from '../lib/text';
import type { Cost } from '../service/cost';
import type { Outcome, Render, RenderJob } from './render';

type Word =
	'done' | 'submitted' | 'failed' | 'still rendering' | 'refused before billing' | 'unclear';

const WORDS: Record<Outcome['state'], Word | undefined> = {
	done: 'done',
	submitted: 'submitted',
	failed: 'failed',
	noVideo: 'failed',
	trouble: 'still rendering',
	stopped: 'still rendering',
	timedOut: 'still rendering',
	refused: 'refused before billing',
	unclear: 'unclear',
	open: undefined,
	notSubmitted: undefined,
};
/** The words for items whose work never began, or broke off, by whether they are billed. */
const WITHOUT_WORK: Record<Billed, Word> = {
	yes: 'failed',
	no: 'refused before billing',
	unknown: 'unclear',
};
/** How videos ended that were submitted, and so billed, in the order in which they are said. */
const OF_SUBMITTED: Word[] = ['done', 'failed', 'still rendering'];
const NOT_SUBMITTED: Word[] = ['refused before billing', 'unclear'];

/**
 * Returns what tells people how far a batch is: in the log, in the browser console and in a hint on
 * the output.
 */
export function createBatchReport({ report, clock, stop }: Run) {
	const startedMs = clock.now();
	const ends: Word[] = [];
	const ended = new Set<number>();
	const costs: Array<Cost | undefined> = [];
	const lastSaid = new Map<number, string>();
	let reused = 0;
	let dryRuns = 0;

	return {
		/** Called after each answer about a task; reports it only if its state has changed. */
		onProgress({ itemIndex }: RenderJob, { task }: Render) {
			const state = `${task.status} ${task.progress}%`;
			if (lastSaid.get(itemIndex) === state) return;
			lastSaid.set(itemIndex, state);
			report.debug(`task ${task.task_id} is ${state}`);
			report.browser(`${toItemName(itemIndex)} task ${task.task_id}: ${state}`);
		},
		/** Called at the end of each job. A finished render whose download failed counts as failed. */
		onOutcome(itemIndex: number, outcome: Outcome, result: ItemResult | undefined) {
			ended.add(itemIndex);
			const word = WORDS[outcome.state];
			if (word) ends.push(word === 'done' && isFailed(result) ? 'failed' : word);
			if (outcome.state === 'done') costs.push(outcome.render.task.cost);
			if ('render' in outcome && outcome.render.reused) reused++;
			if (outcome.state === 'trouble' || outcome.state === 'unclear') {
				const { message, body } = outcome.trouble;
				const id = 'render' in outcome ? outcome.render.task.task_id : 'without a known ID';
				report.warn(`task ${id}: ${message}${body ? `; what the service sent: ${body}` : ''}`);
			}
		},
		onDryRun: () => void dryRuns++,
		/**
		 * Called when the node ends, unless it goes to sleep. Returns the text of the hint: "5 videos in
		 * 12 s: 4 submitted (3 done, 1 failed), 1 refused before billing."
		 */
		sumUp(results: Results): string {
			for (const [itemIndex, result] of results.entries()) {
				if (isFailed(result) && !ended.has(itemIndex))
					ends.push(WITHOUT_WORK[result.failure.billed ?? 'no']);
			}
			const isUnclear = ends.includes('unclear');
			const rendering = countIn(ends, 'still rendering');
			const goOn = `The ${rendering === 1 ? 'render goes' : 'renders go'} on, billed`;
			const message = sentences(
				dryRuns > 0 &&
					`Dry Run: ${toVideos(dryRuns)} would be submitted. Nothing was, and nothing is billed`,
				(ends.length > 0 || dryRuns === 0 || stop.aborted) &&
					tellEnds(ends, toDuration(clock.now() - startedMs), stop.aborted),
				isUnclear && 'Unclear ones may be billed: see the usage page',
				ends.includes('submitted') &&
					'Rendering takes minutes: follow the task IDs with Video Status',
				reused > 0 && `${reused} picked up from an earlier try, not billed again`,
				// In the same workflow, n8n would first run Video Generate again, and so pay again.
				stop.aborted && rendering > 0 && `${goOn}: see Video Status, in a new workflow`,
				toSum(costs, stop.aborted),
			)!;
			report.debug(message);
			report.hint(message, stop.aborted || isUnclear ? 'warning' : 'info');
			return message;
		},
	};
}

const countIn = (ends: Word[], word: Word) => ends.filter((end) => end === word).length;

function toDuration(ms: number): string {
	const seconds = Math.round(ms / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function tellEnds(ends: Word[], took: string, isStopped: boolean): string {
	const tell = (words: Word[]) =>
		words.filter((word) => ends.includes(word)).map((word) => `${countIn(ends, word)} ${word}`);
	const ofSubmitted = tell(OF_SUBMITTED).join(', ');
	const submitted = ends.filter((word) => !NOT_SUBMITTED.includes(word)).length;
	const list = [
		...(submitted > 0 ? [`${submitted} submitted${ofSubmitted && ` (${ofSubmitted})`}`] : []),
		...tell(NOT_SUBMITTED),
	].join(', ');
	if (isStopped) return `Stopped after ${took}: ${list || 'no video submitted'}`;
	const videos = ends.length === 0 ? 'No videos' : toVideos(ends.length);
	const [end = 'submitted', ...others] = new Set(ends);
	return others.length > 0 ? `${videos} in ${took}: ${list}` : `${videos} ${end} in ${took}`;
}

export const toVideos = (count: number) => `${count} ${count === 1 ? 'video' : 'videos'}`;

/** Returns what the finished videos have cost as a sentence, and of how many the service tells it. */
function toSum(costs: Array<Cost | undefined>, isStopped: boolean): string | false {
	const known = costs.filter((cost) => cost !== undefined);
	if (known.length === 0)
		return costs.length > 0 && !isStopped && 'Cost: not told by the service, see its usage page';
	const sums = [...new Set(known.map(({ unit }) => unit))].map((unit) => {
		const ofUnit = known.filter((cost) => cost.unit === unit);
		const total = ofUnit.reduce((sum, { value }) => sum + value, 0);
		const about = ofUnit.some(({ kind }) => kind === 'estimate') ? 'about ' : '';
		// n8n shows hints as HTML, and an operator may call the unit anything.
		const shown = unit.replace(/[^\p{L}\p{Sc}¤ ]/gu, '').slice(0, 10);
		return `${about}${Number(total.toFixed(6))} ${shown}`;
	});
	const part =
		known.length < costs.length ? ` for ${known.length} of ${toVideos(costs.length)}` : '';
	return `Cost${part}: ${sums.join(' + ')}`;
}
