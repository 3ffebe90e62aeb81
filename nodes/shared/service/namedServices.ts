import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson, toObject, toObjects, toText } from '../lib/json';
import { toPathSegment } from '../lib/text';
import { isNoAnswer, type NoAnswer, type ServiceAnswer } from './http';
import { readStatement } from './serviceWords';

/** A request for a video in the names of the model's own schema. */
export interface ModelRequest extends IDataObject {
	model: string;
	input: IDataObject;
}

/** A path at one of the service's own addresses; without `origin`, at that of submits and polls. */
export interface OwnPath {
	path: string;
	origin?: string;
}

/** A model in a service's list; `name` is for people. */
interface NamedModel {
	id: string;
	name?: string;
}

/** A service with a contract of its own and a schema for each model: data. */
export interface NamedService {
	name: ServiceName;
	label: string;
	/** Its own addresses. Submits and polls go to the first; a Base URL in the credential replaces all. */
	origins: readonly [string, ...string[]];
	/** The word before the key in Authorization. */
	scheme: 'Bearer' | 'Key';
	/** What is free, and needs the right key; the second one asks for a task that does not exist. */
	tests: [OwnPath, ...OwnPath[]];
	/** Returns the path and the body of a submit. */
	toSubmit: (request: ModelRequest) => { path: string; body: IDataObject };
	/** Returns the task ID, if it is not where others have it. */
	readTaskId?: (answer: unknown, model: string) => string | undefined;
	taskPath: (task_id: string) => string;
	/** Returns an answer with the status that it means, if that is not HTTP's. */
	toAnswer?: (answer: ServiceAnswer) => ServiceAnswer;
	/**
	 * Returns the record of a task in a form that all services have.
	 *
	 * @param ask gets what the record leaves out
	 */
	toRecord?: (
		answer: ServiceAnswer,
		task_id: string,
		ask: (path: string) => Promise<ServiceAnswer | NoAnswer>,
	) => ServiceAnswer | Promise<ServiceAnswer | NoAnswer>;
	/** Where it takes the files of images, of which it otherwise takes addresses alone. */
	upload?: OwnPath;
	/** Returns where a model's schema is, and how long it holds. */
	schema: (model: string) => OwnPath & { keepMs: number };
	/** Where its video models are listed. */
	lists: OwnPath[];
	readList: (answer: IDataObject) => NamedModel[];
}

export type ServiceName = 'fal' | 'kie' | 'replicate';

const MINUTE_MS = 60_000;
/** A model's path, of which the slashes are part. */
const toModelPath = (model: string) => model.split('/').map(toPathSegment).join('/');

const FAL_API = 'https://api.fal.ai';
/**
 * A task as fal's addresses have it. A poll takes the owner and the app of a model, perhaps behind a
 * namespace (fal-js 1.10, `parseEndpointId`), and no further path.
 */
