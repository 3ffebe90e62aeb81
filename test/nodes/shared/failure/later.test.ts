import { delayMs, readRetryAfter } from '../../../../nodes/shared/failure/later';

const DAY_MS = 24 * 3_600_000;
const NOW_MS = Date.UTC(2026, 4, 31, 10);
const WORDS = 'Rate limit exceeded for api_key: a. Limit resets at: 2026-05-31 10:04:41 UTC';

it('the tries of a batch spread out', () => expect(delayMs(1, 1)).toBe(750));

it.each<[where: string, headers: Record<string, string>, body: unknown, ms: number | undefined]>([
	['in seconds', { 'retry-after': '86400' }, {}, DAY_MS],
	['as a date', { 'retry-after': 'Sun, 31 May 2026 10:00:07 GMT' }, {}, 7_000],
	['in the past', { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, {}, undefined],
	['below zero', { 'retry-after': '-5' }, {}, undefined],
	['by Replicate', {}, { detail: 'Request was throttled.', retry_after: 5 }, 5_000],
	['by Google', {}, { error: { details: [{ retryDelay: '58s' }] } }, 58_000],
	['by LiteLLM, in words', {}, { error: { message: WORDS } }, 281_000],
	['not at all', {}, { error: { message: 'Too many requests' } }, undefined],
])('a delay that a service names %s', (_where, headers, body, ms) => {
	jest.spyOn(Date, 'now').mockReturnValue(NOW_MS);
	expect(readRetryAfter({ status: 429, headers, body: JSON.stringify(body) })).toBe(ms);
});
