import { createLimiter } from '../../../../nodes/shared/lib/turns';
import { sendPaid } from '../../../../nodes/shared/service/sendPaid';
import type { GenerateResult } from '../../../../nodes/shared/text/askText';

const refused = (httpCode?: number, code?: string, passes = true) =>
	({ during: 'text', message: 'No', certainty: 'refused', httpCode, code, passes }) as const;

const ANSWERED: GenerateResult = { answer: {} };
const UNCLEAR: GenerateResult = { ...refused(429), certainty: 'unclear' };

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
	it.each([
		[429, undefined],
		[503, 'system_cpu_overloaded'],
		[503, 'service_unavailable'],
		[400, 'rate_limit_exceeded'],
	])('sends again after %d %s, which passes, with doubled delays', async (status, code) => {
		const no = refused(status, code);
		const { run, pauses, ends } = setUp([no, no, ANSWERED]);
		expect(await run()).toBe(ANSWERED);
		expect([pauses, ends]).toEqual([[1_000, 2_000], [ANSWERED]]);
	});

	it.each([
		[UNCLEAR],
		[refused(500)],
		[refused(503, 'model_unavailable')],
		[refused(502, 'fail_to_fetch_task')],
		[refused(401)],
		[refused(503, 'overloaded', false)],
	])('sends once where %j comes', async (result) => {
		const { run, sent, ends } = setUp([result, ANSWERED]);
		expect(await run()).toBe(result);
		expect([sent(), ends]).toEqual([1, [result]]);
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
		const { run, limiter } = setUp([]);
		await expect(run()).rejects.toThrow();
		expect(await limiter(async () => 'next')).toBe('next');
	});
});
