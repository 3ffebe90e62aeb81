import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { findFamily } from '../family/families';
import { parseJson, toObject, toObjects, toText } from '../lib/json';
import { type Connection, openConnection } from '../service/connection';
import { isNoAnswer, type NoAnswer, type ServiceAnswer } from '../service/http';
import { toTrouble } from '../service/trouble';

/** Both paths are undocumented but usual. Their lists do not say a model's kind; its name does. */
const KINDS = {
	video: {
		credential: 'videoGenerationApi',
		path: '/v1/models',
		isOfKind: (id: string) =>
			findFamily(id) !== undefined || /video|pixverse|runway|luma|t2v|i2v/i.test(id),
		/** The documentation's examples, for a service that lists no models. */
		documented: [
			'doubao-seedance-1-5-pro-251215',
			'dreamina-seedance-2-0-fast',
			'veo-3.1-fast-generate-001',
			'veo-3.1-lite-generate-001',
		],
	},
	text: {
		credential: 'geminiCompatibleApi',
		path: '/v1beta/models',
		isOfKind: (id: string) => /^(?!.*(embedding|veo|tts|live|video)).*gemini/i.test(id),
		documented: [
			'gemini-2.5-flash',
			'gemini-2.5-pro',
			'gemini-3-flash-preview',
			'gemini-3-pro-preview',
			'gemini-3.1-pro-preview',
		],
	},
} as const;

/** Resolves to the models for the editor's list; throws if the key is refused or nothing answers. */
export async function searchModels(
	context: ILoadOptionsFunctions,
	kind: keyof typeof KINDS,
	filter = '',
): Promise<INodeListSearchResult> {
	const { credential, path, isOfKind, documented } = KINDS[kind];
	const connection = await openConnection(context, credential);
	const { redact } = connection;
	const answer = await askForModels(connection, path);
	if (isNoAnswer(answer) || answer.status === 401 || answer.status === 403) {
		const { message, description = '' } = toTrouble(answer);
		const told = { message: redact(message), description: redact(description) };
		throw new NodeApiError(context.getNode(), { message: told.message }, told);
	}
	// An ID that contains a key is no model.
	const ids = readModels(answer).map(({ id }) => id);
	const listed = ids.filter((id) => redact(id) === id).sort();
	const ofKind = listed.filter(isOfKind);
	const [shown] = [ofKind, listed, documented].filter((list) => list.length > 0);
	const wanted = filter.toLowerCase();
	const results = shown
		.filter((id) => id.toLowerCase().includes(wanted))
		.map((id) => ({ name: id, value: id }));
	return { results };
}

export const askForModels = async (
	{ send }: Connection,
	path: '/v1/models' | '/v1beta/models',
): Promise<ServiceAnswer | NoAnswer> =>
	await send({ path, timeoutMs: 15_000, maxBytes: 4 * 1024 ** 2 });

/** Reads `{data: [{id}]}` or `{models: [{name: "models/..."}]}`; anything else gives no models. */
export function readModels(answer: ServiceAnswer | NoAnswer) {
	if (isNoAnswer(answer) || answer.status >= 300) return [];
	const { data, models } = toObject(parseJson(answer.body));
	return toObjects([data, models].find(Array.isArray)).flatMap(({ id, name, owned_by }) => {
		const named = toText(id) ?? toText(name);
		return named ? [{ id: named.replace(/^models\//, ''), owned_by: toText(owned_by) }] : [];
	});
}
