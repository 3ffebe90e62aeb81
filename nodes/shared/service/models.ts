import { parseJson, toObject, toObjects, toText } from '../lib/json';
import type { Connection } from './connection';
import { isNoAnswer, MAX_LISTING_BYTES, type NoAnswer, type ServiceAnswer } from './http';

const TIMEOUT_MS = 15_000;

/** Asks for the list of models at `/v1/models` or its native counterpart. Not documented, but usual. */
export const askForModels = async (
	{ send }: Pick<Connection, 'send'>,
	path: '/v1/models' | '/v1beta/models',
): Promise<ServiceAnswer | NoAnswer> =>
	await send({ path, timeoutMs: TIMEOUT_MS, maxBytes: MAX_LISTING_BYTES });

/** Reads `{data: [{id}]}` or `{models: [{name: "models/..."}]}`; anything else gives no models. */
export function readModels(answer: ServiceAnswer | NoAnswer) {
	if (isNoAnswer(answer) || answer.status >= 300) return [];
	const { data, models } = toObject(parseJson(answer.body));
	return toObjects([data, models].find(Array.isArray)).flatMap(({ id, name, owned_by }) => {
		const named = toText(id) ?? toText(name);
		return named ? [{ id: named.replace(/^models\//, ''), owned_by: toText(owned_by) }] : [];
	});
}
