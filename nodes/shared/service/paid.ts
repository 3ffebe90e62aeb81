import type { IDataObject } from 'n8n-workflow';

import { parseExactJson, toObject, toText } from '../lib/json';
import type { Clock } from '../lib/time';
import type { Limiter } from '../lib/turns';
import { isNoAnswer, type NoAnswer, type ServiceAnswer } from './http';
import { isPage, meansPassing, meansSuccess, quoteBody, toTrouble, type Trouble } from './trouble';
import { findRecordId } from './videoTask';

/**
 * Trouble with a request that costs money. `refused`: the service said no before it did any work,
 * and nothing is charged. `unclear`: the work may be done, and charged.
 */
export interface PaidTrouble {
	kind: 'refused' | 'unclear';
	trouble: Trouble;
	retryAfterMs?: number;
}

/**
 * Returns whether a paid request that did not bring what was asked for is refused or unclear.
 *
 * @param endpoint the Gemini protocol has errors of its own, which no video endpoint sends
 */
export function toPaidTrouble(
	answer: ServiceAnswer | NoAnswer,
	endpoint: 'video' | 'text' = 'text',
): PaidTrouble {
	const trouble = toTrouble(answer);
	if (isNoAnswer(answer)) {
		const body = answer.begin && quoteAnswer(answer.begin);
		const kind = answer.network === 'notSent' ? 'refused' : 'unclear';
		return { kind, trouble: { ...trouble, ...(body && { body }) } };
	}
	const retryAfterMs = readRetryAfter(answer);
	if (isRefusal(answer, endpoint)) return { kind: 'refused', trouble, retryAfterMs };
	return { kind: 'unclear', trouble: { ...trouble, body: quoteAnswer(answer.body) }, retryAfterMs };
}

/** These redirects are not followed, so no work was done. Others, such as 303, point to its result. */
const REDIRECTS = new Set([301, 302, 307, 308]);

/** Statuses of hosts that gave up waiting: 460 is a load balancer's, 499 a proxy's. */
export const GAVE_UP_WAITING = new Set([408, 460, 499]);

/** Matches an answer that names a task; `0` and an empty text name none. */
const NAMES_TASK = /\\{0,9}"task_?id\\{0,9}"\s{0,9}:\s{0,9}(?:\\{0,9}"[^"\\]|[1-9])/i;

/** Quotes an answer from its beginning, or from its task ID on if that would be cut off. */
function quoteAnswer(body: string): string | undefined {
	const quoted = quoteBody(body);
	const named = NAMES_TASK.exec(body)?.[0] ?? findRecordId(parseExactJson(body));
	if (named === undefined || quoted?.includes(named) || !body.includes(named)) return quoted;
	return quoteBody(`...${body.slice(body.indexOf(named))}`);
}

/** Returns whether a type or code is one that the gateway uses before it passes a request on. */
const isGateways = (type: unknown) => typeof type === 'string' && type.endsWith('_api_error');

/** Returns whether a code says no as HTTP does. Nobody knows what deployments mean by other numbers. */
const meansNo = (code: unknown): boolean =>
	['string', 'number'].includes(typeof code) &&
	/^4\d\d$/.test(String(code)) &&
	!GAVE_UP_WAITING.has(Number(code));

/**
 * Returns whether an answer that did not bring what was asked for says no before any work was done.
 * If it does not say so plainly, it may hide paid work, above all if it is a proxy's page with a
 * 5xx status. Words never decide, only statuses, shapes and codes.
 */
