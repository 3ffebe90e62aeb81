import type { IDataObject } from 'n8n-workflow';

import type { LiteralAnswer, Plan } from '../../sandbox/service';
import { onlyFailure, onlyItem, TEXT_MODEL, useTextStage } from '../support/textStage';

const { stage, run, ask } = useTextStage();

const SAID = 'You asked: "Name a colour". The sandbox answers in the place of a model.';

const answerWith = (json: unknown): Plan => ({ text: { status: 200, json } });

const oneCandidate = (text: string, finishReason = 'STOP', more: object = {}): Plan =>
	answerWith({
		candidates: [{ content: { parts: [{ text }], role: 'model' }, finishReason, ...more }],
		usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 5, thoughtsTokenCount: 7 },
	});

const JSON_OUTPUT = { parameters: { jsonOutput: true } };

describe('the item', () => {
	it('is text, reason, usage and model', async () => {
		const item = onlyItem(await ask({}));
		expect(item).toEqual({
			json: {
				text: SAID,
				finishReason: 'STOP',
				usageMetadata: {
					promptTokenCount: expect.any(Number),
					candidatesTokenCount: expect.any(Number),
					totalTokenCount: expect.any(Number),
					promptTokensDetails: expect.any(Array),
				},
				model: TEXT_MODEL,
			},
			pairedItem: { item: 0 },
		});
	});

	it('has the whole answer in response when Simplify is off', async () => {
		const { json } = onlyItem(await ask({}, { parameters: { simplify: false } }));
		expect(json).toMatchObject({ text: SAID, finishReason: 'STOP', model: TEXT_MODEL });
		expect(json.response).toMatchObject({
			candidates: [{ content: { parts: [{ text: SAID }] } }],
			responseId: 'sandbox-response',
		});
	});

	it('has no thoughts in its text, but all its other parts', async () => {
		const parts = [{ text: 'Hm', thought: true }, { text: 'Blue' }, {}, { text: ', green' }];
		const { json } = onlyItem(await ask(answerWith({ candidates: [{ content: { parts } }] })));
		expect(json).toEqual({
			text: 'Blue, green',
			finishReason: 'FINISH_REASON_UNSPECIFIED',
			usageMetadata: {},
			model: TEXT_MODEL,
		});
		expect(onlyItem(await ask({ thoughts: 'Hm' })).json.text).toBe(SAID);
	});

	it('has all candidates beside the text of the first', async () => {
		const { json } = onlyItem(await ask({ candidates: 2 }));
		const candidate = { text: SAID, finishReason: 'STOP' };
		expect(json).toMatchObject({ ...candidate, candidates: [candidate, candidate] });
	});

	it('has the text of the first candidate that may pass', async () => {
		const candidates = [
			{ content: { parts: [{ text: 'Bl' }] }, finishReason: 'SAFETY' },
			{ content: { parts: [{ text: 'Green' }] }, finishReason: 'STOP' },
		];
		const { json } = onlyItem(await ask(answerWith({ candidates })));
		expect(json).toMatchObject({ text: 'Green', finishReason: 'STOP' });
		expect(json.candidates).toEqual([
			{ text: 'Bl', finishReason: 'SAFETY' },
			{ text: 'Green', finishReason: 'STOP' },
		]);
	});

	it('has zeros and nulls of the usage as they came', async () => {
		const { json } = onlyItem(await ask({ nullUsage: true }));
		expect(json.usageMetadata).toEqual({
			promptTokenCount: null,
			candidatesTokenCount: 0,
			totalTokenCount: null,
		});
	});

	it('has calls of functions that were declared in extra fields', async () => {
		const functionCall = { name: 'light', args: { on: true } };
		const candidates = [{ content: { parts: [{ functionCall }] }, finishReason: 'STOP' }];
		const { json } = onlyItem(await ask(answerWith({ candidates })));
		expect(json).toMatchObject({ text: '', functionCalls: [functionCall] });
	});

	it('has the code that the model ran, and what came of it', async () => {
		const executableCode = { language: 'PYTHON', code: 'print(6*7)' };
		const codeExecutionResult = { outcome: 'OUTCOME_OK', output: '42\n' };
		const parts = [{ executableCode }, { codeExecutionResult }];
		const answer = (...more: object[]) =>
			answerWith({
				candidates: [{ content: { parts: [...parts, ...more] }, finishReason: 'STOP' }],
			});
		const codeExecution = [{ ...executableCode, ...codeExecutionResult }];
		const { json } = onlyItem(await ask(answer({ text: 'It is 42.' })));
		expect(json).toMatchObject({ text: 'It is 42.', codeExecution });
		// Paid for and of use, also where the model says nothing about it.
		expect(onlyItem(await ask(answer())).json).toMatchObject({ text: '', codeExecution });
		expect(onlyItem(await ask({})).json).not.toHaveProperty('codeExecution');
	});

	it('adds to the token count that n8n keeps, where it keeps one', async () => {
		const { text } = oneCandidate('Blue');
		const result = await ask(
			{ text: { always: text as LiteralAnswer } },
			{ items: [{ json: {} }, { json: {} }] },
		);
		const counted = { inputTokens: 6, outputTokens: 24 };
		const { metadata } = result.runs()[0];
		expect(metadata?.tokenUsage).toEqual(stage.engine.version === '1' ? undefined : counted);
		// Without thoughts there is no count of them.
		const plain = await ask({});
		const { candidatesTokenCount } = onlyItem(plain).json.usageMetadata as IDataObject;
		if (stage.engine.version === '1') return;
		expect(plain.runs()[0].metadata?.tokenUsage).toMatchObject({
			outputTokens: candidatesTokenCount,
		});
	});
});

