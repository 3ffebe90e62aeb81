import type { ServiceError } from './errors';
import type { ServiceAnswer } from './http';

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
 */
export function paidRetryDelayMs(
	result: PaidResult,
	attempt: number,
	random: number,
): number | undefined {
	if (result.kind !== 'refused') return undefined;
	const { error, retryAfterMs } = result;
	const notSent = error.httpCode === undefined;
	const mayPass = notSent || error.httpCode === 429 || error.httpCode === 503;
	const maxRetries = notSent ? MAX_CONNECT_RETRIES : MAX_REFUSAL_RETRIES;
	if (!error.retryable || !mayPass || attempt > maxRetries) return undefined;
	return retryDelayMs(attempt, random, retryAfterMs);
}

/** What `Retry-After` asks for, within a limit; else the delay below. */
export function retryDelayMs(attempt: number, random: number, retryAfterMs?: number): number {
	if (retryAfterMs === undefined) return delayMs(attempt, random);
	return Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
}

/** Doubles from one second to half a minute, less up to a quarter. */
export function delayMs(attempt: number, random: number): number {
	const full = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
	return Math.round(full * (1 - random / 4));
}

/**
 * How many answers in a row of one kind end the wait for a task. `refused`: 401 and 403, which a
 * deployment under load gives now and then. `unknown`: the record can follow the submit by some
 * seconds. `trouble`: everything else, about ten minutes at ten seconds a poll.
 */
export const MAX_TROUBLES_IN_A_ROW = { refused: 5, unknown: 6, trouble: 60 } as const;

export type TroubleKind = keyof typeof MAX_TROUBLES_IN_A_ROW;

/** Sorts the trouble of a poll into the kinds above. */
export function toTroubleKind({ httpCode, code }: ServiceError): TroubleKind {
	if (httpCode === 401 || httpCode === 403) return 'refused';
	if (code === 'task_not_exist' || httpCode === 404 || httpCode === 410) return 'unknown';
	return 'trouble';
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

/** `Retry-After` in seconds or as a date; deployments of this service rarely send it. */
export function readRetryAfter({ headers }: ServiceAnswer): number | undefined {
	const value = headers['retry-after'];
	if (!value) return undefined;
	const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
	return Number.isFinite(ms) && ms >= 0 ? ms : undefined;
}
