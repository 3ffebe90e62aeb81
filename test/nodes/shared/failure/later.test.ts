import { delayMs, readRetryAfter, resendMs } from '../../../../nodes/shared/failure/later';

describe('a paid request', () => {
	const EIGHT = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000];

	it.each<[string, Partial<Parameters<typeof resendMs>[0]>, delays: number[], maxPauseMs?: number]>(
		[
			['429', { httpCode: 429, busy: true }, EIGHT],
			['503 of an overloaded host', { httpCode: 503, busy: true }, EIGHT],
			['Retry-After', { httpCode: 429, busy: true, retryAfterMs: 7 }, Array<number>(8).fill(7)],
			['no connection', {}, [1_000, 2_000]],
			['503 of a model', { httpCode: 503 }, []],
			['what does not pass', { httpCode: 503, busy: true, passes: false }, []],
			['a pause that nobody can wait for', { httpCode: 429, busy: true }, [1_000, 2_000], 2_000],
		],
	)('is sent again after %s, or is not', (_what, met, delays, maxPauseMs = Infinity) => {
		const pace = { clock: { random: () => 0 }, maxPauseMs };
		const all = Array.from({ length: 10 }, (_, i) =>
			resendMs({ passes: true, ...met }, i + 1, pace),
		);
		expect(all.slice(0, all.indexOf(undefined))).toEqual(delays);
	});
});

it('the tries of a batch spread out', () => expect(delayMs(1, 1)).toBe(750));

it.each([
	['86400', 120_000],
	['Fri, 01 Jan 2100 00:00:00 GMT', 120_000],
	['-5', undefined],
	['Thu, 01 Jan 1970 00:00:00 GMT', undefined],
])('Retry-After %j is a pause of %p ms: two minutes at most', (value, ms) => {
	expect(readRetryAfter({ status: 429, headers: { 'retry-after': value }, body: '' })).toBe(ms);
});