const FAL_TASK =
	/^(?:https?:\/\/[^/]+)?\/?((?:(?:workflows|comfy)\/)?[^/]+\/[^/]+)\/(?:.+\/)?requests\/([^/?#]+)/;
const FAL_APP = /^(?:(?:workflows|comfy)\/)?[^/]+\/[^/]+/;

function toFalPath(task_id: string): string {
	const [, app, id] = FAL_TASK.exec(task_id) ?? [];
	return `/${toModelPath(app ? `${app}/requests/${id}` : task_id)}`;
}

/** fal.ai/docs, queue and platform APIs; fal-js, August 2026. */
const fal: NamedService = {
	name: 'fal',
	label: 'fal',
	// A submit to the last one would render while the caller waits (fal.ai/docs), so it is not taken as a proxy.
	origins: ['https://queue.fal.run', FAL_API, 'https://fal.run'],
	scheme: 'Key',
	// The list of models also comes without a key.
	tests: [
		{ origin: FAL_API, path: '/v1/models?limit=1' },
		{ path: '/fal-ai/veo3.1/requests/00000000-0000-0000-0000-000000000000/status' },
	],
	toSubmit: ({ model, input }) => ({ path: `/${toModelPath(model)}`, body: input }),
	readTaskId(answer, model) {
		const { request_id, status_url, response_url } = toObject(answer);
		const app = FAL_APP.exec(model)?.[0] ?? model;
		// In front of it may stand the path of a proxy.
		const own = toPath(status_url ?? response_url).split(`/${app}/requests/`)[1];
		const id = own?.split('/')[0] ?? toText(request_id);
		return id && `${app}/requests/${id}`;
	},
	taskPath: (task_id) => `${toFalPath(task_id)}/status`,
	async toRecord(answer, task_id, ask) {
		const { error, status, response_url } = toObject(parseJson(answer.body));
		if (status !== 'COMPLETED') return answer;
		if (error)
			return withBody(answer, { status: 'FAILED', error: readStatement(answer.body).words });
		const path = toFalPath(task_id);
		// The address of a result sometimes ends in /response.
		const result = await ask(path + (toPath(response_url).split(path)[1] ?? ''));
		if (isNoAnswer(result)) return result;
		const fields = parseJson(result.body);
		if (result.status < 300 && isObject(fields)) {
			const units = Number(result.headers['x-fal-billable-units']);
			return withBody(result, { ...fields, billable_units: units || undefined, status });
		}
		const { detail } = toObject(fields);
		// Its answer to a fetch of the result that comes too early.
		if (result.status === 400 && /in progress/i.test(String(detail))) {
			return withBody(answer, { status: 'IN_PROGRESS' });
		}
		if (!isOfModel(result.status, detail)) return result;
		return withBody(answer, { status: 'FAILED', error: readStatement(result.body).words });
	},
	schema: (model) => ({
		origin: FAL_API,
		path: `/v1/models?endpoint_id=${encodeURIComponent(model)}&expand=openapi-3.0`,
		keepMs: 10 * MINUTE_MS,
	}),
	lists: ['text-to-video', 'image-to-video'].map((category) => ({
		origin: FAL_API,
		path: `/v1/models?category=${category}&status=active&limit=1000`,
	})),
	readList: ({ models }) =>
		toObjects(models).flatMap(({ endpoint_id, metadata }) => {
			const id = toText(endpoint_id);
			return id ? [{ id, name: toText(toObject(metadata).display_name) }] : [];
		}),
};

/** Statuses of fal's queue and not of a model: about the key, the address, or the number of requests. */
const OF_QUEUE = [401, 403, 404, 405, 408, 409, 425, 429];

/** Returns whether fal's answer to a fetch of the result is the model's own: of 5xx, only a list is. */
const isOfModel = (status: number, detail: unknown): boolean =>
	Array.isArray(detail) ||
	(status >= 400 && status < 500 && !OF_QUEUE.includes(status) && !!detail);

/** replicate.com/docs, HTTP API; replicate-javascript 1.4, November 2025. */
const replicate: NamedService = {
	name: 'replicate',
	label: 'Replicate',
	origins: ['https://api.replicate.com'],
	scheme: 'Bearer',
	tests: [{ path: '/v1/account' }],
	// Takes "owner/name" of official models as well as "owner/name:version".
	toSubmit: ({ model, input }) => ({ path: '/v1/predictions', body: { version: model, input } }),
	taskPath: (task_id) => `/v1/predictions/${toPathSegment(task_id)}`,
	schema: (model) => ({
		path: `/v1/models/${toModelPath(model.split(':')[0])}`,
		keepMs: 10 * MINUTE_MS,
	}),
	lists: ['text-to-video', 'image-to-video'].map((slug) => ({ path: `/v1/collections/${slug}` })),
	readList: ({ models }) =>
		toObjects(models).flatMap(({ owner, name }) =>
			toText(owner) && toText(name) ? [{ id: `${toText(owner)}/${toText(name)}` }] : [],
		),
};

/** docs.kie.ai, August to October 2026. */
const kie: NamedService = {
	name: 'kie',
	label: 'kie.ai',
	origins: ['https://api.kie.ai', 'https://kieai.redpandaai.co'],
	scheme: 'Bearer',
	tests: [{ path: '/api/v1/chat/credit' }],
	toSubmit: ({ model, input }) => ({
		path: '/api/v1/jobs/createTask',
		body: { model, input },
	}),
	taskPath: (task_id) => `/api/v1/jobs/recordInfo?taskId=${encodeURIComponent(task_id)}`,
	/** HTTP says 200 of a refusal, too; the code in the body decides. */
	toAnswer(answer) {
		const { code, data } = toObject(parseJson(answer.body));
		const isRecord = toText(toObject(data).state) !== undefined;
		const isRefusal = typeof code === 'number' && code >= 400;
		if (answer.status !== 200 || isRecord || !isRefusal) return answer;
		return { ...answer, status: code };
	},
	toRecord(answer) {
		const { code, msg, data } = toObject(parseJson(answer.body));
		const { state, failMsg } = toObject(data);
		if (toText(state)) return answer;
		// "recordInfo is null", for some seconds after the submit.
		if (code === 422) return { ...answer, status: 404 };
		// The model's vendor was silent for ten minutes, or the render has failed.
		return code === 408 || code === 501
			? withBody(answer, { data: { state: 'fail', failMsg: failMsg ?? msg } })
			: answer;
	},
	upload: { origin: 'https://kieai.redpandaai.co', path: '/api/file-stream-upload' },
	schema: (model) => ({
		path: `/api/v1/models/${toModelPath(model)}/schema`,
		// It answers 429 after a few calls.
		keepMs: 24 * 60 * MINUTE_MS,
	}),
	lists: [{ path: '/api/v1/models' }],
	readList: ({ data }) =>
		toObjects(toObject(data).models)
			.filter(({ taskType }) => /\b(text|image)[ -]to[ -]video\b/i.test([taskType].flat().join()))
			.flatMap(({ model, title }) => {
				const id = toText(model);
				return id ? [{ id, name: toText(title) }] : [];
			}),
};

const NAMED_SERVICES: NamedService[] = [fal, kie, replicate];

/** Returns the service that a credential names; `undefined` for a gateway or an API of its own. */
export const namedService = ({ api }: Record<string, unknown>): NamedService | undefined =>
	NAMED_SERVICES.find(({ name }) => name === api);

const toPath = (url: unknown): string =>
	URL.canParse(String(url)) ? new URL(String(url)).pathname : '';

const withBody = (answer: ServiceAnswer, body: IDataObject): ServiceAnswer => ({
	...answer,
	status: 200,
	body: JSON.stringify(body),
});
