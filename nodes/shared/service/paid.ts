import type { Clock } from '../lib/time';
import type { Limiter } from '../lib/turns';
import { meansPassing } from './codes';
import type { ServiceAnswer } from './connection';
import { isNoAnswer, type NoAnswer } from './noAnswer';
import { quoteBody } from './quote';
import { type Endpoint, isRefusal } from './refusal';
import { delayMs, readRetryAfter } from './retry';
import { toTrouble, type Trouble } from './trouble';

/**
 * A request that costs money, without what was asked for. `refused`: the service said no before it
 * did any work, and nothing is charged. `unclear`: the work may be done, and charged.
 */
export interface PaidTrouble {
	kind: 'refused' | 'unclear';
	trouble: Trouble;
	retryAfterMs?: number;
}

/** What it means that a paid request did not bring what was asked for: no, or nobody knows. */
export function toPaidTrouble(
	answer: ServiceAnswer | NoAnswer,
	endpoint: Endpoint = 'text',
): PaidTrouble {
	const trouble = toTrouble(answer);
	if (isNoAnswer(answer)) {
		const body = answer.begin === undefined ? undefined : quoteBody(answer.begin);
		const kind = answer.network === 'notSent' ? 'refused' : 'unclear';
		return { kind, trouble: body === undefined ? trouble : { ...trouble, body } };
	}
	const retryAfterMs = readRetryAfter(answer);
	if (isRefusal(answer, endpoint)) return { kind: 'refused', trouble, retryAfterMs };
	return { kind: 'unclear', trouble: { ...trouble, body: quoteBody(answer.body) }, retryAfterMs };
}

/** Times a refused request is sent again. With the delays of `delayMs`: about two minutes. */
export const MAX_REFUSAL_RETRIES = 8;
/** A host that cannot be reached is more often a typo than a passing state. */
export const MAX_CONNECT_RETRIES = 2;

/** The end of a request that costs money, as far as a retry is concerned. */
type PaidResult = PaidTrouble | { kind: 'accepted' | 'answered' };

export interface PaidSending {
	/** Leaves requests unsent once the run has ended. */
	limiter: Limiter;
	clock: Clock;
	/** Whoever does not wait longer than this for another try is not made to, in milliseconds. */
	maxPauseMs: number;
}

/**
 * Sends a request that costs money; a clear refusal is tried again, anything unclear never is.
 * While it waits for another try it leaves its place to others. `undefined` where the run ended
 * before it was sent.
 *
 * @param onEnd hears of the last result before its place goes to the next request
 */
export async function sendPaid<Result extends PaidResult>(
	send: () => Promise<Result>,
	{ limiter, clock, maxPauseMs }: PaidSending,
	onEnd: (result: Result) => void = () => {},
): Promise<Result | undefined> {
	for (let attempt = 1; ; attempt++) {
		let retryInMs: number | undefined;
		const result = await limiter(async () => {
			const end = await send();
			retryInMs = paidRetryDelayMs(end, attempt, clock.random(), maxPauseMs);
			if (retryInMs === undefined) onEnd(end);
			return end;
		});
		if (result === undefined || retryInMs === undefined) return result;
		await clock.pause(retryInMs);
	}
}

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
	maxPauseMs = Infinity,
): number | undefined {
	if (result.kind !== 'refused') return undefined;
	const { trouble, retryAfterMs } = result;
	const { httpCode, code } = trouble;
	const notSent = httpCode === undefined;
	const mayPass = notSent || httpCode === 429 || meansPassing(code);
	const maxRetries = notSent ? MAX_CONNECT_RETRIES : MAX_REFUSAL_RETRIES;
	if (!trouble.retryable || !mayPass || attempt > maxRetries) return undefined;
	const pauseMs = retryAfterMs ?? delayMs(attempt, random);
	return pauseMs > maxPauseMs ? undefined : pauseMs;
}
