import { delayMs, readRetryAfter } from '../../../../nodes/shared/service/retry';

it('spreads the delays of a batch', () => {
	expect(delayMs(1, 1)).toBe(750);
});

describe('readRetryAfter', () => {
	const read = (value?: string) =>
		readRetryAfter({ status: 429, body: '', headers: value ? { 'retry-after': value } : {} });

	it('reads seconds', () => expect(read('7')).toBe(7_000));

	it('reads a date', () => {
		const ms = read(new Date(Date.now() + 30_000).toUTCString());
		expect(ms).toBeGreaterThan(20_000);
		expect(ms).toBeLessThanOrEqual(30_000);
	});

	it('waits for two minutes at most', () => {
		expect(read('86400')).toBe(120_000);
		expect(read('Fri, 01 Jan 2100 00:00:00 GMT')).toBe(120_000);
	});

	it.each([undefined, '-5', 'soon', 'Thu, 01 Jan 1970 00:00:00 GMT'])('ignores %p', (value) => {
		expect(read(value)).toBeUndefined();
	});
});
