import type { IDataObject } from 'n8n-workflow';

import { valueAt } from '../family/body';
import type { Family } from '../family/family';
import { isObject, parseJson, toObject, toObjects } from '../lib/json';
import type { Connection } from '../service/connection';
import { askTerms, type Cost, isPositive, toMoney } from '../service/cost';
import { isNoAnswer, isOfNewApi } from '../service/http';

/** A list price, in the unit that the service shows to people. */
export type ListPrice = Omit<Cost, 'kind'>;

/**
 * Asks the gateway for its public list of prices. Resolves to a function that returns the list price of a
 * video, before any discount of the account; `undefined` where it cannot be known.
 */
export async function loadPrices({ send }: Pick<Connection, 'send'>) {
	const unknown = (): ListPrice | undefined => undefined;
	const answer = await send({ path: '/api/pricing', timeoutMs: 15_000, maxBytes: 4 * 1024 ** 2 });
	if (isNoAnswer(answer) || answer.status >= 300 || !isOfNewApi(answer)) return unknown;
	const { data, group_ratio } = toObject(parseJson(answer.body));
	const models = new Map(toObjects(data).map((entry) => [entry.model_name, entry]));
	const terms = models.size > 0 && (await askTerms({ send }));
	if (!terms || !isObject(group_ratio)) return unknown;
	return ({ price }: Family, model: string, request: IDataObject): ListPrice | undefined => {
		const entry = models.get(model);
		if (!price || !entry || entry.billing_mode !== undefined || entry.billing_expr !== undefined)
			return undefined;
		const { quota_type, model_price, model_ratio, enable_groups } = entry;
		const groups = [enable_groups].flat();
		const group = groups.find((one) => one === 'default' || one === 'all') ?? groups[0];
		const ratio = group_ratio[group === 'all' ? 'default' : String(group)];
		const at = (path: string) => valueAt(request, path);
		const factor = price.factor?.(at, model) ?? 1;
		const fixed = Number(model_price) * Number(terms.quota_per_unit) * factor;
		const byTokens = Number(model_ratio) * (price.tokens?.(at) ?? NaN);
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
