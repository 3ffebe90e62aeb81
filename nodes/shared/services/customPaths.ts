import { withoutGaps } from '../lib/json';
import { toPathSegment } from '../lib/text';
import { OPENAI_LIST, toBearer, toModelPath } from './common';
import type { Service } from './contract';
import { contentPath, newApi } from './newApi';

/** What the credential begins with: the documented paths. */
export const DEFAULT_PATHS = {
	submitPath: newApi.toSubmit({ model: '', fields: {} }).path,
	taskPath: newApi.taskPath('{id}').replace('%7Bid%7D', '{id}'),
};

/** Its place in Submit Path. */
const MODEL = '{model}';

/** Here, a word before the key is no mistake: the header goes as it was typed (fal's own is `Key <key>`). */
const WITH_SCHEME = /authorization$/i;

const HOW_TO_ENTER_PATHS =
	'Enter both paths as the service documents them, such as /v1/video/create and /v1/tasks/{id}';

/** Returns a typed path with the slash at its beginning, so that it stays at the base URL's host. */
const toPath = (typed: unknown) => `/${String(typed ?? '').trim()}`.replace(/^\/+/, '/');

/** Any other API with one path that takes a video, and one that tells its state. Made of the credential. */
export function customPaths(data: Record<string, unknown>): Service {
	const { submitPath, taskPath } = { ...DEFAULT_PATHS, ...data };
	const headerName = String(data.headerName ?? '').trim();
	const [path, pollPath] = [toPath(submitPath), toPath(taskPath)];
	return {
		name: 'customPaths',
		label: 'Custom Paths',
		description: 'Any other API with a path that takes a video, and one that tells its state',
		fault: findPathFault(path, pollPath),
		headers: headerName
			? (key) => ({ [headerName]: WITH_SCHEME.test(headerName) ? String(data.apiKey).trim() : key })
			: toBearer,
		writing: 'sideBySide',
		// Kapon and aimanyi read forms alone (their pages, 2026).
		form: 'ifAsked',
		// Where the path names the model, the body does not.
		toSubmit: ({ model, fields: body }) =>
			path.includes(MODEL)
				? {
						path: path.replaceAll(MODEL, toModelPath(model)),
						body: withoutGaps({ ...body, model: undefined }),
					}
				: { path, body },
		taskPath: (task_id) => pollPath.replaceAll('{id}', toPathSegment(task_id)),
		contentPath,
		...OPENAI_LIST,
	};
}

function findPathFault(path: string, pollPath: string): Service['fault'] {
	if (path === '/') return ['Submit Path in the credential is empty', HOW_TO_ENTER_PATHS];
	if (pollPath.includes('{id}')) return undefined;
	const fault = 'Task Path in the credential has no {id}, which is the place of the task ID';
	return [fault, HOW_TO_ENTER_PATHS];
}
