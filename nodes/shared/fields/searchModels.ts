import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { openConnection } from '../service/connection';
import { isNoAnswer } from '../service/http';
import { askForModels, readModels } from '../service/models';
import { toTrouble } from '../service/trouble';

/** The documentation's examples, for a service that lists no models. */
const DOCUMENTED_VIDEO_MODELS = [
	'doubao-seedance-1-5-pro-251215',
	'dreamina-seedance-2-0-fast',
	'veo-3.1-fast-generate-001',
	'veo-3.1-lite-generate-001',
];

const DOCUMENTED_TEXT_MODELS = [
	'gemini-2.5-flash',
	'gemini-2.5-pro',
	'gemini-3-flash-preview',
	'gemini-3-pro-preview',
	'gemini-3.1-pro-preview',
];

/** Words in names of video models: the lists do not say which kind a model is. */
const VIDEO_WORDS =
	/veo|seedance|video|kling|sora|hailuo|vidu|pixverse|runway|luma|wan\d|wan-|t2v|i2v/i;
const TEXT_WORDS = /gemini/i;
const NOT_TEXT_WORDS = /embedding|veo|tts|live|video/i;

/** Asks `GET /v1/models` with a Bearer key, which is undocumented but usual. */
export async function searchVideoModels(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const ids = await listModels(this, 'videoGenerationApi', '/v1/models');
	const video = ids.filter((id) => VIDEO_WORDS.test(id));
	return toResult(firstFilled(video, ids, DOCUMENTED_VIDEO_MODELS), filter);
}

/** Asks `GET /v1beta/models` with the native key, which is also undocumented but usual. */
export async function searchTextModels(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const ids = await listModels(this, 'nativeTextApi', '/v1beta/models');
	const text = ids.filter((id) => TEXT_WORDS.test(id) && !NOT_TEXT_WORDS.test(id));
	return toResult(firstFilled(text, ids, DOCUMENTED_TEXT_MODELS), filter);
}

const firstFilled = (...lists: string[][]) => lists.find((list) => list.length > 0) ?? [];

/** Resolves to the model IDs, none if the deployment lists none; throws if the key is refused. */
async function listModels(
	context: ILoadOptionsFunctions,
	credential: string,
	path: '/v1/models' | '/v1beta/models',
): Promise<string[]> {
	const connection = await openConnection(context, credential);
	const { redact } = connection;
	const answer = await askForModels(connection, path);
	if (isNoAnswer(answer)) throw toListError(context, answer.message);
	if (answer.status === 401 || answer.status === 403) {
		const { message, description } = toTrouble(answer);
		throw toListError(context, redact(message), description && redact(description));
	}
	// An ID that contains a key is no model.
	const ids = readModels(answer).map(({ id }) => id);
	return ids.filter((id) => redact(id) === id).sort();
}

function toListError(context: ILoadOptionsFunctions, message: string, description?: string) {
	return new NodeApiError(context.getNode(), { message }, { message, description });
}

function toResult(ids: string[], filter = ''): INodeListSearchResult {
	const wanted = filter.toLowerCase();
	const results = ids
		.filter((id) => id.toLowerCase().includes(wanted))
		.map((id) => ({ name: id, value: id }));
	return { results };
}
