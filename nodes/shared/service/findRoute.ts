import { parseExactJson } from '../lib/json';
import { isNoAnswer, MAX_RECORD_BYTES, type NoAnswer, type ServiceAnswer } from './http';
import type { Route, ServiceTraits } from './routes';
import { isPage, readStatement } from './serviceWords';
import { readTaskIds } from './videoTask';

/** Any made-up path: it shows how a service answers for an address that does not exist. */
const NOWHERE = '/v1/no-such-route/x';
/** A made-up task. */
export const PROBE_ID = 'no-such-id';

/**
 * Returns whether the answer to a submit says that there is no such address. Then nothing was made.
 * An answer that names a task, or that is about a model, comes from an address that exists.
 */
export function meansNoRoute({ status, body }: ServiceAnswer, path: string): boolean {
	if (status !== 404 && status !== 405) return false;
	const { words = '', code = '' } = isPage(body) ? {} : readStatement(body.replaceAll(path, ''));
	const isAboutWork = /model|task|channel|group|quota|deployment/i.test(`${code} ${words}`);
	// In an answer that says no, an ID of the request is no task's.
	const answer = parseExactJson(body.replace(/"request_?id"/gi, '""'));
	return !isAboutWork && readTaskIds(answer).length === 0;
}

/** Sends a free request. */
export type Send = (request: {
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
	const words = isPage(body) ? 'page' : body.replaceAll(path, '').replaceAll(path.slice(1), '');
	// Without IDs of requests and times.
	return `${status} ${words.replace(/[\w-]*\d[\w-]*/g, '')}`;
}
