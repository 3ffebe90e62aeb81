import type { IDataObject } from 'n8n-workflow';

import { readReason } from '../failure/reason';
import { readStatement } from '../failure/statement';
import { isNoAnswer, type ServiceAnswer } from '../http/answer';
import {
	isObject,
	isPositive,
	isSet,
	parseJson,
	toObject,
	toObjects,
	toText,
	valueAt,
	withoutGaps,
} from '../lib/json';
import { kindOf, madeByKind } from '../lib/mediaType';
import { toIso, toMs } from '../lib/time';
import { pathOf, placeOf } from '../lib/url';
import { fileNameOf, MINUTE_MS, toModelPath, withBody } from './common';
import type { ListedTask, Service } from './contract';

const API = 'https://api.fal.ai';
const STORAGE = 'https://rest.fal.ai';
const LIST = { origin: API, path: '/v1/models?status=active&limit=1000' };
/** Its categories are not clean: such models stand in four of them (2026-11). */
const OF_VIDEO = /lip-?sync|avatar|subtitle|caption/;
/** Its client sends larger ones in parts (fal-js 1.10, `storage.ts`). */
const MAX_UPLOAD_BYTES = 90 * 1024 ** 2;
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
const OF_SERVER =
	/^((request|startup|generation)_timeout|runner_\w+|internal_(server_)?error|downstream_service_unavailable)$/;
/** The same, and the one that is 400 (fal.ai/docs, 2026-11). */
const BROKE_OFF = new RegExp(`${OF_SERVER.source}|^downstream_service_error$`);

/** Returns the record of a render that has failed, with what an answer says of it. */
const toFailed = (answer: ServiceAnswer, type: unknown): ServiceAnswer =>
	withBody(answer, {
		status: 'FAILED',
		error: readStatement(answer.body).words,
		error_type: toText(type),
		retryable: answer.headers['x-fal-retryable'] !== 'false',
	});

/** A list of a key's requests reaches as far back as a search for one of them. */
const LISTED_MS = 90 * 24 * 60 * MINUTE_MS;
const REQUESTS = '/v1/models/requests/by-endpoint';

