import type { IDataObject } from 'n8n-workflow';

import { parseJson, toObject } from '../lib/json';
import { type Failure, readFailure } from './failure';
import { isNoAnswer, type NoAnswer, RECORD_LIMITS, type ServiceAnswer } from './http';
import { delayMs, readRetryAfter } from './later';
import type { Route, ServiceTraits } from './routes';
import { isPage, quoteBody, readStatement } from './serviceWords';

/** Any made-up path: it shows how a service answers for an address that does not exist. */
const NOWHERE = '/v1/no-such-route/x';
/** A made-up task. */
export const PROBE_ID = 'no-such-id';

/**
 * Returns whether the answer to a submit says that there is no such address. Then nothing was made.
 * An answer that is about a model or a task comes from an address that exists.
 */
export function meansNoRoute({ status, body }: ServiceAnswer, path: string): boolean {
	// Some say it in an answer of 200.
	const code = status < 300 ? Number(toObject(parseJson(body)).code) : status;
	if (code !== 404 && code !== 405) return false;
	const { words = '', code: word = '' } = isPage(body)
		? {}
		: readStatement(body.replaceAll(path, ''));
	return !/model|task|channel|group|quota|deployment/i.test(`${word} ${words}`);
}

/** A submit's place among others is kept meanwhile, so the pauses are short. */
const MAX_TRIES = 3;
const MAX_PAUSE_MS = 30_000;

/** Returns whether an answer tells nothing of an address: it may come from a proxy before the service. */
const isBusy = ({ status }: ServiceAnswer) => status === 429 || status >= 500;

/** Sends a free request. */
export type Send = (request: {
	path: string;
	body?: IDataObject;
	timeoutMs: number;
	maxBytes: number;
}) => Promise<ServiceAnswer | NoAnswer>;

/**
 * Resolves to whether a service lacks a route: it then answers for a task there, and to a submit, as
 * for an address that does not exist. So a proxy's 404 for a submit that was carried out is not
 * believed. Where all unknown tasks look like unknown addresses, a submit without a model and a prompt
 * tells, which a route that is there refuses in its own words. Costs nothing.
 *
 * @param refusal the answer to a submit, if there was one
 * @param pause waits before what is busy is asked again; without it, that is not asked again
 */
export async function lacksRoute(
	send: Send,
	{ submitPath, taskPath }: Route,
	refusal?: ServiceAnswer,
	pause?: (ms: number) => Promise<void>,
): Promise<boolean> {
	const ask = async (path: string, body?: IDataObject) => {
		const request = { path, body, ...RECORD_LIMITS };
		for (let tries = 1; ; tries++) {
			const answer = await send(request);
			// One lost answer, or a busy moment, would leave a submit unclear.
			if (tries < MAX_TRIES && isNoAnswer(answer)) continue;
			if (isNoAnswer(answer)) return undefined;
			if (!isBusy(answer) || !pause || tries === MAX_TRIES) return toShape(answer, path);
			await pause(Math.min(readRetryAfter(answer) ?? delayMs(tries, 0), MAX_PAUSE_MS));
		}
	};
	// One after the other: the caller has room for one request.
	const probed = await ask(taskPath(PROBE_ID));
	const nowhere = await ask(NOWHERE);
	if (probed === undefined || probed !== nowhere) return false;
	if (!refusal) return true;
	// Services may answer 404 to one method and 405 to the other.
	const lacking = [nowhere, (await ask(NOWHERE, {})) ?? nowhere];
	const refused = [toShape(refusal, submitPath), await ask(submitPath, {})];
	return refused.every((one) => one !== undefined && lacking.includes(one));
}

/**
 * Asks a service for a made-up task, so that it names itself if it is New API. Resolves to why nobody
 * knows whether it is: nothing answers, or perhaps a proxy. Costs nothing.
 */
export async function askWho(send: Send, traits: ServiceTraits): Promise<Failure | undefined> {
	const path = traits.routes[0].taskPath(PROBE_ID);
	const answer = await send({ path, ...RECORD_LIMITS });
	const isSure = !isNoAnswer(answer) && !isBusy(answer);
	return isSure || traits.isNewApi ? undefined : readFailure('list', answer);
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
	// Some escape slashes, and name the method.
	const said = body.replaceAll('\\/', '/').replaceAll(path, '').replaceAll(path.slice(1), '');
	const shown = (isPage(said) && quoteBody(said)) || said;
	// Without IDs of requests and times.
	return `${status} ${shown.replace(/[\w-]*\d[\w-]*|\b(GET|POST)\b/g, '')}`;
}
