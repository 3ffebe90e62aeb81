import type { IDataObject } from 'n8n-workflow';

import { type Reason, readReason } from '../failure/reason';
import { isNoAnswer, type NoAnswer, type ServiceAnswer } from '../http/answer';
import type { Body } from '../http/body';
import { toForm } from '../http/form';
import { extensionOf } from '../lib/mediaType';
import { parseJson, toObject, toObjects, toText, valueAt } from '../lib/json';
import { toPathSegment } from '../lib/text';
import type { ListedModel, UploadedFile } from './contract';

// What several services have in common.

export const MINUTE_MS = 60_000;

export const toBearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** Carries a key of the Gemini API. */
export const GOOGLE_KEY_HEADER = 'x-goog-api-key';

/** Returns a model's path, of which the slashes are part. */
export const toModelPath = (model: string) => model.split('/').map(toPathSegment).join('/');

/** Returns an answer of success with another body. */
export const withBody = (answer: ServiceAnswer, body: IDataObject): ServiceAnswer => ({
	...answer,
	status: 200,
	body: JSON.stringify(body),
});

/** Reads `{data: [{id}]}` or `{models: [{name: "models/..."}]}`; anything else gives no models. */
export const readModels = ({ data, models }: IDataObject): ListedModel[] =>
	toObjects([data, models].find(Array.isArray)).flatMap(({ id, name, owned_by }) => {
		const named = toText(id) ?? toText(name);
		return named ? [{ id: named.replace(/^models\//, ''), owned_by: toText(owned_by) }] : [];
	});

/** Where gateways list their models, as OpenAI does. */
export const OPENAI_LIST = { lists: [{ path: '/v1/models' }], readList: readModels };

/**
 * Returns an answer with the status that its envelope names, if that is not HTTP's, unless it is a task's
 * record: the code beside one is about something else.
 *
 * @param stateAt where a record has its state
 */
export function withCodeAsStatus(answer: ServiceAnswer, stateAt: string): ServiceAnswer {
	const body = parseJson(answer.body);
	const { code } = toObject(body);
	const isRecord = toText(valueAt(body, stateAt)) !== undefined;
	const isNo = /^[45]\d\d$/.test(String(code));
	return answer.status === 200 && !isRecord && isNo ? { ...answer, status: Number(code) } : answer;
}

/** Returns a name for a file that no other has. */
export const fileNameOf = ({ mimeType }: UploadedFile) =>
	`${crypto.randomUUID()}.${extensionOf(mimeType)}`;

/**
 * Uploads the fields of a form, which has a file.
 *
 * @param at where the answer has the address of the file
 */
export async function uploadAsForm(
	fields: Record<string, Buffer | string>,
	send: (form: Body) => Promise<ServiceAnswer | NoAnswer>,
	at: string,
): Promise<string | Reason> {
	const answer = await send(toForm(fields));
	const isDone = !isNoAnswer(answer) && answer.status < 300;
	const url = isDone ? toText(valueAt(parseJson(answer.body), at)) : undefined;
	return url ?? readReason('list', answer);
}
