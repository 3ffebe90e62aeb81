import type { IDataObject } from 'n8n-workflow';

import type { ServiceAnswer } from '../http/answer';
import { parseJson, toObject, toObjects } from '../lib/json';

/** Returns a delay in ms: it doubles from 1 s to 30 s; `random` takes off up to a quarter. */
export const delayMs = (attempt: number, random: number): number =>
	Math.round(Math.min(30_000, 1_000 * 2 ** (attempt - 1)) * (1 - random / 4));

/** The longest pause before another try of what is free. */
export const MAX_PAUSE_MS = 120_000;

/** LiteLLM says in words alone until when a key has to wait. */
const RESETS_AT = /\bresets at:? (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC/i;

/** Returns how long a service asks to wait, in milliseconds. */
export function readRetryAfter(answer: ServiceAnswer): number | undefined {
	const { 'retry-after': header } = answer.headers;
	const { retry_after: seconds } = toObject(parseJson(answer.body)); // Replicate
	const delay = googleDetails(answer).find(({ retryDelay }) => retryDelay !== undefined);
	const [, day, time] = RESETS_AT.exec(answer.body) ?? [];
	const inWords = day && `${day}T${time}Z`;
	const value = header ?? String(seconds ?? delay?.retryDelay ?? inWords ?? '');
	const isSeconds = /^\d+(\.\d+)?s?$/.test(value);
	const ms = isSeconds ? parseFloat(value) * 1000 : Date.parse(value) - Date.now();
	return ms >= 0 ? ms : undefined;
}

/** Runway says it in words: "Your daily task limit has been reached." (runwayml/sdk-python 23). */
const DAILY_LIMIT = /\bdaily task limit\b/i;

/** Returns whether a quota is used up for the day, so that no try helps within minutes. */
export const isDailyQuota = (answer: ServiceAnswer): boolean =>
	DAILY_LIMIT.test(answer.body) ||
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
