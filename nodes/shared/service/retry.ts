import type { ServiceError } from './trouble';
import type { ServiceAnswer } from './connection';

/** Times a refused request is sent again. With the delays below: about two minutes. */
export const MAX_REFUSAL_RETRIES = 8;
/** A host that cannot be reached is more often a typo than a passing fault. */
export const MAX_CONNECT_RETRIES = 2;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;
const MAX_RETRY_AFTER_MS = 120_000;

/** The end of a request that costs money, as far as a retry is concerned. */
type PaidResult =
	| { kind: 'refused' | 'unclear'; error: ServiceError; retryAfterMs?: number }
	| { kind: 'accepted' | 'answered' };

/**
 * Milliseconds to wait before a paid request may be sent again, or `undefined` for never. Only a
 * clear refusal is tried again: after anything else it may have been charged.
 *
 * @param attempt 1 for the first try
 * @param random 0 to 1; spreads the retries of a batch
 * @param maxPauseMs whoever does not wait longer than this is not made to
 */
export function paidRetryDelayMs(
	result: PaidResult,
	attempt: number,
	random: number,
	maxPauseMs = Infinity,
): number | undefined {
	if (result.kind !== 'refused') return undefined;
	const { error, retryAfterMs } = result;
	const notSent = error.httpCode === undefined;
	const mayPass = notSent || error.httpCode === 429 || error.httpCode === 503;
	const maxRetries = notSent ? MAX_CONNECT_RETRIES : MAX_REFUSAL_RETRIES;
	if (!error.retryable || !mayPass || attempt > maxRetries) return undefined;
	const pauseMs = retryAfterMs ?? delayMs(attempt, random);
	return pauseMs > maxPauseMs ? undefined : pauseMs;
}

/** Doubles from one second to half a minute, less up to a quarter. */
export function delayMs(attempt: number, random: number): number {
	const full = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
	return Math.round(full * (1 - random / 4));
}

/**
 * A refusal is a status that comes before any work is done: 3xx, 4xx, and 503 where the gateway
 * has no channel for the model or is overloaded. Other 5xx and odd answers with 200 may hide work
 * that is paid for, unless a 200 carries the business shape of a refusal.
 */
export function saysNo({ status, body }: ServiceAnswer, code: string | undefined): boolean {
	if (status >= 300 && status < 500) return status !== 408;
	if (status === 503) return true;
	return status < 300 && (/^\s*<(!doctype|html)/i.test(body) || code !== undefined);
}

/**
 * `Retry-After`, in seconds or as a date, within a limit: it may ask for a day. Deployments of this
 * service rarely send it.
 */
export function readRetryAfter({ headers }: ServiceAnswer): number | undefined {
	const value = headers['retry-after'];
	if (!value) return undefined;
	const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
	return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : undefined;
}
