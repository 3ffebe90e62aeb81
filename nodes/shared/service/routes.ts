import { parseExactJson } from '../lib/json';
import { toPathSegment } from './credential';
import { isNoAnswer, MAX_RECORD_BYTES, type NoAnswer, type ServiceAnswer } from './http';
import { isPage, readStatement } from './serviceWords';
import { readTaskIds } from './videoTask';

/** A way in which services take videos. Their answers are read alike, whatever the route. */
export interface Route {
	name: RouteName;
	submitPath: string;
	taskPath: (task_id: string) => string;
	/** Services on it may take a form instead of JSON. */
	takesForms: boolean;
}

export type RouteName = 'videoGenerations' | 'openAiVideos' | 'customPaths';

const toRoute = (
	name: RouteName,
	submitPath: string,
	taskPath: string,
	takesForms: boolean,
): Route => ({
	name,
	submitPath,
	taskPath: (task_id) => taskPath.replaceAll('{id}', toPathSegment(task_id)),
	takesForms,
});

const VIDEO_GENERATIONS = '/v1/video/generations';
const OPENAI_VIDEOS = '/v1/videos';

/** In the order in which Auto tries them. */
const ROUTES = [
	toRoute('videoGenerations', VIDEO_GENERATIONS, `${VIDEO_GENERATIONS}/{id}`, false),
	toRoute('openAiVideos', OPENAI_VIDEOS, `${OPENAI_VIDEOS}/{id}`, true),
];

/** Returns the routes that the credential allows, in the order in which to try them. */
export function readRoutes({ api, submitPath, taskPath }: Record<string, unknown>): Route[] {
	if (api === 'customPaths') {
		return [toRoute(api, toPath(submitPath), toPath(taskPath), true)];
	}
	const chosen = ROUTES.filter(({ name }) => name === api);
	return chosen.length > 0 ? chosen : ROUTES;
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
	/** Whether it has asked for a form. */
	wantsForm?: boolean;
	/** Whether it refuses fields that it does not know. */
	isStrict?: boolean;
}

/** Any made-up path: it shows how a service answers for an address that does not exist. */
const NOWHERE = '/v1/no-such-route/x';
const PROBE_ID = 'no-such-id';

/**
 * Returns whether the answer to a submit says that there is no such address. Then nothing was made.
 * An answer that names a task, or that is about a model, comes from an address that exists.
 */
export function meansNoRoute({ status, body }: ServiceAnswer): boolean {
	if (status !== 404 && status !== 405) return false;
	const { words = '', code = '' } = isPage(body) ? {} : readStatement(body);
	const isAboutWork = /model|task|channel|group|quota|deployment/i.test(`${code} ${words}`);
	return !isAboutWork && readTaskIds(parseExactJson(body)).length === 0;
}

type Send = (request: {
	path: string;
	timeoutMs: number;
	maxBytes: number;
}) => Promise<ServiceAnswer | NoAnswer>;

/**
 * Resolves to whether a service lacks a route: it then answers for a task there as for an address
 * that does not exist. So a proxy's 404 for a submit that was carried out is not believed. Costs
 * nothing.
 */
export async function lacksRoute(send: Send, { taskPath }: Route): Promise<boolean> {
	const paths = [taskPath(PROBE_ID), NOWHERE];
	const [probed, nowhere] = await Promise.all(
		paths.map(async (path) => {
			const answer = await send({ path, timeoutMs: 30_000, maxBytes: MAX_RECORD_BYTES });
			return isNoAnswer(answer) ? undefined : toShape(answer, path);
		}),
	);
	return probed !== undefined && probed === nowhere;
}

/** Resolves to the route that a submit would take. Costs nothing. */
export async function findRoute(
	{ routes: [first, second], route, isNewApi }: ServiceTraits,
	send: Send,
): Promise<Route> {
	if (route || !second || isNewApi) return route ?? first;
	return (await lacksRoute(send, first)) ? second : first;
}

/** Returns what of an answer is the same for all addresses of its kind. */
function toShape({ status, body }: ServiceAnswer, path: string): string {
	const said = isPage(body) ? 'page' : body.replaceAll(path, '').replaceAll(path.slice(1), '');
	// Without IDs of requests and times.
	return `${status} ${said.replace(/[\w-]*\d[\w-]*/g, '')}`;
}
