import type { IDataObject } from 'n8n-workflow';

import { isNoAnswer, RECORD_LIMITS } from '../shared/http/answer';
import { isPositive, parseJson, toObject, toObjects } from '../shared/lib/json';
import { startOf } from '../shared/lib/text';
import { fieldAt } from '../shared/models/body';
import { familyNamed } from '../shared/models/families/families';
import type { Family } from '../shared/models/takes';
import type { Connection } from '../shared/services/connection';
import type { ListPrice, WrittenVideo } from '../shared/services/contract';
import { askTerms, toMoney } from '../shared/services/cost';
import { isOfNewApi } from '../shared/services/newApi';
import { askForModels } from '../shared/services/probe';
import type { VideoJob } from './job';

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
	return ({ price }: Family, model: string, request: IDataObject) => {
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

/** An operator may call the unit anything. */
export const showUnit = (unit: string) => unit.replace(/[^\p{L}\p{Sc}¤ -]/gu, '').slice(0, 40);

/** Of a service's own words. */
const MAX_WORDS_CHARS = 120;

/** Returns words such as "about $0.25", "about 1.8 CNY", "0.05 USD per second", or the service's own. */
export function toPriceWords(price: ListPrice): string {
	if ('words' in price) return startOf(price.words, MAX_WORDS_CHARS);
	const { value, unit } = price;
	if (isRate(price)) return `${Number(value.toPrecision(4))} ${showUnit(unit)}`;
	return `about ${toShortPrice({ value, unit })}`;
}

/** Returns an amount such as "$0.25" or "1.8 CNY". */
export function toShortPrice({ value, unit }: Exclude<ListPrice, { words: string }>): string {
	const shown = value >= 0.1 ? value.toFixed(2) : String(Number(value.toPrecision(2)));
	return unit === 'USD' ? `$${shown}` : `${shown} ${showUnit(unit)}`;
}

/** Returns whether a price is that of a second, an image or the like: several have no sum. */
export const isRate = (price: ListPrice): boolean =>
	!('unit' in price) || price.unit.includes(' per ');

/** Returns what tells the list price of a job's video: that of its family at New API, or what the service tells of its request. */
export function createJobPrices(connection: Connection) {
	let prices: ReturnType<typeof loadPrices> | undefined;
	const priceOf = createListPrices(connection);
	return async ({ model, family: label, request }: JobToPrice): Promise<ListPrice | undefined> => {
		if (!request) return undefined;
		const { video } = request;
		const family = familyNamed(label ?? '');
		if (!family) return await priceOf(video);
		prices ??= loadPrices(connection);
		return (await prices)(family, model, connection.service.toSubmit(video).body);
	};
}

type JobToPrice = Pick<VideoJob, 'model' | 'family' | 'request'>;

/**
 * Returns what asks a service for the price of each request, of equal ones once; resolves to `undefined` if it does
 * not tell.
 */
function createListPrices({ send, service }: Pick<Connection, 'send' | 'service'>) {
	const asked = new Map<string, ReturnType<typeof send>>();
	return async (video: WrittenVideo): Promise<ListPrice | undefined> => {
		if (!service.price) return undefined;
		const { at, body } = service.price.at(video);
		const key = JSON.stringify([at, body]);
		const reading = asked.get(key) ?? send({ ...at, body, ...RECORD_LIMITS });
		asked.set(key, reading);
		const answer = await reading;
		const isTold = !isNoAnswer(answer) && answer.status < 300;
		return isTold ? service.price.read(parseJson(answer.body), video) : undefined;
	};
}
