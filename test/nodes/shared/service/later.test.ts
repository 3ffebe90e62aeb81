import type { Reason } from '../../../../nodes/shared/service/reason';
import {
	delayMs,
	isBusy,
	mayBringFile,
	mayPass,
	readRetryAfter,
	resendMs,
} from '../../../../nodes/shared/service/later';
import type { TaskStatus } from '../../../../nodes/shared/service/answerPaths';

const STATUSES = [
	...[200, 204, 206, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 408, 409],
	...[410, 413, 422, 425, 429, 451, 460, 499, 500, 502, 503, 504, 524],
];

describe('mayPass', () => {
	const ALWAYS = [408, 409, 425, 429, 500, 502, 503, 504, 524];
	it.each([
		['submit', ALWAYS],
		['check', ALWAYS],
		['file', [200, 204, 206, 400, 404, ...ALWAYS]],
	] as const)('says of %s which statuses pass', (asking, passing) => {
		expect(STATUSES.filter((status) => mayPass(asking, status))).toEqual(passing);
	});

	it.each(['429', '503', 'rate_limit_exceeded', 'overloaded', 'system_cpu_overloaded'])(
		'lets the code %s pass with any status',
		(code) => expect(mayPass('submit', 400, code)).toBe(true),
	);

	it('waits for no model that is not there', () =>
		expect(mayPass('submit', 503, 'model_not_found')).toBe(false));
});

it('the tries of a batch spread out', () => expect(delayMs(1, 1)).toBe(750));

it('says which statuses mean that the service is busy', () => {
	expect(STATUSES.filter((status) => isBusy(status))).toEqual([429]);
});

it.each<[string, TaskStatus | undefined, boolean, boolean]>([
	['nobody knows, as its file says', undefined, true, true],
	['renders', 'IN_PROGRESS', false, true],
	['has failed', 'FAILURE', true, false],
	['is done, as its file says', 'SUCCESS', true, true],
	['is done, as its file says', 'SUCCESS', false, false],
])('a download may work later where its task %s', (_what, status, passes, mayWork) => {
	expect(mayBringFile({ passes }, status)).toBe(mayWork);
});

describe('a paid request', () => {
	const refused = (httpCode?: number, code?: string, more: Partial<Reason> = {}): Reason => ({
		...{ message: 'No', passes: true },
		...{ httpCode, code, ...more },
	});
	const delaysOf = (failure: Reason, maxPauseMs = Infinity) => {
		const pace = { clock: { random: () => 0 }, maxPauseMs };
		const delays = Array.from({ length: 10 }, (_, i) => resendMs(failure, i + 1, pace));
		return delays.slice(0, delays.indexOf(undefined));
	};
	const EIGHT = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000];

	it.each<[string, Reason, number[]]>([
		['429', refused(429), EIGHT],
		['503 of an overloaded host', refused(503, 'system_cpu_overloaded'), EIGHT],
		['a code alone', refused(400, 'rate_limit_exceeded'), EIGHT],
		['Retry-After', refused(429, undefined, { retryAfterMs: 7 }), Array(8).fill(7) as number[]],
		['no connection', refused(undefined, 'ECONNREFUSED'), [1_000, 2_000]],
		['503 of a model', refused(503, 'model_unavailable'), []],
		['what does not pass', refused(503, 'overloaded', { passes: false }), []],
	])('is sent again after %s, or is not', (_what, failure, delays) => {
		expect(delaysOf(failure)).toEqual(delays);
	});

	it('is not sent again after a pause that nobody can wait for', () => {
		expect(delaysOf(refused(429), 2_000)).toEqual([1_000, 2_000]);
	});
});

describe('readRetryAfter', () => {
	const read = (value?: string) =>
		readRetryAfter({ status: 429, headers: value ? { 'retry-after': value } : {}, body: '' });

	it('waits for two minutes at most', () => {
		expect(read('86400')).toBe(120_000);
		expect(read('Fri, 01 Jan 2100 00:00:00 GMT')).toBe(120_000);
	});

	it.each([undefined, '-5', 'soon', 'Thu, 01 Jan 1970 00:00:00 GMT'])('ignores %p', (value) => {
		expect(read(value)).toBeUndefined();
	});
});