describe('images in the answer', () => {
	const image = (bytes: string, mimeType?: string) => ({
		inlineData: { mimeType, data: Buffer.from(bytes).toString('base64') },
	});
	const TWO_FILES = answerWith({
		candidates: [
			{ content: { parts: [{ text: 'Here:' }, image('one', 'image/jpeg')] } },
			{ content: { parts: [image('two', 'audio/wav'), { ...image('x'), thought: true }] } },
		],
	});

	it.each(['default', 'filesystem'] as const)('become a binary in mode %s', async (binaryMode) => {
		const { json, binary } = onlyItem(
			await ask({ image: true }, { binaryMode, parameters: { simplify: false } }),
		);
		expect(binary).toEqual({
			data: expect.objectContaining({ mimeType: 'image/png', fileName: 'image.png' }),
		});
		const bytes = await stage.engine.readBinary(binary!.data);
		expect(bytes.toString('latin1', 1, 4)).toBe('PNG');
		expect(json.text).toBe(SAID);
		expect(JSON.stringify(json)).not.toContain(bytes.toString('base64'));
	});

	it('of several candidates become numbered binaries, those of thoughts do not', async () => {
		const { binary } = onlyItem(
			await ask(TWO_FILES, { parameters: { options: { binaryProperty: 'file' } } }),
		);
		expect(Object.keys(binary!)).toEqual(['file', 'file_1']);
		expect(binary!.file_1).toMatchObject({ mimeType: 'audio/wav', fileName: 'audio_1.wav' });
		expect(String(await stage.engine.readBinary(binary!.file))).toBe('one');
	});

	it('may be the whole answer', async () => {
		const candidates = [{ content: { parts: [image('one', 'image/png')] }, finishReason: 'STOP' }];
		const { json, binary } = onlyItem(await ask(answerWith({ candidates })));
		expect(json.text).toBe('');
		expect(Object.keys(binary!)).toEqual(['data']);
	});
});

