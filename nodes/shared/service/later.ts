import type { IDataObject } from 'n8n-workflow';

import { parseJson, toObject, toObjects } from '../lib/json';
import type { Clock } from '../lib/time';
import { endOf, type TaskStatus } from './answerPaths';
import type { ServiceAnswer } from './http';

/** What a request asks for. `submit` and `text` cost money; `list` is anything else that is free. */
export type Asking = 'submit' | 'text' | 'check' | 'file' | 'list';

/** The facts of a failure that say whether the same call may work later. */
export interface Outlook {
	readonly httpCode?: number;
	/** The service's own code, such as `task_not_exist`, or the network's, such as `ECONNREFUSED`. */
	readonly code?: string;
	/** Whether the same call may succeed later by itself. */
	readonly passes: boolean;
	/** How long the host asks to wait before the next try. */
	readonly retryAfterMs?: number;
}

/** Statuses that pass by themselves: the same request may bring something else later. */
const isPassing = (status: number) => [408, 409, 425, 429, 455].includes(status) || status >= 500;

/**
 * For some seconds after a record says SUCCESS, its file may be 400 "not completed yet", 404, or a page or
 * JSON with 200.
 */
const isPassingOfFile = (status: number) => status < 300 || status === 400 || status === 404;

/** Returns whether a download that failed may work later: the state of its task also decides. */
export const mayBringFile = (failure: Outlook, status: TaskStatus = 'SUCCESS'): boolean =>
	endOf(status) === 'done' ? failure.passes : endOf(status) !== 'failed';

/** Returns whether a code tells of a state that passes by itself; some codes are HTTP's numbers. */
const meansPassing = (code = '') =>
	/^(429|503|rate_limit_exceeded|service_unavailable|overloaded|system(_\w{1,20})?_overloaded)$/.test(
		code,
	);

/** Returns whether a service says that it does nothing now, and so has done nothing. */
export const isBusy = (status: number, code?: string) => status === 429 || meansPassing(code);

/** Returns whether an account or a key has no credit left: codes of New API, and OpenAI's, with a 429. */
export const isOutOfCredit = (code = '') =>
	/^(insufficient_user_quota|pre_consume_token_quota_failed|insufficient_quota)$/.test(code);

/** Returns whether the same request may work later by itself. No other code decides this. */
export const mayPass = (asking: Asking, status: number, code?: string): boolean =>
	code !== 'model_not_found' &&
	!isOutOfCredit(code) &&
	(meansPassing(code) || isPassing(status) || (asking === 'file' && isPassingOfFile(status)));

/** Returns a delay in ms: it doubles from 1 s to 30 s; `random` takes off up to a quarter. */
export const delayMs = (attempt: number, random: number): number =>
	Math.round(Math.min(30_000, 1_000 * 2 ** (attempt - 1)) * (1 - random / 4));

/** Retries of a paid request that was refused; about two minutes together, without Retry-After. */
export const MAX_REFUSAL_RETRIES = 8;
/** A host that cannot be reached is more often a typo than a passing state. */
const MAX_CONNECT_RETRIES = 2;

/**
 * Returns how many milliseconds to wait before a paid request that was refused is sent again; `undefined` to
 * send it no more.
 *
 * @param tries how often it was sent
 * @param maxPauseMs the longest wait for another try; no try is made after a longer one
 */
export function resendMs(
	{ httpCode, code, passes, retryAfterMs }: Outlook,
	tries: number,
	{ clock, maxPauseMs }: { clock: Pick<Clock, 'random'>; maxPauseMs: number },
): number | undefined {
	const wasSent = httpCode !== undefined;
	if (!passes || (wasSent && !isBusy(httpCode, code))) return undefined;
	if (tries > (wasSent ? MAX_REFUSAL_RETRIES : MAX_CONNECT_RETRIES)) return undefined;
	const pauseMs = retryAfterMs ?? delayMs(tries, clock.random());
	return pauseMs > maxPauseMs ? undefined : pauseMs;
}

/** The most that a service may ask to wait. */
const MAX_RETRY_AFTER_MS = 120_000;

/** Returns how long a service asks to wait, in milliseconds; two minutes at most. */
export function readRetryAfter(answer: ServiceAnswer): number | undefined {
	const { 'retry-after': header } = answer.headers;
	const delay = googleDetails(answer).find(({ retryDelay }) => retryDelay !== undefined);
	const value = header ?? String(delay?.retryDelay ?? '');
	const isSeconds = /^\d+(\.\d+)?s?$/.test(value);
	const ms = isSeconds ? parseFloat(value) * 1000 : Date.parse(value) - Date.now();
	return ms >= 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : undefined;
}

/** Returns whether a quota is used up for the day, so that no try helps within minutes. */
export const isDailyQuota = (answer: ServiceAnswer): boolean =>
	googleDetails(answer)
		.flatMap(({ violations }) => toObjects(violations))
		.some(({ quotaId }) => /PerDay/.test(String(quotaId)));

/**
 * Returns what Google tells in the body of a 429: `retryDelay` such as "58s" (google.rpc.RetryInfo), and
 * `violations` with a `quotaId` (google.rpc.QuotaFailure). Its stream wraps the error in a list.
 */
function googleDetails({ status, body }: ServiceAnswer): IDataObject[] {
	if (status !== 429) return [];
	const [answer] = [parseJson(body)].flat();
	return toObjects(toObject(toObject(answer).error).details);
}
