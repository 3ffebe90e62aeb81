import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import { CONTINUE } from '../../support/stage';
import { oneCandidate } from './support/answers';
import { onlyFailure, TEXT_MODEL, useTextStage } from './support/stage';

// Which answers are of no use is in test/nodes/GenerateContent/gemini/answer.test.ts.

const { ask } = useTextStage();

const words = (pattern: RegExp) => expect.stringMatching(pattern) as string;
const JSON_BY_SCHEMA = {
	outputFormat: 'json',
	schemaType: 'manual',
	jsonSchema: '{"type":"object","required":["items"]}',
};
const HALF = `{"items": ["blue", "${'x'.repeat(400)}`;
const RELAX =
	/^Too blue\. Usage: 3 prompt, 5 answer, 7 thinking tokens\. .*relax Safety .* "Bl"\.$/;

it.each<[string, Plan, IDataObject, IDataObject]>([
	[
		'a blocked prompt',
		{ blocked: true },
		{},
		{ message: words(/^The prompt was blocked/), fail_reason: 'PROHIBITED_CONTENT' },
	],
	[
		'SAFETY with a part of the text',
		oneCandidate('Bl', 'SAFETY', { finishMessage: 'Too blue' }),
		{},
		{ fail_reason: 'SAFETY', description: words(RELAX) },
	],
	[
		'MAX_TOKENS without parts',
		{ noParts: true, finishReason: 'MAX_TOKENS' },
		{},
		{ fail_reason: 'MAX_TOKENS', description: words(/Raise Max Output Tokens/) },
	],
	[
		'no file where one was asked for',
		oneCandidate('Blue'),
		{ outputFormat: 'image' },
		{ message: words(/^The answer has no file/), text: 'Blue', next: 'changeRequest' },
	],
	[
		'half of a JSON',
		oneCandidate(HALF, 'MAX_TOKENS'),
		JSON_BY_SCHEMA,
		{
			message: words(/^The JSON in the answer is cut off/),
			description: words(/The model wrote: "\{"items": \["blue", "x{200,320}\.\.\."/),
		},
	],
	['no JSON', oneCandidate(HALF), JSON_BY_SCHEMA, { message: words(/is not valid JSON/) }],
])('%s is a failing item', async (_what, plan, parameters, failure) => {
	const error = onlyFailure(await ask(plan, { parameters, ...CONTINUE }));
	expect(error).toMatchObject({ retryable: false, ...failure });
	expect(error).not.toHaveProperty('http_code');
});

it('JSON that does not match its schema fails, and all of its text is kept', async () => {
	const text = `{"price":1}${' '.repeat(400)}`;
	const parameters = JSON_BY_SCHEMA;
	const error = onlyFailure(await ask(oneCandidate(text), { parameters, ...CONTINUE }));
	expect(error).toEqual({
		message: words(/does not match the schema: "items" is missing .*\[item 0\]$/),
		description: words(/^Usage: /),
		fail_reason: 'STOP',
		...{ text, item_index: 0, model: TEXT_MODEL, prompt: expect.any(String) },
		...{ retryable: false, next: 'changeRequest' },
	});
	const stopped = await ask(oneCandidate('[1]'), { parameters });
	expect(stopped.error).toMatchObject({ name: 'NodeApiError', context: { text: '[1]' } });
});
