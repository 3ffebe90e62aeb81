import { HOW_TO_ENTER_IT, NOT_AN_ADDRESS, toBaseUrl, toPathSegment } from './credential';

/** A way in which services take videos. Their answers are read alike, whatever the route. */
export interface Route {
	name: RouteName;
	submitPath: string;
	taskPath: (task_id: string) => string;
	/** Services on it may take a form instead of JSON. */
	takesForms?: true;
	/** Most of its pages show a size in pixels, and a video without one is portrait. */
	hasSizes?: true;
	/** Its records have no address of the file: only a plain no of the file's own path means that there is none. */
	hasFileApart?: true;
}

export type RouteName = 'videoGenerations' | 'openAiVideos' | 'customPaths';

const toRoute = (
	name: RouteName,
	submitPath: string,
	taskPath: string,
	flags: Pick<Route, 'takesForms' | 'hasSizes' | 'hasFileApart'> = {},
): Route => ({
	name,
	submitPath,
	taskPath: (task_id) => taskPath.replaceAll('{id}', toPathSegment(task_id)),
	...flags,
});

const VIDEO_GENERATIONS = '/v1/video/generations';
export const OPENAI_VIDEOS = '/v1/videos';

/** In the order in which Auto tries them. */
export const ROUTES = [
	toRoute('videoGenerations', VIDEO_GENERATIONS, `${VIDEO_GENERATIONS}/{id}`),
	toRoute('openAiVideos', OPENAI_VIDEOS, `${OPENAI_VIDEOS}/{id}`, {
		...{ takesForms: true, hasSizes: true, hasFileApart: true },
	}),
];

/** Returns the routes that the credential allows, in the order in which to try them. */
export function readRoutes({ api, submitPath, taskPath }: Record<string, unknown>): Route[] {
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
	if (!toBaseUrl(data.baseUrl)) return [NOT_AN_ADDRESS, HOW_TO_ENTER_IT];
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

/** What is known of a service: what the credential says of it, and what its answers have shown. */
export interface ServiceTraits {
	/** The routes that it may have, the likeliest first. */
	routes: Route[];
	/** The route on which it has taken a video or told of one. */
	route?: Route;
	/** Whether it says that it is New API, whose rules for fields the families of models hold. */
	isNewApi?: boolean;
	/** The version that it names as New API. */
	version?: string;
	/** Whether it takes forms: the credential says so, or it has accepted one. */
	wantsForm?: boolean;
}

/** Returns the route that one video needs at New API, whatever others take; `undefined` if it may take any. */
export const ownRoute = (
	{ isNewApi, routes }: ServiceTraits,
	needsOpenAiRoute: boolean | undefined,
): Route | undefined =>
	isNewApi && needsOpenAiRoute
		? routes.find(({ submitPath }) => submitPath === OPENAI_VIDEOS)
		: undefined;
