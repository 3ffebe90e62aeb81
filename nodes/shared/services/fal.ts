import { readStatement } from '../failure/statement';
import { isNoAnswer } from '../http/answer';
import { isObject, parseJson, toObject, toObjects, toText, valueAt } from '../lib/json';
import { pathOf, placeOf } from '../lib/url';
import { MINUTE_MS, toModelPath, withBody } from './common';
import type { Service } from './contract';

const API = 'https://api.fal.ai';
/**
 * A task as fal's addresses have it. A poll takes the owner and the app of a model, perhaps behind a
 * namespace (fal-js 1.10, `parseEndpointId`), and no further path.
 */
const TASK =
	/^(?:https?:\/\/[^/]+)?\/?((?:(?:workflows|comfy)\/)?[^/]+\/[^/]+)\/(?:.+\/)?requests\/([^/?#]+)/;
const APP = /^(?:(?:workflows|comfy)\/)?[^/]+\/[^/]+/;

/** Its page of a model, with tabs, and its addresses of an order. */
const PAGE =
	/^(?:fal\.ai\/models|(?:queue\.)?fal\.run)\/(.+?)(?:\/(?:api|playground|llms\.txt|requests(?:\/.*)?))?\/?$/;

/** `error_type` of its queue, and `type` of a model's error, of those that are 5xx (fal.ai/docs, 2026-11). */
const BROKE_OFF =
	/^((request|startup|generation)_timeout|runner_\w+|internal_(server_)?error|downstream_service_unavailable)$/;

function toTaskPath(task_id: string): string {
	const [, app, id] = TASK.exec(task_id) ?? [];
	return `/${toModelPath(app ? `${app}/requests/${id}` : task_id)}`;
}

/** fal.ai/docs, queue and platform APIs; fal-js, August 2026. */
export const fal: Service = {
	name: 'fal',
	label: 'fal',
	description: 'Your account at fal.ai',
	// A submit to the last one would render while the caller waits (fal.ai/docs), so it is not taken as a proxy.
	origins: ['https://queue.fal.run', API, 'https://fal.run'],
	headers: (key) => ({ Authorization: `Key ${key}` }),
	writing: 'schema',
	toSubmit: ({ model, fields }) => ({ path: `/${toModelPath(model)}`, body: fields }),
	readTaskId(answer, model) {
		const { request_id, status_url, response_url } = toObject(answer);
		const app = APP.exec(model)?.[0] ?? model;
		// In front of it may stand the path of a proxy.
		const own = pathOf(status_url ?? response_url).split(`/${app}/requests/`)[1];
		const id = own?.split('/')[0] ?? toText(request_id);
		return id && `${app}/requests/${id}`;
	},
	taskPath: (task_id) => `${toTaskPath(task_id)}/status`,
	async toRecord(answer, task_id, ask) {
		const { error, error_type, status, response_url } = toObject(parseJson(answer.body));
		if (status !== 'COMPLETED') return answer;
		const fail = (body: string, type: unknown) =>
			withBody(answer, {
				status: 'FAILED',
				error: readStatement(body).words,
				error_type: toText(type),
			});
		if (error) return fail(answer.body, error_type);
		const path = toTaskPath(task_id);
		// The address of a result sometimes ends in /response.
		const result = await ask(path + (pathOf(response_url).split(path)[1] ?? ''));
		if (isNoAnswer(result)) return result;
		const fields = parseJson(result.body);
		if (result.status < 300 && isObject(fields)) {
			const units = Number(result.headers['x-fal-billable-units']);
			return withBody(result, { ...fields, billable_units: units || undefined, status });
		}
		const { detail, error_type: type } = toObject(fields);
		// Its answer to a fetch of the result that comes too early.
		if (result.status === 400 && /in progress/i.test(String(detail))) {
			return withBody(answer, { status: 'IN_PROGRESS' });
		}
		const isEnd = isOfModel(result.status, detail) || BROKE_OFF.test(toText(type) ?? '');
		return isEnd ? fail(result.body, valueAt(detail, '0.type') ?? type) : result;
	},
	// fal.ai/docs: errors of the server (5xx) are not billed.
	billed: { broke: 'no' },
	broke: BROKE_OFF,
	// The list of models also comes without a key.
	noTask: 'fal-ai/veo3.1/requests/00000000-0000-0000-0000-000000000000',
	modelAt: (address) => PAGE.exec(placeOf(address))?.[1],
	lists: ['text-to-video', 'image-to-video'].map((category) => ({
		origin: API,
		path: `/v1/models?category=${category}&status=active&limit=1000`,
	})),
	readList: ({ models }) =>
		toObjects(models).flatMap(({ endpoint_id, metadata }) => {
			const id = toText(endpoint_id);
			return id ? [{ id, name: toText(toObject(metadata).display_name) }] : [];
		}),
	schema: {
		at: (model) => ({
			origin: API,
			path: `/v1/models?endpoint_id=${encodeURIComponent(model)}&expand=openapi-3.0`,
		}),
		keepMs: 10 * MINUTE_MS,
		// It lists models; three of 255 had `openapi: {error}` (2026-01).
		find(answer, model) {
			const entries = toObjects(valueAt(answer, 'models'));
			const document = toObject(entries.find(({ endpoint_id }) => endpoint_id === model)?.openapi);
			// Paths without a body come first: those of status and cancel.
			const bodies = Object.values(toObject(document.paths)).map((path) =>
				valueAt(path, 'post.requestBody.content.application/json.schema'),
			);
			return { input: bodies.find(isObject), document };
		},
	},
};

/** Statuses of fal's queue and not of a model: about the key, the address, or the number of requests. */
const OF_QUEUE = [401, 403, 404, 405, 408, 409, 425, 429];

/** Returns whether fal's answer to a fetch of the result is the model's own: of 5xx, only a list is. */
const isOfModel = (status: number, detail: unknown): boolean =>
	Array.isArray(detail) ||
	(status >= 400 && status < 500 && !OF_QUEUE.includes(status) && !!detail);
