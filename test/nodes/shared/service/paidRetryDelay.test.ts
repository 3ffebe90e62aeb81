import {
	MAX_CONNECT_RETRIES,
	MAX_REFUSAL_RETRIES,
	paidRetryDelayMs,
} from '../../../../nodes/shared/service/paid';

describe('retries of what costs money', () => {
	const refused = (httpCode: number | undefined, code?: string, retryable = true) =>
		({ kind: 'refused', trouble: { message: '', httpCode, code, retryable } }) as const;

	it('repeats clear refusals that may pass, with growing delays', () => {
		const delays = [1, 2, 3, 8].map((attempt) => paidRetryDelayMs(refused(429), attempt, 0));
		expect(delays).toEqual([1000, 2000, 4000, 30_000]);
		expect(paidRetryDelayMs(refused(429), MAX_REFUSAL_RETRIES + 1, 0)).toBeUndefined();
		expect(paidRetryDelayMs(refused(undefined), MAX_CONNECT_RETRIES, 0)).toBe(2000);
		expect(paidRetryDelayMs(refused(undefined), MAX_CONNECT_RETRIES + 1, 0)).toBeUndefined();
	});

	it('does as Retry-After says', () => {
		expect(paidRetryDelayMs({ ...refused(429), retryAfterMs: 7_000 }, 1, 0)).toBe(7_000);
	});

	it('makes nobody wait longer than they would', () => {
		const within = (attempt: number) => paidRetryDelayMs(refused(429), attempt, 0, 10_000);
		expect([within(4), within(5)]).toEqual([8000, undefined]);
	});

	it.each([
		[503, 'system_cpu_overloaded'],
		[503, 'service_unavailable'],
		[503, '503'],
		[500, 'rate_limit_exceeded'],
		[400, 'rate_limit_exceeded'],
		[502, 'TooManyRequests'],
		[503, 'server_busy'],
	])('repeats status %d where its code, %s, says that it passes', (status, code) => {
		expect(paidRetryDelayMs(refused(status, code), 1, 0)).toBe(1000);
	});

	it.each([
		[503, undefined],
		[503, 'model_unavailable'],
		[500, 'build_request_failed'],
		[502, 'fail_to_fetch_task'],
	])('does not repeat status %d where its code, %s, does not say so', (status, code) => {
		expect(paidRetryDelayMs(refused(status, code), 1, 0)).toBeUndefined();
	});

	it.each([400, 401, 403, 404, 409, 413, 422])('never repeats status %d', (status) => {
		expect(paidRetryDelayMs(refused(status), 1, 0)).toBeUndefined();
	});

	it('never repeats what is unclear, nor a model that is not there', () => {
		const trouble = { message: '', httpCode: 503, code: 'overloaded', retryable: true };
		expect(paidRetryDelayMs({ kind: 'unclear', trouble }, 1, 0)).toBeUndefined();
		expect(paidRetryDelayMs(refused(503, 'model_not_found', false), 1, 0)).toBeUndefined();
	});
});
