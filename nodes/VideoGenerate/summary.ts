import type { IDataObject } from 'n8n-workflow';

import { type ListPrice, showUnit, toPriceWords } from '../shared/fields/price';
import { billedFor, type Failure } from '../shared/item/failure';
import type { Billed } from '../shared/service/answerPaths';
import type { ItemResult } from '../shared/item/output';
import { toVideos } from '../shared/item/words';
import { sentences } from '../shared/lib/text';
import { isFailure } from '../shared/service/reason';
import type { Outcome, TaskOutcome } from '../shared/task/render';

/** How the work on an item ended, and what the item became. */
export interface Ended {
	outcome: NonNullable<Outcome> | Failure;
	result?: ItemResult;
}

/** How videos end, in the order in which they are counted. */
const SUBMITTED = ['done', 'failed', 'still rendering', 'not waited for'] as const;
const NOT_SUBMITTED = ['refused', 'unclear'] as const;
type End = (typeof SUBMITTED | typeof NOT_SUBMITTED)[number];

const BY_STATE: Record<TaskOutcome['state'], End> = {
	...{ done: 'done', failed: 'failed', submitted: 'not waited for' },
	...{ lost: 'still rendering', rendering: 'still rendering' },
	...{ stopped: 'still rendering', timedOut: 'still rendering' },
};
/** Of items without a task, or whose work broke off. */
const BY_BILL: Record<Billed, End> = { yes: 'failed', no: 'refused', unknown: 'unclear' };

function toEnd({ outcome, result }: Ended): End {
	if (isFailure(outcome)) return BY_BILL[billedFor(outcome)];
	// The download of a finished render may have failed.
	return outcome.state === 'done' && isFailure(result) ? 'failed' : BY_STATE[outcome.state];
}

/**
 * Returns the sum of a run in words, such as "5 videos in 12 s: 4 submitted (3 done, 1 failed), 1
 * refused. Cost: 1.2 USD.", and whether a person has to look at one of the videos.
 *
 * @param dryRuns the items of dry runs
 */
export function toSummary(ended: Ended[], dryRuns: IDataObject[], durationMs: number) {
	const ends = ended.map(toEnd);
	const videos = toVideos(dryRuns.length);
	const words = sentences(
		dryRuns.length > 0 &&
			`Dry Run: ${videos} would be submitted. Nothing was, and nothing is billed`,
		toListWords(dryRuns),
		(ends.length > 0 || dryRuns.length === 0) &&
			`${toVideos(ends.length)} in ${toDuration(durationMs)}${countEnds(ends)}`,
		toCostWords(ended),
	)!;
	return { words, isWarning: ends.includes('unclear') };
}

function toDuration(ms: number): string {
	const seconds = Math.round(ms / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function countEnds(ends: End[]): string {
	const count = (some: readonly End[]) =>
		some.flatMap((one) => {
			const { length } = ends.filter((end) => end === one);
			return length > 0 ? [`${length} ${one}`] : [];
		});
	const submitted = count(SUBMITTED);
	const others = count(NOT_SUBMITTED);
	const total = ends.filter((end) => SUBMITTED.some((one) => one === end)).length;
	const all = total > 0 ? [`${total} submitted (${submitted.join(', ')})`, ...others] : others;
	return all.length > 0 ? `: ${all.join(', ')}` : '';
}

/** Returns what the finished videos have cost, and of how many the service tells it. */
function toCostWords(ended: Ended[]): string | undefined {
	const costs = ended.flatMap(({ outcome }) =>
		!isFailure(outcome) && outcome.state === 'done' ? [outcome.render.task.cost] : [],
	);
	const priced = costs.filter((cost) => cost !== undefined);
	if (costs.length === 0) return undefined;
	if (priced.length === 0) return 'Cost: not told by the service; see its usage page';
	const all = toVideos(costs.length);
	const part = priced.length < costs.length ? ` of ${priced.length} of ${all}` : '';
	const about = priced.some(({ kind }) => kind === 'estimate') ? 'about ' : '';
	// One service has one unit.
	return `Cost${part}: ${about}${Number(sumOf(priced).toFixed(6))} ${showUnit(priced[0].unit)}`;
}

/** Returns what dry runs would cost by the list, as far as it tells. */
function toListWords(dryRuns: IDataObject[]): string | undefined {
	const prices = dryRuns.map(({ list_price }) => list_price as ListPrice | undefined);
	const priced = prices.filter((price) => price !== undefined);
	if (priced.length === 0) return undefined;
	const all = toVideos(prices.length);
	const videos = priced.length < prices.length ? `${priced.length} of ${all}` : all;
	const sum = toPriceWords({ ...priced[0], value: sumOf(priced) });
	return `List price ${sum} for ${videos}, before your account's discount`;
}

const sumOf = (priced: Array<{ value: number }>) =>
	priced.reduce((sum, { value }) => sum + value, 0);
