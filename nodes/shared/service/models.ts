import { isObject, parseJson, toText } from '../lib/json';
import type { Connection } from './connection';
import { isNoAnswer, MAX_LISTING_BYTES, type NoAnswer, type ServiceAnswer } from './http';

export interface ListedModel {
	id: string;
	/** The name of whoever serves it, in the service's own words. */
	owned_by?: string;
}

const TIMEOUT_MS = 15_000;

/** Asks for the list of models at `/v1/models` or its native counterpart. Not documented, but usual. */
export const askForModels = async (
	{ send }: Pick<Connection, 'send'>,
	path: '/v1/models' | '/v1beta/models',
): Promise<ServiceAnswer | NoAnswer> =>
	await send({ method: 'GET', path, timeoutMs: TIMEOUT_MS, maxBytes: MAX_LISTING_BYTES });

/** Reads `{data: [{id}]}` or `{models: [{name: "models/..."}]}`; anything else gives no models. */
export function readModels(answer: ServiceAnswer | NoAnswer): ListedModel[] {
	if (isNoAnswer(answer) || answer.status >= 300) return [];
	const { data, models } = (parseJson(answer.body) ?? {}) as { data?: unknown; models?: unknown };
	const entries = [data, models].find(Array.isArray) ?? [];
	return entries.filter(isObject).flatMap(({ id, name, owned_by }) => {
		const named = toText(id) ?? toText(name);
		return named ? [{ id: named.replace(/^models\//, ''), owned_by: toText(owned_by) }] : [];
	});
}
