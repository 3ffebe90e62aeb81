import { CONTINUE, onlyFailure, onlyItem, TEXT_MODEL, useTextStage } from './support/stage';

const { ask, asked } = useTextStage();

describe('what may have been charged is not sent again', () => {
	it.each([
		['json500', 500],
		['html504', 504],
		['empty200', 200],
		['truncatedJson', 200],
		['numberBody', 200],
		['cut', undefined],
		['reset', undefined],
		[{ cutAfterBytes: 20 }, undefined],
		[{ fault: 'hang' }, undefined],
		[{ stallAfterBytes: 20 }, undefined],
	])('%j', async (fault, http_code) => {
		// A busy machine takes a second for any answer.
		const waits = /hang|stall/.test(JSON.stringify(fault));
		const request = { ...CONTINUE, parameters: { options: waits ? { timeout: 1 } : {} } };
		const failure = onlyFailure(await ask({ text: { always: fault } }, request));
		expect(failure.message).toMatch(/^No complete answer arrived: .* \[item 0\]$/);
		expect(failure.description).toMatch(
			/The answer may have been billed, so the prompt was not sent again\./,
		);
		expect(failure).toMatchObject({ retryable: false });
		expect(failure.http_code).toBe(http_code);
		expect(asked()).toHaveLength(1);
	});
});

describe('a clear refusal that may pass is sent again', () => {
	const gaps = () =>
		asked()
			.map(({ at }, i, all) => (i === 0 ? 0 : at - all[i - 1].at))
			.slice(1);

	it.each(['rateLimited', 'json503'])('%s, with growing delays', async (fault) => {
		expect(onlyItem(await ask({ text: [fault, fault] })).json).toHaveProperty('text');
		const [first, second] = gaps();
		expect(first).toBeGreaterThanOrEqual(740);
		expect(second).toBeGreaterThanOrEqual(1_490);
	});

	it('at the time that Retry-After names', async () => {
		const later = { fault: 'retryAfter', headers: { 'retry-after': '2' } };
		onlyItem(await ask({ text: later }));
		expect(gaps()).toEqual([expect.any(Number)]);
		expect(gaps()[0]).toBeGreaterThanOrEqual(1_990);
	});

	it('eight times at most, and then says so', async () => {
		const now = { fault: 'retryAfter', headers: { 'retry-after': '0' } };
		const failure = onlyFailure(await ask({ text: { always: now } }, CONTINUE));
		expect(failure).toEqual({
			message: 'Nothing was generated: the service is rate-limiting requests (HTTP 429) [item 0]',
			description: 'Too many requests.',
			http_code: 429,
			...{ item_index: 0, model: TEXT_MODEL, prompt: expect.any(String) },
			retryable: true,
			next: 'retry',
		});
		expect(asked()).toHaveLength(9);
	});
});
