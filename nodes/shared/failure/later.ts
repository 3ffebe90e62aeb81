import type { IDataObject } from 'n8n-workflow';

import type { ServiceAnswer } from '../http/answer';
import { parseJson, toObject, toObjects } from '../lib/json';
import type { Clock } from '../lib/time';

/** Returns a delay in ms: it doubles from 1 s to 30 s; `random` takes off up to a quarter. */
export const delayMs = (attempt: number, random: number): number =>
	Math.round(Math.min(30_000, 1_000 * 2 ** (attempt - 1)) * (1 - random / 4));

/** Retries of a paid request that was refused; about two minutes together, without Retry-After. */
export const MAX_REFUSAL_RETRIES = 8;
/** A host that cannot be reached is more often a typo than a passing state. */
const MAX_CONNECT_RETRIES = 2;

/** What of a refusal says when the same request may be sent again. */
interface Declined {
	readonly httpCode?: number;
	readonly passes: boolean;
	readonly busy?: boolean;
	readonly retryAfterMs?: number;
}

/**
 * Returns how many milliseconds to wait before a paid request that was refused is sent again; `undefined` to
 * send it no more.
 *
 * @param tries how often it was sent
 * @param maxPauseMs the longest wait for another try; no try is made after a longer one
 */
export function resendMs(
	{ httpCode, busy, passes, retryAfterMs }: Declined,
	tries: number,
	{ clock, maxPauseMs }: { clock: Pick<Clock, 'random'>; maxPauseMs: number },
): number | undefined {
	const wasSent = httpCode !== undefined;
	if (!passes || (wasSent && !busy)) return undefined;
	if (tries > (wasSent ? MAX_REFUSAL_RETRIES : MAX_CONNECT_RETRIES)) return undefined;
	const pauseMs = retryAfterMs ?? delayMs(tries, clock.random());
	return pauseMs > maxPauseMs ? undefined : pauseMs;
}

/** The most that a service may ask to wait. */
const MAX_RETRY_AFTER_MS = 120_000;

/** Returns how long a service asks to wait, in milliseconds; two minutes at most. */
export function readRetryAfter(answer: ServiceAnswer): number | undefined {
	const { 'retry-after': header } = answer.headers;
	const { retry_after: seconds } = toObject(parseJson(answer.body)); // Replicate
	const delay = googleDetails(answer).find(({ retryDelay }) => retryDelay !== undefined);
	const value = header ?? String(seconds ?? delay?.retryDelay ?? '');
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
function googleDetails({ body }: ServiceAnswer): IDataObject[] {
	const [answer] = [parseJson(body)].flat();
	return toObjects(toObject(toObject(answer).error).details);
}
