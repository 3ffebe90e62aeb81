import type { IDataObject } from 'n8n-workflow';

import { type Billed, isFailure } from '../shared/failure/failure';
import { sentences, toCount, toDuration } from '../shared/lib/text';
import type { Made } from '../shared/lib/mediaType';
import type { ItemResult } from '../shared/n8n/output';
import { nameOf } from '../shared/services/videoTask';
import type { Outcome } from '../shared/task/render';
import type { ListPrice } from '../shared/services/contract';
import type { Cost } from '../shared/services/cost';
import { isRate, showUnit, toPriceWords } from './price';

/** How the work on an item ended, and what the item became. */
export interface Ended {
	outcome: NonNullable<Outcome>;
	result?: ItemResult;
	makes?: Made;
	/** What the list says, if the service does not tell what it has cost. */
	listPrice?: ListPrice;
}

/** How videos end, in the order in which they are counted. */
const SUBMITTED = ['done', 'failed', 'still rendering'] as const;
const NO_TASK = ['refused', 'unclear'] as const;
type End = (typeof SUBMITTED | typeof NO_TASK)[number];

/** Of items without a task, or whose work broke off. */
const BY_BILL: Record<Billed, End> = { yes: 'failed', no: 'refused', unknown: 'unclear' };

function toEnd({ outcome, result }: Ended): End {
	if (isFailure(outcome)) return BY_BILL[outcome.billed];
	const { state } = outcome;
	// The download of a finished render may have failed.
	if (state === 'failed' || (state === 'done' && isFailure(result))) return 'failed';
	return state === 'done' ? 'done' : 'still rendering';
}

/**
 * Returns the sum of a run in words, such as "5 videos in 12 s: 4 submitted (3 done, 1 failed), 1
 * refused. Cost: 1.2 USD.", and whether a person has to look at one of the videos.
 *
 * @param dryRuns the items of dry runs
 * @param tellsPrices the service tells prices before an order
 */
export function toSummary(
	ended: Ended[],
	dryRuns: IDataObject[],
	durationMs: number,
	tellsPrices = true,
) {
	const ends = ended.map(toEnd);
	const prices = dryRuns.map(({ list_price }) => list_price as ListPrice | undefined);
	const costs = ended.flatMap(({ outcome }) =>
		!isFailure(outcome) && outcome.state === 'done' ? [outcome.render.task.cost] : [],
	);
	const listed = ended.map(({ listPrice }) => listPrice);
	const isEstimate = costs.some((cost) => cost?.kind === 'estimate');
	const words = sentences(
		dryRuns.length > 0 &&
			`Dry Run: ${toCount(dryRuns.length, 'request')} checked, and nothing submitted`,
		(tellsPrices && sayPrices(prices)) ||
			(dryRuns.length > 0 && (tellsPrices ? UNKNOWN : NO_PRICES)),
		(ends.length > 0 || dryRuns.length === 0) &&
			`${countAll(ended)} in ${toDuration(durationMs)}${countEnds(ends)}`,
		toSum('Cost', costs, ({ value, unit }) => {
			return `${isEstimate ? 'about ' : ''}${Number(value.toFixed(6))} ${showUnit(unit)}`;
		}) ?? sayPrices(listed, 'Cost: not told by the service. By the list'),
	)!;
	return { words, isWarning: ends.includes('unclear') };
}

const UNKNOWN = 'The list price of such a request is not known';
const NO_PRICES = 'The service tells no price before the order: look at its price page';

/** Returns how many there are of what: videos as far as nobody knows better. */
function countAll(ended: Ended[]): string {
	const names = ended.map(({ outcome, makes }) =>
		nameOf(isFailure(outcome) ? { makes } : { makes, ...outcome.render.task }),
	);
	const [name = 'video'] = names;
	const isOne = names.every((one) => one === name);
	return toCount(names.length, isOne ? name : 'task');
}

function countEnds(ends: End[]): string {
	const count = (some: readonly End[]) =>
		some.flatMap((one) => {
			const { length } = ends.filter((end) => end === one);
			return length > 0 ? [`${length} ${one}`] : [];
		});
	const submitted = count(SUBMITTED);
	const total = ends.filter((end) => SUBMITTED.some((one) => one === end)).length;
	const all = total > 0 ? [`${total} submitted (${submitted.join(', ')})`] : [];
	const parts = [...all, ...count(NO_TASK)];
	return parts.length > 0 ? `: ${parts.join(', ')}` : '';
}

type Amount = Omit<Cost, 'kind'>;

/** Returns the sum of the list prices, or each one that differs, if they have no sum. */
function sayPrices(prices: Array<ListPrice | undefined>, what = 'List price'): string | undefined {
	const known = prices.filter((price) => price !== undefined);
	if (!known.some(isRate)) return toSum(what, prices as Amount[], toPriceWords);
	const words = [...new Set(known.map(toPriceWords))];
	return `${what}: ${words.slice(0, MAX_PRICES).join('; ')}`;
}

const MAX_PRICES = 3;

/** Returns words such as "Cost: 1.2 USD", and of how many videos if not of all; one service has one unit. */
function toSum(
	what: string,
	amounts: Array<Amount | undefined>,
	toWords: (sum: Amount) => string,
): string | undefined {
	const known = amounts.filter((amount) => amount !== undefined);
	if (known.length === 0) return undefined;
	const part = known.length < amounts.length ? ` of ${known.length} of ${amounts.length}` : '';
	const value = known.reduce((sum, amount) => sum + amount.value, 0);
	return `${what}${part}: ${toWords({ ...known[0], value })}`;
}
