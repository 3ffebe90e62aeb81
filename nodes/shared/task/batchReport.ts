import { isFailed, type ItemResult } from '../item/output';
import type { Run } from '../item/run';
import type { Cost } from '../service/cost';
import type { Outcome, Render, RenderJob } from './render';

/** Tells people how far a batch is: in the log, the console of the browser, a hint on the output. */
export interface BatchReport {
	/** Is called after each answer about a task; says something only when its state has changed. */
	onProgress: (job: RenderJob, render: Render) => void;
	/** Is called at the end of each job; its film may fail though its render is done. */
	onOutcome: (outcome: Outcome, result: ItemResult | undefined) => void;
	/** Is called for each video that Dry Run has kept from being submitted. */
	onDryRun: () => void;
	/** Is called at the end of the node, whichever end it is; returns what the hint says. */
	sumUp: () => string;
}

type Count = 'done' | 'submitted' | 'failed' | 'rendering' | 'unclear' | 'reused' | 'dryRun';

const COUNT_OF: Record<Outcome['state'], Exclude<Count, 'reused' | 'dryRun'> | undefined> = {
	done: 'done',
	submitted: 'submitted',
	failed: 'failed',
	noVideo: 'failed',
	refused: 'failed',
	trouble: 'rendering',
	open: undefined,
	stopped: 'rendering',
	timedOut: 'rendering',
	unclear: 'unclear',
	notSubmitted: undefined,
};

/** @param refused items that could not be read */
export function createBatchReport({ report, clock, stop }: Run, refused: number): BatchReport {
	const startedMs = clock.now();
	const counts: Record<Count, number> = {
		done: 0,
		submitted: 0,
		failed: refused,
		rendering: 0,
		unclear: 0,
		reused: 0,
		dryRun: 0,
	};
	const costs: Array<Cost | undefined> = [];
	const lastSaid = new Map<number, string>();

	return {
		onProgress({ itemIndex }, { task }) {
			const state = `${task.status} ${task.progress}%`;
			if (lastSaid.get(itemIndex) === state) return;
			lastSaid.set(itemIndex, state);
			report.debug(`task ${task.task_id} is ${state}`);
			report.browser(`item ${itemIndex}, task ${task.task_id}: ${state}`);
		},
		onOutcome(outcome, result) {
			const hasNoFilm = outcome.state === 'done' && result !== undefined && isFailed(result);
			const count = hasNoFilm ? 'failed' : COUNT_OF[outcome.state];
			if (count) counts[count]++;
			if (outcome.state === 'done') costs.push(outcome.render.task.cost);
			if ('render' in outcome && outcome.render.reused) counts.reused++;
			if (outcome.state === 'trouble' || outcome.state === 'unclear') {
				const { message, body } = outcome.trouble;
				const id = 'render' in outcome ? outcome.render.task.task_id : 'without a known ID';
				const sent = body === undefined ? '' : `; what the service sent: ${body}`;
				report.warn(`task ${id}: ${message}${sent}`);
			}
		},
		onDryRun: () => void counts.dryRun++,
		sumUp() {
			const message = `${describe(counts, clock.now() - startedMs, stop.aborted)}${toSum(costs)}`;
			report.debug(message);
			report.hint(message, stop.aborted || counts.unclear > 0 ? 'warning' : 'info');
			return message;
		},
	};
}

function describe(counts: Record<Count, number>, tookMs: number, stopped: boolean): string {
	const kinds = [
		[counts.done, 'done'],
		[counts.submitted, 'submitted'],
		[counts.failed, 'failed'],
		[counts.rendering, 'still rendering'],
		[counts.unclear, 'unclear'],
	] as const;
	const said = kinds.filter(([count]) => count > 0);
	const dry = counts.dryRun > 0 ? `${toDrySentence(counts.dryRun)} ` : '';
	if (dry && said.length === 0 && !stopped) return dry.trim();
	const reused = counts.reused > 0 ? ` ${counts.reused} picked up from an earlier try.` : '';
	const billed = stopped && counts.rendering > 0 ? toGoesOn(counts.rendering) : '';
	const goOn = counts.submitted > 0 ? GO_ON : '';
	const took = toDuration(tookMs);
	const sentence = stopped
		? `Stopped after ${took}: ${toCounts(said)}.`
		: `${toSentence(said)}${said.length < 2 ? '' : ','} in ${took}.`;
	return `${dry}${sentence}${goOn}${reused}${billed}`;
}

/** In the same workflow, n8n would run the nodes before it again, and pay again. */
const toGoesOn = (count: number) =>
	` The ${count === 1 ? 'render goes' : 'renders go'} on, billed: see Video Status, in a new workflow.`;

/** A task is no video yet. */
const GO_ON = ' Rendering takes minutes: follow the task IDs with Video Status.';

const toDrySentence = (count: number) =>
	`Dry Run: ${count} ${count === 1 ? 'video' : 'videos'} would be submitted. Nothing was, and nothing is billed.`;

/** "1 video done", "3 videos: 2 done, 1 failed". */
function toSentence(said: Array<readonly [number, string]>): string {
	const total = said.reduce((sum, [count]) => sum + count, 0);
	const videos = `${total === 0 ? 'No' : total} ${total === 1 ? 'video' : 'videos'}`;
	if (said.length < 2) return `${videos} ${said[0]?.[1] ?? 'submitted'}`;
	return `${videos}: ${toCounts(said)}`;
}

const toCounts = (said: Array<readonly [number, string]>): string =>
	said.map((kind) => kind.join(' ')).join(', ') || 'no video submitted';

/** Sums up what the videos have cost, where the service tells it of each. */
function toSum(costs: Array<Cost | undefined>): string {
	const known = costs.filter((cost) => cost !== undefined);
	const [{ unit } = { unit: '' }] = known;
	if (
		known.length === 0 ||
		known.length < costs.length ||
		known.some((cost) => cost.unit !== unit)
	) {
		return '';
	}
	const sum = Number(known.reduce((total, { value }) => total + value, 0).toFixed(6));
	const about = known.some(({ kind }) => kind === 'estimate') ? 'about ' : '';
	return ` Cost: ${about}${sum} ${toHtml(unit)}.`;
}

/** n8n shows hints as HTML, and an operator may call the unit anything. */
const toHtml = (unit: string) => unit.replace(/[^\p{L}\p{Sc}¤ ]/gu, '').slice(0, 10);

function toDuration(ms: number): string {
	const seconds = Math.round(ms / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
