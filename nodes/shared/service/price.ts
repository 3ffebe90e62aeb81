import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson, toObject, toObjects } from '../lib/json';
import type { Connection } from './connection';
import { askTerms, type Cost, isPositive, toMoney } from './cost';
import { isNoAnswer } from './http';

/** A list price, in the unit that the service shows to people. */
export type ListPrice = Omit<Cost, 'kind'>;

/** Pixels of a Seedance picture; in all shapes about as many. */
const PIXELS: Record<string, number> = {
	'480p': 864 * 480,
	'720p': 1280 * 720,
	'1080p': 1920 * 1080,
	'4k': 3840 * 2160,
};

/** Returns the factor of a request beside the price of its model, by what New API charges at a submit. */
const FACTORS: Record<string, (model: string, request: IDataObject) => number | undefined> = {
	Veo(model, { duration, metadata, size }) {
		const { durationSeconds, resolution } = toObject(metadata);
		// Written by hand, it may stand for a resolution.
		if (size !== undefined) return undefined;
		const seconds = Number(durationSeconds ?? duration ?? 8);
		if (resolution !== '4k' || !model.includes('3.1')) return seconds;
		return seconds * (model.includes('3.1-fast-generate') ? 2.333333 : 1.5);
	},
	...Object.fromEntries(
		['Hailuo', 'Jimeng', 'Kling', 'Seedance', 'Vidu'].map((one) => [one, () => 1]),
	),
};

/** Returns the tokens of a Seedance video, by which the vendor bills; unknown without a resolution. */
function toTokens({ seconds = 5, metadata }: IDataObject): number {
	const { resolution } = toObject(metadata);
	return (PIXELS[String(resolution)] * 24 * Number(seconds)) / 1024;
}

/**
 * Asks the gateway for its public list of prices. Resolves to a function that returns the list price of a
 * video, before any discount of the account; `undefined` where it cannot be known.
 */
export async function loadPrices({ send, traits }: Pick<Connection, 'send' | 'traits'>) {
	const unknown = (): ListPrice | undefined => undefined;
	const answer = await send({ path: '/api/pricing', timeoutMs: 15_000, maxBytes: 4 * 1024 ** 2 });
	if (isNoAnswer(answer) || answer.status >= 300 || !traits.isNewApi) return unknown;
	const { data, group_ratio } = toObject(parseJson(answer.body));
	const models = new Map(toObjects(data).map((entry) => [entry.model_name, entry]));
	const terms = models.size > 0 && (await askTerms({ send }));
	if (!terms || !isObject(group_ratio)) return unknown;
	/** @param family the label of the model's family */
	return (family: string, model: string, request: IDataObject): ListPrice | undefined => {
		const entry = models.get(model);
		if (!entry || entry.billing_mode !== undefined || entry.billing_expr !== undefined)
			return undefined;
		const { quota_type, model_price, model_ratio, enable_groups } = entry;
		const groups = [enable_groups].flat();
		const group = groups.find((one) => one === 'default' || one === 'all') ?? groups[0];
		const ratio = group_ratio[group === 'all' ? 'default' : String(group)];
		const factor = FACTORS[family]?.(model, request) ?? NaN;
		const fixed = Number(model_price) * Number(terms.quota_per_unit) * factor;
		const byTokens = family === 'Seedance' ? Number(model_ratio) * toTokens(request) : NaN;
		const quota = quota_type === 1 ? fixed : byTokens;
		return isPositive(quota) && isPositive(ratio) ? toMoney(terms, quota * ratio) : undefined;
	};
}

/** n8n shows hints as HTML, and an operator may call the unit anything. */
export const showUnit = (unit: string) => unit.replace(/[^\p{L}\p{Sc}¤ ]/gu, '').slice(0, 10);

/** Returns words such as "about $0.25" or "about 1.8 CNY". */
export function toPriceWords({ value, unit }: ListPrice): string {
	const shown = value >= 0.1 ? value.toFixed(2) : String(Number(value.toPrecision(2)));
	return unit === 'USD' ? `about $${shown}` : `about ${shown} ${showUnit(unit)}`;
}
