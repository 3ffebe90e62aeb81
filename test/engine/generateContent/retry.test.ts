import { MAX_REFUSAL_RETRIES } from '../../../nodes/shared/service/later';
import type { Plan } from '../../../sandbox/service';
import { hurry } from '../../support/clock';
import { CONTINUE, planned, toInput } from '../../support/stage';
import { onlyFailure, onlyItem, TEXT_MODEL, useTextStage } from './support/stage';

const { run, ask, requests } = useTextStage();

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
		expect(requests()).toHaveLength(1);
	});
});

describe('a clear refusal that may pass is sent again', () => {
	/** Time-outs read the clock every three seconds. */
	const isOfRetry = (ms: number) => ms > 500 && ms < 60_000 && ms !== 3_000;
	/** The delays between the tries. */
	const delaysOf = async (text: Plan['text']) => {
		const haste = hurry(100);
		const result = await ask({ text }).finally(() => haste.restore());
		expect(onlyItem(result).json).toHaveProperty('text');
		return haste.delaysMs.filter(isOfRetry);
	};

	it.each(['rateLimited', 'json503'])('%s, with growing delays', async (fault) => {
		const delays = await delaysOf([fault, fault]);
		expect(delays).toHaveLength(2);
		expect(delays[0]).toBeGreaterThanOrEqual(740);
		expect(delays[1]).toBeGreaterThanOrEqual(1_490);
	});

	it('at the time that Retry-After names', async () => {
		const later = { fault: 'retryAfter', headers: { 'retry-after': '2' } };
		expect(await delaysOf(later)).toContain(2_000);
	});

	it('as often as a submit, and then says so', async () => {
		const now = { fault: 'retryAfter', headers: { 'retry-after': '0' } };
		const failure = onlyFailure(await ask({ text: { always: now } }, CONTINUE));
		expect(failure).toEqual({
			message: 'Nothing was generated: the service is rate-limiting requests (HTTP 429) [item 0]',
			description: 'Too many requests. Nothing is billed for it.',
			http_code: 429,
			...{ item_index: 0, model: TEXT_MODEL, prompt: expect.any(String) },
			retryable: true,
			next: 'retry',
		});
		expect(requests()).toHaveLength(1 + MAX_REFUSAL_RETRIES);
	});

	it('twice where nobody is at the Base URL', async () => {
		const haste = hurry(100);
		const credential = { baseUrl: 'http://127.0.0.1:9' };
		const failure = onlyFailure(await ask({}, { credential, ...CONTINUE }).finally(haste.restore));
		expect(failure.message).toContain('the connection was refused');
		const delays = haste.delaysMs.filter(isOfRetry);
		expect(delays).toHaveLength(2);
	});
});

it('Retry On Fail asks for all answers again, also for those that came', async () => {
	// The refused one comes first: in the mode "Continue", n8n looks only at the first item.
	const plans: Plan[] = [{ text: ['forbidden', 'forbidden'] }, {}, {}];
	const items = toInput(...plans.map((plan, i) => ({ prompt: planned(`question ${i}`, plan) })));
	const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const parameters = { prompt: '={{ $json.prompt }}' };
	const result = await run({ ...CONTINUE, parameters, items, node });
	expect(result.outputs()[0].map(({ json }) => json.finishReason)).toEqual(Array(3).fill('STOP'));
	expect(requests()).toHaveLength(9);
});
