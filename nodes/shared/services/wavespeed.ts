import { isPositive, toObject, toObjects, toText, valueAt } from '../lib/json';
import { madeByKind } from '../lib/mediaType';
import { toPathSegment } from '../lib/text';
import { toMs } from '../lib/time';
import { placeOf } from '../lib/url';
import { MINUTE_MS, toBearer, toModelPath, uploadAsForm, withCodeAsStatus } from './common';
import type { Service } from './contract';
import { unlessEmpty } from './taskFiles';

const API = '/api/v3';
/** The most that a page of its list of tasks may have. */
const PAGE_SIZE = 100;
/** With the schemas of all models, and no paging. */
const MODELS = { path: `${API}/models` };

/** Its page of a model, and where it is ordered. */
const PAGE =
	/^(?:wavespeed\.ai\/models|api\.wavespeed\.ai\/api\/v3)\/(.+?)(?:\/(?:api|playground))?\/?$/;

/** wavespeed.ai/docs; its SDK 0.3, 2026-11. */
export const wavespeed: Service = {
	name: 'wavespeed',
	label: 'WaveSpeed',
	description: 'Your account at wavespeed.ai',
	origins: ['https://api.wavespeed.ai'],
	headers: toBearer,
	writing: 'schema',
	toSubmit: ({ model, fields }) => ({ path: `${API}/${toModelPath(model)}`, body: fields }),
	// A file is kept for seven days.
	upload: async ({ bytes: file }, ask) =>
		await uploadAsForm(
			{ file },
			async (form) => await ask({ path: `${API}/media/upload/binary` }, form),
			'data.download_url',
		),
	taskPath: (task_id) => `${API}/predictions/${toPathSegment(task_id)}/result`,
	/** HTTP says 200 of a refusal, too; the code of the envelope decides. */
	toAnswer: (answer) => withCodeAsStatus(answer, 'data.status'),
	recordAt: 'data',
	output: ({ outputs }) => unlessEmpty(outputs),
	// "Failed predictions are refunded", within three hours.
	billed: () => 'no',
	// Internal, unavailable; and a state.
	broke: /^(5000|5003|timeout)$/,
	recent: {
		// "Both page and page_size are required" (its page of predictions); it reaches back seven days.
		first: ({ model }) => ({
			path: `${API}/predictions`,
			body: { page: 1, page_size: PAGE_SIZE, ...(model && { model }) },
		}),
		next: (page, answer) =>
			toObjects(valueAt(answer, 'data.items')).length < PAGE_SIZE
				? undefined
				: { ...page, body: { ...page.body, page: Number(page.body?.page) + 1 } },
		read: (answer) =>
			toObjects(valueAt(answer, 'data.items')).flatMap((record) => {
				const { id, model, created_at } = record;
				const task_id = toText(id);
				const models = [toText(model) ?? []].flat();
				return task_id === undefined
					? []
					: [{ task_id, record: { data: record }, models, submittedAtMs: toMs(created_at) }];
			}),
	},
	usagePage: 'https://wavespeed.ai/predictions',
	keyTest: { path: `${API}/balance` },
	modelAt: (address) => PAGE.exec(placeOf(address))?.[1],
	price: {
		at: ({ model: model_id, fields: inputs }) => ({
			at: { path: `${API}/model/price` },
			body: { model_id, inputs },
		}),
		read(answer) {
			const { price, currency = 'USD' } = toObject(valueAt(answer, 'data'));
			return isPositive(price) ? { value: price, unit: String(currency) } : undefined;
		},
	},
	lists: [MODELS],
	readList: ({ data }) =>
		toObjects(data).flatMap(({ model_id, name, type, base_price }) => {
			const id = toText(model_id);
			const price = Number(base_price) > 0 ? `from $${Number(base_price)}` : undefined;
			return id ? [{ id, name: toText(name), makes: madeByKind(String(type)), price }] : [];
		}),
	schema: {
		at: () => MODELS,
		keepMs: 10 * MINUTE_MS,
		find(answer, model) {
			const entry = toObjects(valueAt(answer, 'data')).find(({ model_id }) => model_id === model);
			const runs = toObjects(valueAt(entry, 'api_schema.api_schemas'));
			return {
				input: runs.find(({ type }) => type === 'model_run')?.request_schema,
				makes: madeByKind(String(entry?.type)),
			};
		},
	},
};
