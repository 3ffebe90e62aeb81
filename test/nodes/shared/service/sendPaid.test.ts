import { createLimiter } from '../../../../nodes/shared/lib/turns';
import { sendPaid } from '../../../../nodes/shared/service/paid';
import type { GenerateResult } from '../../../../nodes/shared/service/textApi';

const ANSWERED: GenerateResult = { kind: 'answered', answer: {} };
const refused = (httpCode?: number): GenerateResult => ({
	kind: 'refused',
	// 503 passes where its code says so.
	trouble: {
		...{ message: 'No', httpCode, retryable: true },
		code: httpCode === 503 ? 'service_unavailable' : undefined,
	},
});
const UNCLEAR: GenerateResult = { ...refused(503), kind: 'unclear' } as GenerateResult;

function setUp(
	results: GenerateResult[],
	{ stopAfterPauses = Infinity, maxPauseMs = Infinity } = {},
) {
	const stop = new AbortController();
	const pauses: number[] = [];
	const ends: GenerateResult[] = [];
	const limiter = createLimiter(1, stop.signal);
	let sent = 0;
	const sending = {
		limiter,
		maxPauseMs,
		clock: {
			now: () => 0,
			random: () => 0,
			pause: async (ms: number) => {
				pauses.push(ms);
				// The place is free while one waits: with a limit of 1 this would hang otherwise.
				await limiter(async () => {});
				if (pauses.length >= stopAfterPauses) stop.abort();
			},
		},
	};
	const send = async () => results[Math.min(sent++, results.length - 1)];
	const run = async () => await sendPaid(send, sending, (end) => ends.push(end));
	return { run, limiter, pauses, ends, stop, sent: () => sent };
}

describe('sendPaid', () => {
	it('sends again after a refusal that may pass, with doubled delays', async () => {
		const { run, pauses, ends } = setUp([refused(429), refused(503), ANSWERED]);
		expect(await run()).toBe(ANSWERED);
		expect(pauses).toEqual([1_000, 2_000]);
		expect(ends).toEqual([ANSWERED]);
	});

	it.each([[UNCLEAR], [refused(500)], [refused(401)]])(
		'sends once where %j comes',
		async (result) => {
			const { run, sent, ends } = setUp([result, ANSWERED]);
			expect(await run()).toBe(result);
			expect([sent(), ends]).toEqual([1, [result]]);
		},
	);

	it.each([
		[429, 9],
		[undefined, 3],
	])('gives up on status %j after %i tries', async (status, tries) => {
		const { run, sent, ends } = setUp([refused(status)]);
		expect(await run()).toMatchObject({ kind: 'refused' });
		expect([sent(), ends.length]).toEqual([tries, 1]);
	});

	it('makes nobody wait longer than they would', async () => {
		const { run, pauses } = setUp([refused(429)], { maxPauseMs: 3_000 });
		expect(await run()).toMatchObject({ kind: 'refused' });
		expect(pauses).toEqual([1_000, 2_000]);
	});

	it('sends nothing once it is stopped', async () => {
		const first = setUp([ANSWERED]);
		first.stop.abort();
		expect(await first.run()).toBeUndefined();
		expect([first.sent(), first.ends]).toEqual([0, []]);
		const second = setUp([refused(429)], { stopAfterPauses: 2 });
		expect(await second.run()).toBeUndefined();
		expect([second.sent(), second.ends]).toEqual([2, []]);
	});

	it('tells the end before its place goes to the next request', async () => {
		const { run, limiter, ends } = setUp([refused(401)]);
		const running = run();
		expect(await limiter(async () => [...ends])).toEqual([refused(401)]);
		await running;
	});

	it('leaves its place where sending throws', async () => {
		const { limiter } = setUp([]);
		const clock = { now: () => 0, random: () => 0, pause: async () => {} };
		const sending = { limiter, clock, maxPauseMs: Infinity };
		const send = async () => await Promise.reject<GenerateResult>(new Error('No file'));
		await expect(sendPaid(send, sending)).rejects.toThrow('No file');
		expect(await limiter(async () => 'next')).toBe('next');
	});
});
