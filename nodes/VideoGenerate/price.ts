import type { IDataObject } from 'n8n-workflow';

import { isNoAnswer } from '../shared/http/answer';
import { parseJson, toObject, toObjects } from '../shared/lib/json';
import { fieldAt } from '../shared/models/body';
import type { Family } from '../shared/models/takes';
import type { Connection } from '../shared/services/connection';
import { askTerms, type Cost, isPositive, toMoney } from '../shared/services/cost';
import { isOfNewApi } from '../shared/services/newApi';
import { askForModels } from '../shared/services/probe';

/** A list price, in the unit that the service shows to people. */
export type ListPrice = Omit<Cost, 'kind'>;

/**
 * Asks New API for its public list of prices. Resolves to a function that returns the list price of a
 * video, before any discount of the account; `undefined` where it cannot be known.
 */
export async function loadPrices(connection: Pick<Connection, 'send'>) {
	const answer = await askForModels(connection, '/api/pricing');
	const isTold = !isNoAnswer(answer) && answer.status < 300 && isOfNewApi(answer);
	const { data, group_ratio } = isTold ? toObject(parseJson(answer.body)) : {};
	const models = new Map(toObjects(data).map((entry) => [entry.model_name, entry]));
	const terms = models.size > 0 ? await askTerms(connection) : undefined;
	const ratio = Number(toObject(group_ratio).default);
	return ({ price }: Family, model: string, request: IDataObject): ListPrice | undefined => {
		const { model_price, billing_mode } = models.get(model) ?? {};
		// With a mode, a formula bills the video.
		if (!terms || !price || billing_mode !== undefined) return undefined;
		const count = price === 'second' ? countSeconds(request) : 1;
		// The price is 0 if tokens are billed.
		const quota = Number(model_price) * ratio * Number(terms.quota_per_unit) * count;
		return isPositive(quota) ? toMoney(terms, quota) : undefined;
	};
}

/** Returns the seconds that New API bills for Veo; NaN for 4k, which has another price. */
function countSeconds(request: IDataObject): number {
	const at = (path: string) => fieldAt(request, path);
	// Written by hand, `size` may stand for 4k.
	if (at('size') !== undefined || at('metadata.resolution') === '4k') return NaN;
	return Number(at('metadata.durationSeconds') ?? at('duration') ?? at('seconds') ?? 8);
}

/** n8n shows hints as HTML, and an operator may call the unit anything. */
export const showUnit = (unit: string) => unit.replace(/[^\p{L}\p{Sc}¤ ]/gu, '').slice(0, 20);

/** Returns words such as "about $0.25" or "about 1.8 CNY". */
export function toPriceWords({ value, unit }: ListPrice): string {
	const shown = value >= 0.1 ? value.toFixed(2) : String(Number(value.toPrecision(2)));
	return unit === 'USD' ? `about $${shown}` : `about ${shown} ${showUnit(unit)}`;
}
