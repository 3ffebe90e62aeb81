import { toObject, toObjects, toText, valueAt } from '../lib/json';
import { toPathSegment } from '../lib/text';
import { madeByKind } from '../lib/mediaType';
import { toIso, toMs } from '../lib/time';
import { placeOf, toHttpUrl } from '../lib/url';
import { MINUTE_MS, toBearer, toModelPath, uploadAsForm } from './common';
import type { ListedModel, Service } from './contract';
import { unlessEmpty } from './taskFiles';

/** A data URI "is only recommended if the file is less than 1MB" (replicate.com/docs, input files, 2026-11). */
const MAX_DATA_URI_BYTES = 1024 ** 2;

const PREDICTIONS = '/v1/predictions';

/** A version of a model, without the model. */
const VERSION = /^[0-9a-f]{64}$/;
/** Its page of a model, with tabs, and its addresses in the API. */
const PAGE =
	/^(?:replicate\.com|api\.replicate\.com\/v1\/models)\/([^/]+\/[^/]+)(?:\/versions\/([0-9a-f]{64}))?(?:\/|$)/;

/** replicate.com/docs, HTTP API; replicate-javascript 1.4, November 2025. */
/** replicate.com/docs, data retention. */
const REMOVED = 'Replicate removes the prompt and the files of a task after an hour.';

export const replicate: Service = {
	name: 'replicate',
	label: 'Replicate',
	description: 'Your account at replicate.com',
	origins: ['https://api.replicate.com'],
	headers: toBearer,
	writing: 'schema',
	// Takes "owner/name" of official models as well as "owner/name:version", and the version alone.
	toSubmit: ({ model, fields: input }) => ({
		path: PREDICTIONS,
		body: { version: model, input },
	}),
	// Of an official client, it takes up to 100 MB. It is kept for a day.
	upload: async ({ bytes: content }, ask) =>
		await uploadAsForm(
			{ content },
			async (form) => await ask({ path: '/v1/files' }, form),
			'urls.get',
		),
	uploads: ({ sizeBytes }) => sizeBytes >= MAX_DATA_URI_BYTES,
	taskPath: (task_id) => `${PREDICTIONS}/${toPathSegment(task_id)}`,
	keepsFiles: 'an hour',
	recordAt: '',
	output: ({ output }) => unlessEmpty(output),
	recent: {
		showsInput: true,
		first: ({ sinceMs }) => ({
			path: `${PREDICTIONS}${sinceMs === undefined ? '' : `?created_after=${toIso(sinceMs)}`}`,
		}),
		// An address at the service itself, also behind a proxy.
		next(_page, { next }) {
			const url = toHttpUrl(next);
			return url && { path: url.pathname.replace(/^.*(?=\/v1\/)/, '') + url.search };
		},
		read: ({ results }) =>
			toObjects(results).flatMap((record) => {
				const { id, model, version, input, created_at, completed_at, data_removed } = record;
				const task_id = toText(id);
				if (task_id === undefined) return [];
				const [named = '', of = ''] = [toText(model), toText(version)];
				return [
					{
						...{ task_id, record, input, models: [named, `${named}:${of}`, of].filter(Boolean) },
						...{ submittedAtMs: toMs(created_at), finishedAtMs: toMs(completed_at) },
						note: data_removed === true ? REMOVED : undefined,
					},
				];
			}),
	},
	usagePage: 'https://replicate.com/predictions',
	cancel: {
		at: (task_id) => ({ path: `${PREDICTIONS}/${toPathSegment(task_id)}/cancel`, method: 'POST' }),
		// replicate.com/changelog/2025-10-16-prediction-deadlines.
		note: 'Replicate charges for the time that it had run.',
	},
	keyTest: { path: '/v1/account' },
	modelAt: (address) => PAGE.exec(placeOf(address))?.slice(1).filter(Boolean).join(':'),
	lists: ['text-to-video', 'image-to-video'].map((slug) => ({ path: `/v1/collections/${slug}` })),
	// Its API has no list of all, and more than ten thousand models.
	listOf: (words) => ({ path: `/v1/search?query=${encodeURIComponent(words)}&limit=50` }),
	readList: ({ models, slug }) =>
		toObjects(models).flatMap((one): ListedModel[] => {
			const { owner, name } = toObject(one.model ?? one);
			if (!toText(owner) || !toText(name)) return [];
			const id = `${toText(owner)}/${toText(name)}`;
			return [one.model ? { id, isFound: true } : { id, makes: madeByKind(String(slug)) }];
		}),
	schema: {
		// The second is on no page of it, but its clients read it (2026).
		at: (model) => ({
			path: VERSION.test(model)
				? `/v1/versions/${model}`
				: `/v1/models/${toModelPath(model.split(':')[0])}`,
		}),
		adviseUnknown: (model) =>
			VERSION.test(model) ? 'Enter it with its model, as owner/name:version.' : undefined,
		keepMs: 10 * MINUTE_MS,
		find(answer) {
			const version = valueAt(answer, 'latest_version') ?? answer;
			const document = valueAt(version, 'openapi_schema');
			const { Input, Output } = toObject(valueAt(document, 'components.schemas'));
			return { input: Input, output: Output, document };
		},
	},
};