function isRefusal({ status, body }: ServiceAnswer, endpoint: 'video' | 'text'): boolean {
	const parsed = parseExactJson(body);
	const said = toObject(parsed);
	const error = toObject(said.error);
	// The gateway crashed; nobody knows how far it had come.
	if (error.type === 'new_api_panic') return false;
	// A task exists, perhaps an earlier one: a person must look at it.
	if (endpoint === 'video' && (NAMES_TASK.test(body) || findRecordId(parsed) !== undefined))
		return false;
	// The gateway's own shape for errors: when it answers so, it has given the money back and keeps no
	// task. With a status that says yes, other video services use this shape for success.
	const { code, message, data } = said;
	const isSaid = toText(code) !== undefined && typeof message === 'string' && data === null;
	if (isSaid && !meansSuccess(code) && (status >= 300 || endpoint === 'text')) return true;
	if (status < 300) return isPlainNo(said, error) || (endpoint === 'text' && isPage(body));
	if (status < 400) return REDIRECTS.has(status);
	if (status < 500) return !GAVE_UP_WAITING.has(status);
	if (status !== 503) return false;
	// A 503 of these kinds comes before any work: it is about keys, channels or an overloaded vendor.
	if (isGateways(error.type) || error.code === 'model_not_found') return true;
	const isNumber = /^\d+$/.test(String(error.code).trim());
	return (!isNumber || endpoint === 'text') && meansPassing(String(error.code));
}

/** Returns whether an answer of 2xx says no and nothing else. */
function isPlainNo({ code, data }: IDataObject, error: IDataObject): boolean {
	if (meansNo(error.code)) return true;
	if (isGateways(error.type) && toText(error.code) !== undefined) return true;
	return Object.keys(toObject(data)).length === 0 && (meansNo(code) || isGateways(code));
}

/** Returns a delay in ms: it doubles from 1 s to 30 s; `random` takes off up to a quarter. */
export const delayMs = (attempt: number, random: number): number =>
	Math.round(Math.min(30_000, 1_000 * 2 ** (attempt - 1)) * (1 - random / 4));

/** Returns `Retry-After`, seconds or a date, in milliseconds; two minutes at most. */
export function readRetryAfter({ headers }: ServiceAnswer): number | undefined {
	const value = headers['retry-after'] ?? '';
	const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
	return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, 120_000) : undefined;
}

/** How often a refused request is sent again: for up to two minutes, or longer with `Retry-After`. */
const MAX_REFUSAL_RETRIES = 8;
/** A host that cannot be reached is more often a typo than a passing state. */
const MAX_CONNECT_RETRIES = 2;

type PaidResult = PaidTrouble | { kind: 'accepted' | 'answered' };

/**
 * Sends a request that costs money. It tries again after a refusal that may pass, never after
 * anything unclear; while it waits, others have its place. Resolves to `undefined` if the run ended
 * before the request was sent.
 *
 * @param sending `maxPauseMs`: the longest wait for another try; no try is made after a longer one
 * @param onEnd gets the last result before its place goes to the next request
 */
export async function sendPaid<Result extends PaidResult>(
	send: () => Promise<Result>,
	{ limiter, clock, maxPauseMs }: { limiter: Limiter; clock: Clock; maxPauseMs: number },
	onEnd: (result: Result) => void = () => {},
): Promise<Result | undefined> {
	for (let attempt = 1; ; attempt++) {
		let pauseMs: number | undefined;
		const result = await limiter(async () => {
			const end = await send();
			pauseMs = retryDelayMs(end, attempt, clock.random());
			if (pauseMs !== undefined && pauseMs > maxPauseMs) pauseMs = undefined;
			if (pauseMs === undefined) onEnd(end);
			return end;
		});
		if (result === undefined || pauseMs === undefined) return result;
		await clock.pause(pauseMs);
	}
}

/** Returns how many milliseconds to wait after try `attempt` (from 1); `undefined` ends the tries. */
function retryDelayMs(result: PaidResult, attempt: number, random: number): number | undefined {
	// Anything but a clear refusal may have been charged.
	if (result.kind !== 'refused') return undefined;
	const { httpCode, code, retryable } = result.trouble;
	const notSent = httpCode === undefined;
	const mayPass = notSent || httpCode === 429 || meansPassing(code);
	const maxRetries = notSent ? MAX_CONNECT_RETRIES : MAX_REFUSAL_RETRIES;
	if (!retryable || !mayPass || attempt > maxRetries) return undefined;
	return result.retryAfterMs ?? delayMs(attempt, random);
}