describe('JSON output', () => {
	it.each([
		['bare', '{"a":1}', { a: 1 }],
		['in a fence', '```json\n{"a":1}\n```', { a: 1 }],
		['in a fence with words around it', 'Here:\n```\n[1]\n```\nDone', [1]],
		['with a fence inside', '```json\n{"a":"```"}\n```', { a: '```' }],
		['null', 'null', null],
	])('is parsed: %s', async (_what, text, json) => {
		expect(onlyItem(await ask(oneCandidate(text), JSON_OUTPUT)).json).toMatchObject({ text, json });
	});

	it('fits the schema', async () => {
		const jsonSchema = { type: 'object', properties: { colour: { type: 'string' } } };
		const { json } = onlyItem(await ask({}, { parameters: { jsonOutput: true, jsonSchema } }));
		expect(json.json).toEqual({ colour: expect.any(String) });
	});

	it('is only looked for when it was asked for', async () => {
		expect(onlyItem(await ask(oneCandidate('{"a":1}'))).json).not.toHaveProperty('json');
	});

	it.each([
		['MAX_TOKENS', 'The JSON of the answer is cut off because the token limit was reached'],
		['STOP', 'The answer is not valid JSON'],
	])('that is half fails and shows its start (%s)', async (finishReason, message) => {
		const plan = oneCandidate(`{"colours": ["blue", "${'x'.repeat(400)}`, finishReason);
		const failure = onlyFailure(
			await ask(plan, { ...JSON_OUTPUT, onError: 'continueRegularOutput' }),
		);
		expect(failure.message).toBe(`${message} (finishReason ${finishReason}) [item 0]`);
		expect(failure.description).toMatch(/What it wrote: "\{"colours": \["blue", "x{200,}\.\.\."/);
		expect(failure.description).not.toContain('x'.repeat(350));
		expect(failure.description).toContain('Usage: 3 prompt, 5 answer, 7 thinking tokens.');
	});
});

describe('an answer that was cut off', () => {
	it('by the token limit is an answer, with a hint', async () => {
		const result = await ask({}, { parameters: { options: { maxOutputTokens: 3 } } });
		const { json } = onlyItem(result);
		expect(json).toMatchObject({ text: SAID.slice(0, 12), finishReason: 'MAX_TOKENS' });
		expect(result.hints()).toEqual([
			{
				message:
					'The answer of item 0 is not whole because the token limit was reached (finishReason MAX_TOKENS). Raise Max Output Tokens. Where the model thinks for long, lower Thinking Budget.',
				type: 'warning',
				location: 'outputPane',
			},
		]);
	});

	it.each(['<b>NEW_WORD</b>', 'length'])('for the reason %s is an answer, too', async (reason) => {
		const result = await ask({ finishReason: reason });
		expect(onlyItem(result).json).toMatchObject({ text: SAID, finishReason: reason });
		expect(result.hints()).toHaveLength(1);
		expect(result.hints()[0].message).not.toContain('<');
	});

	it.each(['STOP', 'stop', 'end_turn'])('is none for the reason %s', async (finishReason) => {
		expect((await ask({ finishReason })).hints()).toEqual([]);
	});

	it('gives one hint for all items of one reason', async () => {
		const items = Array.from({ length: 12 }, () => ({ json: {} }));
		const result = await ask({ finishReason: 'MAX_TOKENS' }, { items });
		expect(result.hints()).toHaveLength(1);
		expect(result.hints()[0].message).toContain('of item 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more');
	});
});

describe('no usable answer', () => {
	const rated = {
		safetyRatings: [
			{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'HIGH' },
			{ category: 'HARM_CATEGORY_HATE_SPEECH', probability: 'NEGLIGIBLE' },
		],
	};
	const rows: Array<[string, Plan, string, IDataObject]> = [
		[
			'a blocked prompt',
			{ blocked: true },
			'The prompt was blocked because the service prohibits the content (blockReason PROHIBITED_CONTENT)',
			{
				fail_reason: 'PROHIBITED_CONTENT',
				description: /^Usage: \d+ prompt, 0 answer tokens\. Change the prompt\.$/,
			},
		],
		[
			'a blocked prompt of an unknown reason, rated',
			answerWith({ promptFeedback: { blockReason: 'NEW', blockReasonMessage: 'No', ...rated } }),
			'The prompt was blocked (blockReason NEW)',
			{ fail_reason: 'NEW', description: /^No\. Safety ratings: HARASSMENT HIGH\.$/ },
		],
		[
			'SAFETY with a part of the text',
			oneCandidate('Bl', 'SAFETY', { ...rated, finishMessage: 'Too blue' }),
			'The model stopped within its answer because the safety filter rejects the content (finishReason SAFETY)',
			{
				fail_reason: 'SAFETY',
				description:
					/^Too blue\. Safety ratings: HARASSMENT HIGH\. Usage: 3 prompt, 5 answer, 7 thinking tokens\. Change the prompt, or allow more in Safety Settings\. What it wrote: "Bl"\.$/,
			},
		],
		[
			'SAFETY without parts',
			{ noParts: true, finishReason: 'SAFETY' },
			'The model stopped without any text because the safety filter rejects the content (finishReason SAFETY)',
			{ fail_reason: 'SAFETY' },
		],
		[
			'MAX_TOKENS without parts',
			{ noParts: true, finishReason: 'MAX_TOKENS' },
			'The model stopped without any text because the token limit was reached (finishReason MAX_TOKENS)',
			{ fail_reason: 'MAX_TOKENS', description: /Raise Max Output Tokens/ },
		],
		[
			'STOP without parts',
			{ noParts: true },
			'The model ended its answer without any text (finishReason STOP)',
			{ description: /Run it again, or change the prompt\.$/ },
		],
		[
			'nothing but a thought',
			answerWith({ candidates: [{ content: { parts: [{ text: 'Hm', thought: true }] } }] }),
			'The model ended its answer without any text (finishReason FINISH_REASON_UNSPECIFIED)',
			{},
		],
		[
			'no candidates',
			{ candidates: 0 },
			'The service sent an answer without any candidate',
			{ description: /^Usage: .* tokens\. Run it again/ },
		],
		[
			'null for candidates',
			answerWith({ candidates: null, usageMetadata: {} }),
			'The service sent an answer without any candidate',
			{},
		],
		[
			'an unknown reason without text',
			{ noParts: true, finishReason: 'NEW_WORD' },
			'The model stopped without any text (finishReason NEW_WORD)',
			{ fail_reason: 'NEW_WORD' },
		],
	];

	it.each(rows)('%s is a failing item', async (_what, plan, message, { description, ...rest }) => {
		const failure = onlyFailure(await ask(plan, { onError: 'continueRegularOutput' }));
		expect(failure).toMatchObject({ message: `${message} [item 0]`, retryable: false, ...rest });
		expect(failure).not.toHaveProperty('http_code');
		if (description) expect(failure.description).toMatch(description as unknown as RegExp);
	});

	it('stops the node with the same words in the default mode', async () => {
		const { status, error } = await ask({ noParts: true, finishReason: 'SAFETY' });
		expect(status).toBe('error');
		expect(error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 0 } });
		expect(error?.message).toContain('because the safety filter rejects the content');
		expect(error?.description).toMatch(/^SAFETY\. Usage: /);
	});
});

it('an agent gets the text and the reason, nothing else', async () => {
	const node = { rewireOutputLogTo: 'ai_tool' };
	const result = await ask({ image: true }, { node, parameters: { simplify: false } });
	expect(result.runs()[0].data?.ai_tool[0]).toEqual([
		{ json: { text: SAID, finishReason: 'STOP' }, pairedItem: { item: 0 } },
	]);
});

it('no item is ever changed', async () => {
	const items = [{ json: { prompt: 'Hi', deep: { a: 1 } } }];
	const result = await run({ parameters: { prompt: '={{ $json.prompt }}' }, items });
	expect(result.outputs('Start')[0].map(({ json }) => json)).toEqual([
		{ prompt: 'Hi', deep: { a: 1 } },
	]);
});
