import { submitRefused } from '../../../../nodes/shared/failure/failure';
import { readReason } from '../../../../nodes/shared/failure/reason';
import { createLimiter } from '../../../../nodes/shared/lib/turns';
import { createThrottle } from '../../../../nodes/shared/n8n/throttle';
import { openWorld } from '../task/support/world';

const MINUTE_MS = 60_000;
const CONCURRENCY = 10;

/** A service that takes a request or says why not; `undefined` takes it. */
type Serve = (nowMs: number) => { status: number; body?: object } | undefined;

/** Sends so many requests at once, and counts what was sent. */
async function send(
	rows: number,
	serve: Serve,
	{ giveUpAfterMs = 30 * MINUTE_MS, forAgent = false } = {},
) {
	const { run, time } = openWorld({ continues: true, forAgent });
	const info = jest.fn();
	const throttle = createThrottle(
		{ ...run, ...(forAgent && { maxPauseMs: 10_000 }), report: { ...run.report, info } },
		createLimiter(CONCURRENCY, run.signal),
	);
	const atMs: number[] = [];
	const ask = async () => {
		await time.pause(300);
		atMs.push(time.now());
		const refused = serve(time.now());
		if (!refused) return { film: true };
		const { status, body = {} } = refused;
		return submitRefused(readReason('submit', { status, headers: {}, body: JSON.stringify(body) }));
	};
	const works = Array.from({ length: rows }, async () => await throttle(ask, giveUpAfterMs));
	const ends = await time.run(Promise.all(works));
	const films = ends.filter((end) => end && 'film' in end).length;
	return { ends, films, atMs, info, endMs: time.now() };
}

/** Takes so many requests in a time; refused ones count if `counts`. */
function limited(most: number, everyMs: number, counts: boolean, named?: number): Serve {
	let last: number[] = [];
	return (nowMs) => {
		last = last.filter((one) => nowMs - one < everyMs);
		const isFull = last.length >= most;
		if (!isFull || counts) last.push(nowMs);
		if (!isFull) return undefined;
		return {
			status: 429,
			body: named === undefined ? {} : { detail: 'throttled', retry_after: named },
		};
	};
}

// Replicate below 5 USD of credit: six a minute, one at a time, "resets in ~5s" (2026-08).
it.each([
	['refused requests count', limited(1, 10_000, true, 5)],
	['they do not', limited(1, 10_000, false, 5)],
	['the delay is right', limited(1, 5_000, true, 5)],
	['no delay is named', limited(1, 5_000, false)],
])('ten rows at a service that takes one at a time, where %s: 25 requests', async (_how, serve) => {
	const { films, atMs, info } = await send(10, serve);
	expect(films).toBe(10);
	expect(atMs.length).toBeLessThanOrEqual(25);
	expect(info).toHaveBeenCalledTimes(1);
	expect(info.mock.calls[0][0]).toMatch(/one at a time(, which may take about \d+ s)?$/);
});

it('sixty rows at kie.ai, which takes 20 in 10 seconds', async () => {
	const { films, atMs, endMs } = await send(60, limited(20, 10_000, true));
	expect(films).toBe(60);
	expect(atMs.length).toBeLessThanOrEqual(90);
	expect(endMs).toBeLessThan(2 * MINUTE_MS);
});

it('keeps the pace that the service has named once it takes requests again', async () => {
	let refused = 0;
	const serve = () => (refused++ < 2 ? { status: 429, body: { retry_after: 7 } } : undefined);
	const { atMs } = await send(14, serve);
	const paced = atMs.slice(CONCURRENCY);
	expect(paced.slice(1).map((ms, i) => ms - paced[i])).toEqual([7_300, 7_300, 7_300, 7_300, 7_300]);
});

it('gives a row up once none got through for Max Wait, and those behind it without a request', async () => {
	const serve = () => ({ status: 503, body: { error: { code: 'overloaded' } } });
	const { films, atMs, ends } = await send(30, serve, { giveUpAfterMs: MINUTE_MS });
	expect(films).toBe(0);
	expect(ends).toHaveLength(30);
	expect(ends.every((end) => end && 'next' in end && end.next === 'retry')).toBe(true);
	expect(atMs.length).toBeLessThanOrEqual(CONCURRENCY + 10);
});

it.each([
	['longer than Max Wait', {}, 3_600],
	['longer than an agent waits', { forAgent: true }, 20],
])('does not wait for a delay %s', async (_what, options, retry_after) => {
	const { atMs, endMs } = await send(1, () => ({ status: 429, body: { retry_after } }), options);
	expect([atMs.length, endMs]).toEqual([1, 300]);
});

it.each([
	[
		'LiteLLM',
		429,
		{ error: { message: 'Budget has been exceeded!', type: 'budget_exceeded', code: '429' } },
	],
	[
		'LiteLLM',
		400,
		{ error: { message: 'ExceededBudget: User=a', type: 'budget_exceeded', code: '400' } },
	],
	['Replicate', 402, { title: 'Insufficient credit', status: 402 }],
	['New API', 403, { code: 'insufficient_user_quota', message: 'no', data: null }],
])('sends nothing more once the account is empty (%s, %i)', async (_who, status, body) => {
	const { ends, atMs } = await send(30, () => ({ status, body }));
	expect(atMs).toHaveLength(CONCURRENCY);
	expect(ends.map((end) => end && 'next' in end && [end.next, end.billed])).toEqual(
		Array(30).fill(['checkAccount', 'no']),
	);
	const notSent = ends.filter((end) => JSON.stringify(end).includes('Not sent: '));
	expect(notSent).toHaveLength(30 - CONCURRENCY);
});

it.each([
	[
		'the quota of a model',
		429,
		{ error: { details: [{ violations: [{ quotaId: 'RequestsPerDayPerModel' }] }] } },
	],
	['the vendor', 403, { code: 'fail_to_fetch_task', message: 'insufficient quota' }],
])('goes on with other items if %s is at fault', async (_whose, status, body) => {
	let sent = 0;
	const { films, atMs } = await send(30, () => (sent++ === 0 ? { status, body } : undefined));
	expect([films, atMs.length]).toEqual([29, 30]);
});

it('takes a long delay for the rest of a window, and no pace for all that follows', async () => {
	let refused = 0;
	const serve = () => (refused++ === 0 ? { status: 429, body: { retry_after: 1_500 } } : undefined);
	const { films, endMs, info } = await send(30, serve);
	expect(films).toBe(30);
	expect(endMs).toBeLessThan(32 * MINUTE_MS);
	expect(info.mock.calls[0][0]).toMatch(/about 29 min 50 s$/);
});

it('counts the wait anew once a request got through', async () => {
	// Each row waits 40 seconds, and Max Wait is a minute.
	const { films } = await send(5, limited(1, 40_000, false, 40), { giveUpAfterMs: MINUTE_MS });
	expect(films).toBe(5);
});

it('tries a host that is not there three times, and ends the run', async () => {
	const { run, time } = openWorld({ continues: true });
	const onFailure = jest.fn();
	const throttle = createThrottle({ ...run, onFailure }, createLimiter(1, run.signal));
	let tries = 0;
	const ask = async () => {
		tries++;
		const noAnswer = {
			message: 'Nothing answers',
			code: 'ECONNREFUSED',
			network: 'notSent',
		} as const;
		return submitRefused(readReason('submit', noAnswer));
	};
	await time.run(throttle(ask, MINUTE_MS));
	expect([tries, time.now(), onFailure.mock.calls.length]).toEqual([3, 3_000, 1]);
});
