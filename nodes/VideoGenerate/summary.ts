import { type ListPrice, showUnit, toPriceWords } from '../shared/fields/price';
import type { ItemResult } from '../shared/item/output';
import { toVideos } from '../shared/item/words';
import { sentences } from '../shared/lib/text';
import type { Cost } from '../shared/service/cost';
import type { Outcome, TaskOutcome } from '../shared/task/render';
import { type Billed, billedFor, type Failure } from '../shared/item/failure';
import { isFailure } from '../shared/service/reason';

const OF_SUBMITTED = ['done', 'failed', 'still rendering'] as const;
const NOT_SUBMITTED = ['refused before billing', 'unclear'] as const;
/** How videos end; those that were submitted, and so billed, are counted first. */
type End = (typeof OF_SUBMITTED | typeof NOT_SUBMITTED)[number] | 'submitted';

const BY_STATE: Record<TaskOutcome['state'], End> = {
	done: 'done',
	submitted: 'submitted',
	failed: 'failed',
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

/** How the work on an item ended, and what the item became. */
export interface Ended {
	outcome: NonNullable<Outcome> | Failure;
	result?: ItemResult;
}

/** Returns the end of an item. A finished render whose download failed counts as failed. */
function toEnd({ outcome, result }: Ended): End {
	if (isFailure(outcome)) return BY_BILL[billedFor(outcome)];
	return outcome.state === 'done' && isFailure(result) ? 'failed' : BY_STATE[outcome.state];
}

/**
 * Returns the sum of a run, and whether it is a warning: "5 videos in 12 s: 4 submitted (3 done, 1
 * failed), 1 refused before billing."
 *
 * @param listPrices of dry runs
 */
export function toSummary(
	ended: Ended[],
	listPrices: Array<ListPrice | undefined>,
	durationMs: number,
	isStopped: boolean,
) {
	const ends = ended.map(toEnd);
	const tasks = ended.flatMap(({ outcome }) => (isFailure(outcome) ? [] : [outcome]));
	const costs = tasks.filter(({ state }) => state === 'done').map(({ render }) => render.task.cost);
	const reused = tasks.filter(({ render }) => render.reused).length;
	const rendering = countOf(ends, 'still rendering');
	const isUnclear = ends.includes('unclear');
	const dryRuns = listPrices.length;
	const words = sentences(
		dryRuns > 0 &&
			`Dry Run: ${toVideos(dryRuns)} would be submitted. Nothing was, and nothing is billed`,
		toListWords(listPrices),
		(ends.length > 0 || dryRuns === 0 || isStopped) &&
			countEnds(ends, toDuration(durationMs), isStopped),
		isUnclear && 'Unclear ones may be billed: see the usage page',
		ends.includes('submitted') && 'Rendering takes minutes: follow the task IDs with Video Status',
		reused > 0 && `${reused} picked up from an earlier try, not billed again`,
		// In the same workflow, n8n would first run Video Generate again, and so pay again.
		isStopped &&
			rendering > 0 &&
			`The ${rendering === 1 ? 'render goes' : 'renders go'} on, billed: see Video Status, in a new workflow`,
		toCostWords(costs, isStopped),
	)!;
	return { words, isWarning: isStopped || isUnclear };
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
