import { toPathSegment } from '../lib/text';
import { HOW_TO_ENTER_IT, NOT_AN_ADDRESS, readBaseUrls } from './credential';
import type { ServiceAnswer } from './http';
import { type NamedService, namedService, type ServiceName } from './namedServices';
import { isPage, readStatement } from './serviceWords';

/** A way in which services take videos: data. Their answers are read alike, whatever the route. */
export interface Route {
	/** As the credential's field API saves it. */
	name: RouteName;
	submitPath: string;
	taskPath: (task_id: string) => string;
	/** Services on it may take a form instead of JSON. */
	takesForms?: true;
	/** Most of its pages show a size in pixels, and a video without one is portrait. */
	hasSizes?: true;
	/** Whose route it is, if the service has a contract of its own. */
	service?: NamedService;
}

export type RouteName = 'videoGenerations' | 'openAiVideos' | 'customPaths' | ServiceName;

const toRoute = (
	name: RouteName,
	submitPath: string,
	taskPath: string,
	flags: Pick<Route, 'takesForms' | 'hasSizes'> = {},
): Route => ({
	name,
	submitPath,
	taskPath: (task_id) => taskPath.replaceAll('{id}', toPathSegment(task_id)),
	...flags,
});

const VIDEO_GENERATIONS = '/v1/video/generations';
const OPENAI_VIDEOS = '/v1/videos';

export const OPENAI_ROUTE = toRoute('openAiVideos', OPENAI_VIDEOS, `${OPENAI_VIDEOS}/{id}`, {
	takesForms: true,
	hasSizes: true,
});

/** In the order in which Auto tries them. */
export const ROUTES = [
	toRoute('videoGenerations', VIDEO_GENERATIONS, `${VIDEO_GENERATIONS}/{id}`),
	OPENAI_ROUTE,
];

/** The documented path of a task's video, whatever the route. */
export const contentPath = (task_id: string) => `/v1/videos/${toPathSegment(task_id)}/content`;

/** Returns the routes that the credential allows, in the order in which to try them. */
export function readRoutes(data: Record<string, unknown>): Route[] {
	const { api, submitPath, taskPath } = data;
	const service = namedService(data);
	if (service) {
		const { name, label, taskPath: path } = service;
		return [{ name, submitPath: label, taskPath: path, service }];
	}
	if (api === 'customPaths') {
		return [toRoute(api, toPath(submitPath), toPath(taskPath), { takesForms: true })];
	}
	const chosen = ROUTES.filter(({ name }) => name === api);
	return chosen.length > 0 ? chosen : ROUTES;
}

const HOW_TO_ENTER_PATHS =
	'Enter both paths as the service documents them, such as /v1/video/create and /v1/tasks/{id}';

/** Returns what makes a credential unusable, in words that name the field, and how to enter that. */
export function findFault(
	data: Record<string, unknown>,
): [fault: string, advice: string] | undefined {
	if (readBaseUrls(data).length === 0) return [NOT_AN_ADDRESS, HOW_TO_ENTER_IT];
	if (data.api !== 'customPaths') return undefined;
	if (toPath(data.submitPath) === '/') {
		return ['Submit Path in the credential is empty', HOW_TO_ENTER_PATHS];
	}
	if (toPath(data.taskPath).includes('{id}')) return undefined;
	const fault = 'Task Path in the credential has no {id}, which is the place of the task ID';
	return [fault, HOW_TO_ENTER_PATHS];
}

/** Returns a typed path with the slash at its beginning, so that it stays at the base URL's host. */
const toPath = (typed: unknown) => `/${String(typed ?? '').trim()}`.replace(/^\/+/, '/');

/**
 * Returns whether an answer says that there is no such address. One that is about a model or a task
 * comes from an address that exists (New API: 404 `model_not_found`, OpenAI: "Video ... not found").
 */
export function lacksRoute({ status, body }: ServiceAnswer, path: string): boolean {
	if (status !== 404 && status !== 405) return false;
	const { words = '', code = '' } = isPage(body) ? {} : readStatement(body);
	// Laravel quotes the path without its first slash.
	return !/model|task|video/i.test(`${code} ${words.replaceAll(path.slice(1), '')}`);
}
