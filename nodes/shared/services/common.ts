import type { IDataObject } from 'n8n-workflow';

import type { ServiceAnswer } from '../http/answer';
import { toObjects, toText } from '../lib/json';
import { toPathSegment } from '../lib/text';
import type { ListedModel } from './contract';

// What several services have in common.

export const MINUTE_MS = 60_000;

export const toBearer = (key: string) => ({ Authorization: `Bearer ${key}` });

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
