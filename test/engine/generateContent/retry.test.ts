import { MAX_REFUSAL_RETRIES } from '../../../nodes/shared/service/later';
import { CONTINUE } from '../../support/stage';
import { ANSWER } from './support/answers';
import { onlyFailure, onlyItem, TEXT_MODEL, useTextStage } from './support/stage';

const { ask, requests } = useTextStage();

it.each([
	['json500', 500],
	['html504', 504],
	['empty200', 200],
	['truncatedJson', 200],
	['cut', undefined],
	[{ fault: 'hang' }, undefined],
])('what may have been charged is not sent again: %j', async (fault, http_code) => {
	// A busy machine takes a second for any answer.
	const request = { ...CONTINUE, parameters: { options: { timeout: 1 } } };
	const failure = onlyFailure(await ask({ text: { always: fault } }, request));
	expect(failure.message).toMatch(/^No complete answer arrived: .* \[item 0\]$/);
	expect(failure.description).toMatch(
		/The answer may have been billed, so the prompt was not sent again\./,
	);
	expect(failure).toMatchObject({ retryable: false, next: 'checkUsage' });
	expect(failure.http_code).toBe(http_code);
	expect(requests()).toHaveLength(1);
});

describe('a clear refusal that may pass', () => {
	const now = { fault: 'retryAfter', headers: { 'retry-after': '0' } };

	it('is sent again', async () => {
		expect(onlyItem(await ask({ text: [now, now] })).json.text).toBe(ANSWER);
		expect(requests()).toHaveLength(3);
	});

	it('is sent as often as a submit, and then says so', async () => {
		const failure = onlyFailure(await ask({ text: { always: now } }, CONTINUE));
		expect(failure).toEqual({
			message: 'Nothing was generated: the service is rate-limiting requests (HTTP 429) [item 0]',
			description: 'Too many requests. Nothing is billed for this item.',
			http_code: 429,
			...{ item_index: 0, model: TEXT_MODEL, prompt: expect.any(String) },
			retryable: true,
			next: 'retry',
		});
		expect(requests()).toHaveLength(1 + MAX_REFUSAL_RETRIES);
	});
});
