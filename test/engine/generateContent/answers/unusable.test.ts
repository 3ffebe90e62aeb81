import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../../sandbox/service';
import { CONTINUE } from '../../../support/stage';
import { answerWith, oneCandidate } from '../support/answers';
import { onlyFailure, onlyItem, TEXT_MODEL, useTextStage } from '../support/stage';

const { ask } = useTextStage();

describe('no usable answer', () => {
	const rows: Array<[string, Plan, string, IDataObject]> = [
		[
			'a blocked prompt',
			{ blocked: true },
			'The prompt was blocked (blockReason PROHIBITED_CONTENT)',
			{
				fail_reason: 'PROHIBITED_CONTENT',
				description: /^Usage: \d+ prompt, 0 answer tokens\. Run it again, or change the prompt\.$/,
			},
		],
		[
			'SAFETY with a part of the text',
			oneCandidate('Bl', 'SAFETY', { finishMessage: 'Too blue' }),
			'The model stopped in the middle of its answer (finishReason SAFETY)',
			{
				fail_reason: 'SAFETY',
				description:
					/^Too blue\. Usage: 3 prompt, 5 answer, 7 thinking tokens\. Change the prompt, or relax Safety Settings\. The model wrote: "Bl"\.$/,
			},
		],
		[
			'MAX_TOKENS without parts',
			{ noParts: true, finishReason: 'MAX_TOKENS' },
			'The model stopped before writing any text (finishReason MAX_TOKENS)',
			{ fail_reason: 'MAX_TOKENS', description: /Raise Max Output Tokens/ },
		],
		[
			'nothing but a thought',
			answerWith({
				candidates: [{ content: { parts: [{ text: 'Hm', thought: true }] }, finishReason: 'STOP' }],
			}),
			'The model ended its answer without any text (finishReason STOP)',
			{ description: /Run it again, or change the prompt\.$/ },
		],
	];

	it.each(rows)('%s is a failing item', async (_what, plan, message, { description, ...rest }) => {
		const failure = onlyFailure(await ask(plan, CONTINUE));
		expect(failure).toMatchObject({ message: `${message} [item 0]`, retryable: false, ...rest });
		expect(failure).not.toHaveProperty('http_code');
		if (description) expect(failure.description).toMatch(description as unknown as RegExp);
	});
});

it('an answer without a finishReason is unclear, and its text is kept', async () => {
	const failure = onlyFailure(await ask(oneCandidate('Blue', ''), CONTINUE));
	expect(failure).toMatchObject({
		message: 'Only a part of the answer arrived: it has no finishReason [item 0]',
		...{ text: 'Blue', next: 'checkUsage', retryable: false },
	});
});

it.each(['image', 'audio'])('an answer without the %s that was asked for fails', async (format) => {
	const parameters = { outputFormat: format };
	const failure = onlyFailure(await ask(oneCandidate('Blue'), { parameters, ...CONTINUE }));
	expect(failure).toMatchObject({
		message: 'The answer has no file (finishReason STOP) [item 0]',
		text: 'Blue',
		next: 'changeRequest',
	});
	expect(failure.description).toContain('Choose a model that generates what Output Format asks');
});

describe('the JSON of an answer', () => {
	const SCHEMA = {
		type: 'object',
		properties: { items: { type: 'array', items: { properties: { price: { type: 'number' } } } } },
		required: ['items'],
	};
	const parameters = {
		outputFormat: 'json',
		schemaType: 'manual',
		jsonSchema: JSON.stringify(SCHEMA),
	};

	it('is found in a fence', async () => {
		const text = 'Here it is:\n```json\n{"items":[{"price":1}]}\n```';
		const { json } = onlyItem(await ask(oneCandidate(text), { parameters }));
		expect(json).toMatchObject({ text, json: { items: [{ price: 1 }] } });
		expect(onlyItem(await ask(oneCandidate(text))).json).not.toHaveProperty('json');
	});

	it.each([
		['MAX_TOKENS', 'The JSON in the answer is cut off'],
		['STOP', 'The answer is not valid JSON'],
	])('that is half fails and shows its start (%s)', async (finishReason, message) => {
		const plan = oneCandidate(`{"colours": ["blue", "${'x'.repeat(400)}`, finishReason);
		const failure = onlyFailure(await ask(plan, { parameters, ...CONTINUE }));
		expect(failure.message).toBe(`${message} (finishReason ${finishReason}) [item 0]`);
		expect(failure.description).toMatch(/The model wrote: "\{"colours": \["blue", "x{200,}\.\.\."/);
		expect(failure.description).not.toContain('x'.repeat(350));
		expect(failure.description).toContain('Usage: 3 prompt, 5 answer, 7 thinking tokens.');
	});

	it.each([
		['[1]', 'it must be of type object, but is of type array'],
		['{"price":1}', '"items" is missing'],
	])('%s does not match its schema, and all of the text is kept', async (json, mismatch) => {
		const text = `${json}${' '.repeat(400)}`;
		const error = onlyFailure(await ask(oneCandidate(text), { parameters, ...CONTINUE }));
		expect(error).toEqual({
			message: `The JSON in the answer does not match the schema: ${mismatch} (finishReason STOP) [item 0]`,
			description: expect.stringMatching(
				/^Usage: .* tokens\. Describe the JSON in the prompt, or give/,
			),
			fail_reason: 'STOP',
			...{ text, item_index: 0, model: TEXT_MODEL, prompt: expect.any(String) },
			retryable: false,
			next: 'changeRequest',
		});
		const stopped = await ask(oneCandidate(json), { parameters });
		expect(stopped.error).toMatchObject({ name: 'NodeApiError', context: { text: json } });
	});
});
