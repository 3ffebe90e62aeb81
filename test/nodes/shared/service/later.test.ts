import {
	delayMs,
	mayBringFile,
	mayPass,
	type Outlook,
	readRetryAfter,
	resendMs,
} from '../../../../nodes/shared/service/later';
import type { TaskStatus } from '../../../../nodes/shared/service/answerPaths';

const STATUSES = [
	...[200, 204, 206, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 408, 409],
	...[410, 413, 422, 425, 429, 451, 460, 499, 500, 502, 503, 504, 524],
];

const ALWAYS = [408, 409, 425, 429, 500, 502, 503, 504, 524];

it.each([
	['submit', ALWAYS],
	['file', [200, 204, 206, 400, 404, ...ALWAYS]],
] as const)('says of %s which statuses pass', (asking, passing) => {
	expect(STATUSES.filter((status) => mayPass(asking, status))).toEqual(passing);
});

it.each<[code: string, status: number, passes: boolean]>([
	['429', 400, true],
	['rate_limit_exceeded', 400, true],
	['system_cpu_overloaded', 400, true],
	['model_not_found', 503, false],
])('the code %s goes before the status %d', (code, status, passes) => {
	expect(mayPass('submit', status, code)).toBe(passes);
});

it.each<[string, TaskStatus | undefined, boolean, boolean]>([
	['renders', 'IN_PROGRESS', false, true],
	['has failed', 'FAILURE', true, false],
	['is done, as its file says', 'SUCCESS', true, true],
	['is not known, as its file says', undefined, false, false],
])('a download may work later where its task %s', (_what, status, passes, mayWork) => {
	expect(mayBringFile({ passes }, status)).toBe(mayWork);
});

describe('a paid request', () => {
	const EIGHT = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000];

	it.each<[string, Partial<Outlook>, delays: number[], maxPauseMs?: number]>([
		['429', { httpCode: 429 }, EIGHT],
		['503 of an overloaded host', { httpCode: 503, code: 'system_cpu_overloaded' }, EIGHT],
		['Retry-After', { httpCode: 429, retryAfterMs: 7 }, Array<number>(8).fill(7)],
		['no connection', { code: 'ECONNREFUSED' }, [1_000, 2_000]],
		['503 of a model', { httpCode: 503, code: 'model_unavailable' }, []],
		['what does not pass', { httpCode: 503, code: 'overloaded', passes: false }, []],
		['a pause that nobody can wait for', { httpCode: 429 }, [1_000, 2_000], 2_000],
	])('is sent again after %s, or is not', (_what, met, delays, maxPauseMs = Infinity) => {
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
