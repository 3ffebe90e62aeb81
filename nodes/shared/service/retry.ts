import type { ServiceError } from './errors';
import type { ServiceAnswer } from './http';
import type { GenerateResult } from './textApi';
import type { SubmitResult } from './videoApi';

/** Times a refused submit is sent again. With the delays below: about two minutes. */
export const MAX_SUBMIT_RETRIES = 8;
/** Of a text request: about a minute, in which most rate limits start anew. */
export const MAX_TEXT_RETRIES = 6;
/** Where nothing answers at the base URL; somebody may be waiting for the text. */
const MAX_UNREACHED_TEXT_RETRIES = 2;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;
const MAX_RETRY_AFTER_MS = 120_000;

/**
 * Milliseconds to wait before a submit may be sent again, or `undefined` for never. Only a clear
 * refusal is tried again: after anything else a task may exist that is paid for.
 *
 * @param attempt 1 for the first try
 * @param random 0 to 1; spreads the retries of a batch
 */
export function submitRetryDelayMs(
	result: SubmitResult,
	attempt: number,
	random: number,
): number | undefined {
	if (result.kind !== 'refused' || attempt > MAX_SUBMIT_RETRIES) return undefined;
	return refusalDelayMs(result, attempt, random);
}

/** Likewise for a text request: after anything but a clear refusal it may have been charged. */
export function textRetryDelayMs(
	result: GenerateResult,
	attempt: number,
	random: number,
): number | undefined {
	if (result.kind !== 'refused') return undefined;
	const retries =
		result.error.httpCode === undefined ? MAX_UNREACHED_TEXT_RETRIES : MAX_TEXT_RETRIES;
	return attempt > retries ? undefined : refusalDelayMs(result, attempt, random);
}

function refusalDelayMs(
	{ error, retryAfterMs }: { error: ServiceError; retryAfterMs?: number },
	attempt: number,
	random: number,
): number | undefined {
	const mayPass = error.httpCode === undefined || error.httpCode === 429 || error.httpCode === 503;
	if (!error.retryable || !mayPass) return undefined;
	if (retryAfterMs !== undefined) return Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
	return delayMs(attempt, random);
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
