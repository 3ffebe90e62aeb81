import { toObjects, toText, valueAt } from '../lib/json';
import { toPathSegment } from '../lib/text';
import { MINUTE_MS, toBearer, toModelPath } from './common';
import type { Service } from './contract';

/** replicate.com/docs, HTTP API; replicate-javascript 1.4, November 2025. */
export const replicate: Service = {
	name: 'replicate',
	label: 'Replicate',
	description: 'Your account at replicate.com',
	origins: ['https://api.replicate.com'],
	headers: toBearer,
	writing: 'schema',
	// Takes "owner/name" of official models as well as "owner/name:version".
	toSubmit: ({ model, fields: input }) => ({
		path: '/v1/predictions',
		body: { version: model, input },
	}),
	taskPath: (task_id) => `/v1/predictions/${toPathSegment(task_id)}`,
	keyTest: { path: '/v1/account' },
	lists: ['text-to-video', 'image-to-video'].map((slug) => ({ path: `/v1/collections/${slug}` })),
	readList: ({ models }) =>
		toObjects(models).flatMap(({ owner, name }) =>
			toText(owner) && toText(name) ? [{ id: `${toText(owner)}/${toText(name)}` }] : [],
		),
	schema: {
		at: (model) => ({ path: `/v1/models/${toModelPath(model.split(':')[0])}` }),
		keepMs: 10 * MINUTE_MS,
		find(answer) {
			const document = valueAt(answer, 'latest_version.openapi_schema');
			return { input: valueAt(document, 'components.schemas.Input'), document };
		},
	},
};
