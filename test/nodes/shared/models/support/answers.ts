import { type Model, readModel } from '../../../../../nodes/shared/models/readSchema';
import { serviceOf } from '../../../../../nodes/shared/services/list';

/** The fields of a model, as JSON Schema; `*` at the end of a name: required. */
export type Fields = Record<string, object>;

export function toSchema(fields: Fields) {
	const entries = Object.entries(fields);
	const required = entries.flatMap(([name]) => (name.endsWith('*') ? name.slice(0, -1) : []));
	const properties = Object.fromEntries(
		entries.map(([name, field]) => [name.replace(/\*$/, ''), field]),
	);
	return { type: 'object', title: 'Input', properties, ...(required.length > 0 && { required }) };
}

const post = (schema: object) => ({
	post: { requestBody: { required: true, content: { 'application/json': { schema } } } },
});

/** What `GET https://api.fal.ai/v1/models?endpoint_id=...&expand=openapi-3.0` answers. */
export function answerOfFal(id: string, fields: Fields, schemas: object = {}) {
	const status = { schema: { $ref: '#/components/schemas/QueueStatus' } };
	const get = { responses: { 200: { content: { 'application/json': status } } } };
	const paths = {
		[`/${id}/requests/{request_id}/status`]: { get },
		[`/${id}/requests/{request_id}/cancel`]: { put: get },
		[`/${id}`]: post({ $ref: '#/components/schemas/OursInput' }),
	};
	const components = {
		schemas: {
			QueueStatus: { type: 'object', properties: { status: { enum: ['IN_QUEUE'] } } },
			...schemas,
			OursInput: toSchema(fields),
			OursOutput: { type: 'object', properties: { video: {} } },
		},
	};
	const metadata = { category: 'text-to-video', status: 'active' };
	const openapi = { openapi: '3.0.4', components, paths };
	return { models: [{ endpoint_id: id, metadata, openapi }], next_cursor: null, has_more: false };
}

/** What `GET https://api.replicate.com/v1/models/{owner}/{name}` answers. */
export const answerOfReplicate = (fields: Fields, schemas: object = {}) => ({
	visibility: 'public',
	latest_version: {
		id: '0'.repeat(64),
		openapi_schema: {
			openapi: '3.0.2',
			paths: { '/predictions': post({ $ref: '#/components/schemas/PredictionRequest' }) },
			components: {
				schemas: { Input: toSchema(fields), Output: { type: 'string', format: 'uri' }, ...schemas },
			},
		},
	},
});

/** What `GET https://api.kie.ai/api/v1/models/{model}/schema` answers for an inline input. */
export const answerOfKie = (input: object, model = 'ours') => ({
	code: 200,
	msg: 'success',
	data: {
		model,
		openapi: {
			openapi: '3.1.0',
			paths: {
				'/api/v1/jobs/createTask': post({
					type: 'object',
					required: ['model'],
					properties: { model: { type: 'string', enum: [model] }, callBackUrl: {}, input },
				}),
			},
			components: { responses: { 'Error ': { description: 'request failed' } } },
		},
	},
});

/** What the answer of a service shows of a model. */
export const readAt = (api: string, id: string, answer: unknown): Model | undefined =>
	readModel(id, serviceOf({ api }).schema!.find(answer, id));

export const ofFal = (id: string, fields: Fields, schemas?: object): Model =>
	readAt('fal', id, answerOfFal(id, fields, schemas))!;

export const ofReplicate = (id: string, fields: Fields, schemas?: object): Model =>
	readAt('replicate', id, answerOfReplicate(fields, schemas))!;

export const ofKie = (id: string, fields: Fields): Model =>
	readAt('kie', id, answerOfKie(toSchema(fields), id))!;

export const text = { type: 'string' };
export const flag = { type: 'boolean' };
export const whole = { type: 'integer' };
export const address = { type: 'string', format: 'uri' };
export const texts = (more: object = {}) => ({ type: 'array', items: address, ...more });
export const oneOf = (...values: unknown[]) => ({ type: typeof values[0], enum: values });
/** As pydantic writes what may be left out. */
export const orNull = (field: object) => ({ anyOf: [field, { type: 'null' }] });
