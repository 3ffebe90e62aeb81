import type { IDataObject } from 'n8n-workflow';

import { readReason } from '../failure/reason';
import { isNoAnswer, RECORD_LIMITS } from '../http/answer';
import { isPositive, parseJson, toObject, toText } from '../lib/json';
import type { Connection } from './connection';

/** The cost of a render, in the unit that the service shows to people. */
export interface Cost {
	value: number;
	/** `USD`, `CNY`, `tokens`, or a symbol that the operator has chosen. */
	unit: string;
	/** `estimate`: the amount charged at the submit; the service settles it later. */
	kind: 'estimate' | 'final';
}

/** The charge in New API's record of a task; `quota` is in its own units. */
export type Charge = NonNullable<ReturnType<typeof readCharge>>;

/** New API's types of channel that bill by the vendor's tokens once the render is done. */
const SETTLED_LATER = ['45', '54'];

/** Returns the charge in a record. A record that does not tell also says 0, so 0 does not mean free. */
export function readCharge({ quota, platform }: IDataObject) {
	if (!isPositive(quota)) return undefined;
	const channel = toText(platform);
	return { quota, settledLater: channel === undefined || SETTLED_LATER.includes(channel) };
}

/** Resolves to what New API tells publicly of its units; `undefined` if it cannot be asked now. */
export async function askTerms(
	{ send }: Pick<Connection, 'send'>,
	limitMs = Infinity,
): Promise<IDataObject | undefined> {
	const answer = await send({ path: '/api/status', limitMs, ...RECORD_LIMITS });
	if (isNoAnswer(answer) || readReason('list', answer).passes) return undefined;
	return answer.status >= 300 ? {} : toObject(toObject(parseJson(answer.body)).data);
}

/** Returns what units of quota are worth; `undefined` if the deployment does not tell. */
export function toMoney(terms: IDataObject, quota: number): Omit<Cost, 'kind'> | undefined {
	const perUnit = terms.quota_per_unit;
	const units = new Map<unknown, [rate: unknown, unit: string | undefined]>([
		['TOKENS', [perUnit, 'tokens']],
		['CNY', [terms.usd_exchange_rate, 'CNY']],
		['CUSTOM', [terms.custom_currency_exchange_rate, toText(terms.custom_currency_symbol)]],
	]);
	const [rate, unit] = units.get(terms.quota_display_type) ?? [1, 'USD'];
	if (!isPositive(perUnit) || !isPositive(rate) || !unit) return undefined;
	const value = Number(((quota / perUnit) * rate).toFixed(6));
	// A cost that rounds to 0 must not look free.
	return value > 0 ? { value, unit } : undefined;
}

/**
 * Returns a function that prices charges; for the first, it asks for New API's terms, and for later
 * ones, too, until New API has answered.
 */
export function createPrices(connection: Pick<Connection, 'send'>) {
	let asking: Promise<IDataObject | undefined> | undefined;
	/**
	 * Resolves to `undefined` if the deployment does not tell what its units are worth.
	 *
	 * @param limitMs how long the first caller can wait for the terms, in milliseconds
	 */
	return async ({ quota, settledLater }: Charge, limitMs: number): Promise<Cost | undefined> => {
		// All videos of a batch that are ready at the same time wait for one answer.
		const terms = await (asking ??= askTerms(connection, limitMs));
		if (!terms) asking = undefined;
		const money = terms && toMoney(terms, quota);
		return money && { ...money, kind: settledLater ? 'estimate' : 'final' };
	};
}
