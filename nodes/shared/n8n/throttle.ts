import { type Failure, isFailure } from '../failure/failure';
import { delayMs } from '../failure/later';
import type { Reason } from '../failure/reason';
import { sentences, toDuration } from '../lib/text';
import { createLimiter, type Limiter } from '../lib/turns';
import type { Run } from './run';

/** The first pause, in milliseconds, if the service names none, or none to speak of. */
const FIRST_PAUSE_MS = 1_000;
/** A pause that was too short grows, at most to this, unless the service names a longer one. */
const MAX_GROWN_MS = 30_000;
const PAUSE_GROWTH = 1.5;
/** A longer pause that the service names is the rest of its window, and no pace for all that follows. */
const MAX_PACE_MS = 10_000;
/** A request that gets through shortens the next pause by so much, down to the one last named. */
const SHRINKAGE = 0.9;
/** A host that cannot be reached is more often a typo than a passing state. */
const MAX_CONNECT_RETRIES = 2;

const AGAIN = Symbol('again');
const SAID_BEFORE = 'Not sent: the service had said so to another item of this run.';

interface PaidRequest {
	send: () => Promise<object | undefined>;
	giveUpAfterMs: number;
	/** How often the host was not reached. */
	unreached: number;
}

/** Sends a paid request; `giveUpAfterMs`: how long no request may get through before this one is given up. */
type Throttle = <Result extends object>(
	send: () => Promise<Result | undefined>,
	giveUpAfterMs: number,
) => Promise<Result | Failure | undefined>;

/**
 * Returns what sends the paid requests of a run, and sends one again that was refused because the service does
 * nothing now. From the first such refusal on, requests go one at a time: Replicate counts refused ones, too.
 * Once the account is empty, nothing more is sent.
 */
export function createThrottle(
	run: Pick<Run, 'clock' | 'maxPauseMs' | 'onFailure' | 'report' | 'signal'>,
	limiter: Limiter,
): Throttle {
	const { clock, maxPauseMs, onFailure, report, signal } = run;
	const oneByOne = createLimiter(1, signal);
	let pending = 0;
	/** Between two requests; `undefined` until the service limits the run. */
	let pauseMs: number | undefined;
	let namedMs = FIRST_PAUSE_MS;
	let nextAtMs = 0;
	/** Since a request got through last. */
	let waitedMs = 0;
	/** What ends all requests that are left. */
	let noCredit: Failure | undefined;
	let lastBusy: Failure | undefined;

	/** Notes a refusal. Only one to a request that has waited says that the pause was too short. */
	const slowDown = ({ retryAfterMs }: Reason, pausedMs = 0) => {
		namedMs = Math.max(FIRST_PAUSE_MS, retryAfterMs ?? namedMs);
		waitedMs += pausedMs;
		if (pauseMs === undefined) sayLimit(report, pending, retryAfterMs);
		pauseMs = Math.max(namedMs, pauseMs ?? 0, Math.min(MAX_GROWN_MS, pausedMs * PAUSE_GROWTH));
		nextAtMs = Math.max(nextAtMs, clock.now() + pauseMs);
	};
	const noteThrough = () => {
		waitedMs = 0;
		if (pauseMs === undefined) return;
		const shorter = pauseMs > 2 * MAX_PACE_MS ? MAX_PACE_MS : pauseMs * SHRINKAGE;
		pauseMs = Math.max(Math.min(namedMs, MAX_PACE_MS), shorter);
		nextAtMs = clock.now() + pauseMs;
	};
	const isTooLong = (giveUpAfterMs: number) =>
		pauseMs! > maxPauseMs || waitedMs + pauseMs! > giveUpAfterMs;

	/** Sends a request once. A failing item ends the run before another request takes its place. */
	const attempt = async (request: PaidRequest, pausedMs?: number) => {
		const end = noCredit
			? { ...noCredit, description: sentences(SAID_BEFORE, noCredit.description) }
			: await request.send();
		const refusal = isFailure(end) ? end.refusal : undefined;
		if (refusal?.noCredit) noCredit ??= end as Failure;
		if (isBusy(refusal)) {
			lastBusy = end as Failure;
			slowDown(refusal, pausedMs);
			if (!isTooLong(request.giveUpAfterMs)) return AGAIN;
		} else if (isUnreached(refusal)) {
			if (++request.unreached <= MAX_CONNECT_RETRIES) return AGAIN;
		} else if (end) noteThrough();
		if (isFailure(end)) onFailure();
		return end;
	};
	/** Sends a request once with others. One whose turn comes after the first refusal waits with the rest. */
	const attemptNow = async (request: PaidRequest) =>
		await limiter(async () => (pauseMs === undefined ? await attempt(request) : AGAIN));
	const attemptInTurn = async (request: PaidRequest) =>
		await oneByOne(async () => {
			if (lastBusy && isTooLong(request.giveUpAfterMs)) return lastBusy;
			const pausedMs = pauseMs;
			if (!noCredit) await clock.pause(nextAtMs - clock.now());
			return await limiter(async () => await attempt(request, pausedMs));
		});

	return async (send, giveUpAfterMs) => {
		pending++;
		try {
			const request = { send, giveUpAfterMs, unreached: 0 };
			for (;;) {
				const end = await (pauseMs === undefined ? attemptNow(request) : attemptInTurn(request));
				if (end !== AGAIN) return end as never;
				// The address may be wrong, or its host away for a moment.
				if (pauseMs === undefined) await clock.pause(delayMs(request.unreached, clock.random()));
			}
		} finally {
			pending--;
		}
	};
}

function sayLimit({ info }: Run['report'], pending: number, namedMs?: number): void {
	const restMs = namedMs && namedMs + (pending - 1) * Math.min(namedMs, MAX_PACE_MS);
	const time = restMs ? `, which may take about ${toDuration(restMs)}` : '';
	info(`rate limit reached: the remaining items are sent one at a time${time}`);
}

/** The service does nothing now, and so has done nothing. */
const isBusy = (refusal: Reason | undefined): refusal is Reason =>
	refusal?.busy === true && refusal.passes && refusal.httpCode !== undefined;

const isUnreached = (refusal: Reason | undefined) =>
	refusal?.passes === true && refusal.httpCode === undefined;