/** Reads a request of its list; one that has not ended has neither a status nor an output. */
function toListed(item: IDataObject): ListedTask[] {
	const { request_id, endpoint_id, status_code, json_input: input, json_output } = item;
	const [id, model] = [toText(request_id), toText(endpoint_id)];
	const app = model && APP.exec(model)?.[0];
	if (!id || !app) return [];
	const isDone = Number(status_code) < 300;
	const { detail, error_type } = toObject(json_output);
	const failure = {
		error: readStatement(JSON.stringify(json_output ?? '')).words ?? `HTTP ${String(status_code)}`,
		error_type: toText(valueAt(detail, '0.type')) ?? toText(error_type),
	};
	const ended = isDone
		? { ...toObject(json_output), status: 'COMPLETED' }
		: { ...failure, status: 'FAILED' };
	const record = isSet(status_code) ? ended : { status: 'IN_PROGRESS' };
	return [
		{
			...{ task_id: `${app}/requests/${id}`, models: [model], record, input },
			...{ submittedAtMs: toMs(item.sent_at), finishedAtMs: toMs(item.ended_at) },
		},
	];
}

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
	origins: ['https://queue.fal.run', API, STORAGE, 'https://fal.run'],
	headers: (key) => ({ Authorization: `Key ${key}` }),
	writing: 'schema',
	toSubmit: ({ model, fields }) => ({ path: `/${toModelPath(model)}`, body: fields }),
	/** fal-js 1.10, `storage.ts`. The address that it gives for the file takes no key. */
	async upload(file, ask, put) {
		const path = '/storage/upload/initiate?storage_type=fal-cdn-v3';
		const named = { content_type: file.mimeType, file_name: fileNameOf(file) };
		const answer = await ask({ origin: STORAGE, path }, named);
		const isDone = !isNoAnswer(answer) && answer.status < 300;
		const { upload_url, file_url } = toObject(isDone && parseJson(answer.body));
		const [to, at] = [toText(upload_url), toText(file_url)];
		if (!to || !at) return readReason('list', answer);
		return (await put(to, { bytes: file.bytes, contentType: file.mimeType })) ?? at;
	},
	// An image goes as a data URI, which needs no further request.
	uploads: ({ mimeType }) => kindOf(mimeType) !== 'image',
	maxUploadBytes: MAX_UPLOAD_BYTES,
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
		const isOver = status === 'COMPLETED';
		// Where its runner dies, a status is 503, too; the result tells whether that was the last try.
		if (!isOver && !/^runner_/.test(toText(error_type) ?? '')) return answer;
		const path = toTaskPath(task_id);
		// The address of a result sometimes ends in /response.
		const result = await ask(path + (pathOf(response_url).split(path)[1] ?? ''));
		if (isNoAnswer(result)) return result;
		const fields = parseJson(result.body);
		const { detail, error_type: type } = toObject(fields);
		// Its answer to a fetch of the result that comes too early.
		const isEarly = result.status === 400 && /in progress/i.test(String(detail));
		const isEnd = isOfModel(result.status, detail) || OF_SERVER.test(toText(type) ?? '');
		if (isEnd && !isEarly) return toFailed(result, valueAt(detail, '0.type') ?? type);
		// It says less than the result: its `error` may be HTTP's "Unprocessable Entity".
		if (isOver && (error || error_type)) return toFailed(answer, error_type);
		if (isEarly) return withBody(answer, { status: 'IN_PROGRESS' });
		// The task is there, as its status has said, and only its result is not (openclaw 137513).
		if (isOver && result.status === 404) return { ...result, status: 502 };
		if (result.status >= 300 || !isObject(fields)) return result;
		const units = Number(result.headers['x-fal-billable-units']) || undefined;
		return withBody(result, { ...fields, billable_units: units, status: 'COMPLETED' });
	},
	recordAt: '',
	output: (record) => withoutGaps({ ...record, status: undefined, billable_units: undefined }),
	// fal.ai/docs: errors of the server (5xx) are not billed.
	billed: (code) => (OF_SERVER.test(code) ? 'no' : undefined),
	broke: BROKE_OFF,
	recent: {
		perModel: true,
		showsInput: true,
		// Whether it shows requests that have not ended is on no page; it is sorted by their ends.
		endedOnly: true,
		// Without `start`, it is of the last day (fal.ai/docs, list requests by endpoint).
		first: ({ model = '', sinceMs, nowMs }) => ({
			origin: API,
			path: `${REQUESTS}?${new URLSearchParams({
				...{ endpoint_id: model.replace(/\s*,\s*/g, ','), expand: 'payloads', limit: '100' },
				start: toIso(sinceMs ?? nowMs - LISTED_MS)!,
			}).toString()}`,
		}),
		next(page, { next_cursor, has_more }) {
			const cursor = has_more === false ? undefined : toText(next_cursor);
			if (cursor === undefined) return undefined;
			const path = page.path.replace(/&cursor=.*$/, '');
			return { ...page, path: `${path}&cursor=${encodeURIComponent(cursor)}` };
		},
		read: ({ items }) => toObjects(items).flatMap(toListed),
	},
	usagePage: 'https://fal.ai/dashboard/requests',
	cancel: {
		at: (task_id) => ({ path: `${toTaskPath(task_id)}/cancel`, method: 'PUT' }),
		// fal.ai/docs, cancel a request.
		note: 'fal removes a request that waits in its queue. One that has begun gets a signal, and its model decides whether it stops.',
	},
	// The list of models also comes without a key.
	noTask: 'fal-ai/veo3.1/requests/00000000-0000-0000-0000-000000000000',
	modelAt: (address) => PAGE.exec(placeOf(address))?.[1],
	price: {
		at: ({ model }) => ({
			at: { origin: API, path: `/v1/models/pricing?endpoint_id=${encodeURIComponent(model)}` },
		}),
		// "Values are expressed per model's billing unit" (fal.ai/docs, pricing).
		read(answer) {
			const { unit_price, unit, currency = 'USD' } = toObject(valueAt(answer, 'prices.0'));
			const per = toText(unit);
			return isPositive(unit_price) && per
				? { value: unit_price, unit: `${String(currency)} per ${per}` }
				: undefined;
		},
	},
	lists: [LIST],
	nextPage(_page, { next_cursor }) {
		const cursor = toText(next_cursor);
		return cursor
			? { ...LIST, path: `${LIST.path}&cursor=${encodeURIComponent(cursor)}` }
			: undefined;
	},
	readList: ({ models }) =>
		toObjects(models).flatMap(({ endpoint_id, metadata }) => {
			const { display_name, category } = toObject(metadata);
			const id = toText(endpoint_id);
			const makes = OF_VIDEO.test(id ?? '') ? 'video' : madeByKind(String(category));
			return id ? [{ id, name: toText(display_name), makes }] : [];
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
			const schemasAt = (place: string) =>
				Object.entries(toObject(document.paths)).flatMap(([path, requests]) => {
					const schema = valueAt(requests, `${place}.content.application/json.schema`);
					return isObject(schema) ? [{ path, schema }] : [];
				});
			// Paths without a body come first: those of status and cancel.
			const input = schemasAt('post.requestBody')[0]?.schema;
			const results = schemasAt('get.responses.200');
			const output = results.find(({ path }) => path.endsWith('/requests/{request_id}'))?.schema;
			return { input, output, document };
		},
	},
};

/** Statuses of fal's queue and not of a model: about the key, the account, the address, or the number of requests. */
const OF_QUEUE = [401, 402, 403, 404, 405, 408, 409, 425, 429];

/** Returns whether fal's answer to a fetch of the result is the model's own: of 5xx, only a list is. */
const isOfModel = (status: number, detail: unknown): boolean =>
	Array.isArray(detail) ||
	(status >= 400 && status < 500 && !OF_QUEUE.includes(status) && !!detail);
