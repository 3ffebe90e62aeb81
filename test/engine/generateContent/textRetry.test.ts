import { hurry } from '../../support/clock';
import { byId, CONTINUE, planned, toInput } from '../../support/stage';
import { ANSWER } from './support/answers';
import { onlyFailure, onlyItem, TEXT_MODEL, useTextStage } from './support/stage';

const { run, ask, requests } = useTextStage();

it.each([
	['json500', 500],
	['cut', undefined],
	[{ fault: 'hang' }, undefined],
])('what may have been charged is not sent again: %j', async (fault, http_code) => {
	// A busy machine takes a second for any answer.
	const request = { ...CONTINUE, parameters: { options: { timeout: 1 } } };
	const failure = onlyFailure(await ask({ text: { always: fault } }, request));
	expect(failure.message).toMatch(/^No complete answer arrived: .* \[item 0\]$/);
	expect(failure.description).toMatch(/may have been billed, so the prompt was not sent again/);
	expect(failure).toMatchObject({ retryable: false, next: 'checkUsage' });
	expect(failure.http_code).toBe(http_code);
	expect(requests()).toHaveLength(1);
});

it.each([400, 429])('a budget that is used up is told after one request: %d', async (status) => {
	const message = 'Budget has been exceeded! Current cost: 26.075, Max budget: 25.0';
	const json = { error: { message, type: 'budget_exceeded', code: String(status) } };
	const failure = onlyFailure(await ask({ text: { always: { status, json } } }, CONTINUE));
	expect(failure).toMatchObject({
		message: expect.stringMatching(
			/^Nothing was generated: the budget of the API key, .* is used up/,
		),
		description: expect.stringMatching(
			/26\.075.*Raise the limit of the API key.*Nothing is billed/,
		),
		...{ http_code: status, retryable: false, next: 'checkAccount' },
	});
	expect(requests()).toHaveLength(1);
});

describe('a clear refusal that may pass', () => {
	const now = { fault: 'retryAfter', headers: { 'retry-after': '0' } };

	it('is sent again', async () => {
		expect(onlyItem(await ask({ text: [now] })).json.text).toBe(ANSWER);
		expect(requests()).toHaveLength(2);
	});

	it('is sent again for five minutes, and then says so', async () => {
		const haste = hurry(200);
		const asked = await ask({ text: { always: now } }, CONTINUE).finally(haste.restore);
		const failure = onlyFailure(asked);
		expect(failure).toEqual({
			message: expect.stringMatching(/^Nothing was generated: .*HTTP 429\) \[item 0\]$/),
			description: expect.stringMatching(/Nothing is billed for this item\.$/),
			http_code: 429,
			...{ item_index: 0, model: TEXT_MODEL, prompt: expect.any(String) },
			...{ retryable: true, next: 'retry' },
		});
		expect(requests()).toHaveLength(17);
	});
});

it('items keep their order, their own parameters, and in Continue their row', async () => {
	const rows = [
		{ prompt: planned('slow', { text: { delayMs: 200 } }), model: TEXT_MODEL },
		{ prompt: 'quick', model: 'gemini-2.5-pro' },
		{ prompt: '', model: TEXT_MODEL },
		{ prompt: planned('refused', { text: { always: 'forbidden' } }), model: TEXT_MODEL },
		{ prompt: planned('blocked', { blocked: 'SAFETY' }), model: TEXT_MODEL },
	];
	const parameters = { prompt: '={{ $json.prompt }}', model: byId('={{ $json.model }}') };
	const [items] = (await run({ parameters, items: toInput(...rows), ...CONTINUE })).outputs();
	expect(items.map(({ json }) => json)).toEqual([
		expect.objectContaining({ ...rows[0], text: expect.stringContaining('"slow"') }),
		expect.objectContaining({ ...rows[1], text: expect.stringContaining('"quick"') }),
		{ ...rows[2], error: expect.objectContaining({ message: 'Prompt is empty [item 2]' }) },
		{ ...rows[3], error: expect.objectContaining({ http_code: 403 }) },
		{ ...rows[4], error: expect.objectContaining({ fail_reason: 'SAFETY' }) },
	]);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
	expect(requests()).toHaveLength(4);
});
