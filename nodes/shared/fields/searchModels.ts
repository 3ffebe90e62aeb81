import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { openConnection } from '../service/connection';
import { isNoAnswer } from '../service/http';
import { askForModels, readModels } from '../service/models';
import { toTrouble } from '../service/trouble';
import { DOCUMENTED_TEXT_MODELS, DOCUMENTED_VIDEO_MODELS } from './model';


/** Names of video models: the listings hold every kind of model and do not say which is which. */
const VIDEO_WORDS =
	/veo|seedance|video|kling|sora|hailuo|vidu|pixverse|runway|luma|wan\d|wan-|t2v|i2v/i;
const TEXT_WORDS = /gemini/i;
const NOT_TEXT_WORDS = /embedding|veo|tts|live|video/i;

/** `GET /v1/models` with Bearer. Not documented, but usual; without it, the documented examples. */
export async function searchVideoModels(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const ids = await listModels(this, 'videoGenerationApi', '/v1/models');
	const video = ids.filter((id) => VIDEO_WORDS.test(id));
	return toResult(firstFilled(video, ids, DOCUMENTED_VIDEO_MODELS), filter);
}

/** `GET /v1beta/models` with the native key, likewise. */
export async function searchTextModels(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const ids = await listModels(this, 'nativeTextApi', '/v1beta/models');
	const text = ids.filter((id) => TEXT_WORDS.test(id) && !NOT_TEXT_WORDS.test(id));
	return toResult(firstFilled(text, ids, DOCUMENTED_TEXT_MODELS), filter);
}

const firstFilled = (...lists: string[][]) => lists.find((list) => list.length > 0) ?? [];

/** Model ids, or none where the deployment lists none; a refused key is worth an error. */
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
	// No model has the key for a name.
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
