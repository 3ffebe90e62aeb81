import type { IDataObject } from 'n8n-workflow';

import { generateTexts } from '../../../nodes/GenerateContent/generateTexts';
import { answerOf, makeContext } from './support/textContext';

const IMAGE = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };

const generate = async (json: object, parameters: IDataObject = {}, more: object = {}) =>
	await generateTexts(makeContext({ parameters, more, service: () => ({ json }) }).context);

/** As n8n 1 calls a tool, without a word on streams. */
const asTool = { isToolExecution: () => true, isStreaming: undefined };

describe('as a tool of an agent', () => {
	it('gives the text and the reason, nothing else', async () => {
		expect(await generate(answerOf({ text: 'Blue' }, IMAGE), { simplify: false }, asTool)).toEqual([
			{ json: { text: 'Blue', finishReason: 'MAX_TOKENS' }, pairedItem: { item: 0 } },
		]);
	});

	it('gives the JSON that was asked for, too', async () => {
		const [{ json }] = await generate(answerOf({ text: '{"a":1}' }), { jsonOutput: true }, asTool);
		expect(json).toEqual({ text: '{"a":1}', json: { a: 1 }, finishReason: 'MAX_TOKENS' });
	});

	it('gives the answer along where its JSON breaks the schema', async () => {
		const parameters = { jsonOutput: true, jsonSchema: '{"required":["b"]}' };
		const more = { ...asTool, continueOnFail: () => true };
		const [{ json }] = await generate(answerOf({ text: '{"a":1}' }), parameters, more);
		expect(json).toMatchObject({
			error: expect.stringMatching(/^The JSON in the answer breaks JSON Schema: \$\.b is missing/),
			text: '{"a":1}',
		});
	});

	it('gives the output of code where the model says nothing about it', async () => {
		const parts = [{ executableCode: {} }, { codeExecutionResult: { output: '42' } }];
		const [{ json }] = await generate(answerOf(...parts), {}, asTool);
		expect(json).toEqual({ text: '42', finishReason: 'MAX_TOKENS' });
	});

	it('is asked whole, however its workflow answers', async () => {
		const sendChunk = jest.fn();
		const more = { ...asTool, isStreaming: () => true, sendChunk };
		const [{ json }] = await generate(answerOf({ text: 'Blue' }), {}, more);
		expect(json.text).toBe('Blue');
		expect(sendChunk).not.toHaveBeenCalled();
	});

	it('says that there is a file which it cannot return', async () => {
		const [{ json }] = await generate(answerOf(IMAGE), {}, asTool);
		expect(json.text).toBe('The answer is a file, which a tool cannot return.');
	});
});

describe('in a version of n8n', () => {
	it.each([
		['without isToolExecution', {}],
		['that says it is no tool', { isToolExecution: () => false }],
	])('%s the item is whole', async (_what, more) => {
		const [{ json, binary }] = await generate(answerOf({ text: 'Blue' }, IMAGE), {}, more);
		expect(json).toEqual({
			text: 'Blue',
			finishReason: 'MAX_TOKENS',
			usageMetadata: { promptTokenCount: 1 },
			model: 'gemini-2.5-flash',
		});
		expect(binary?.data).toMatchObject({ fileName: 'image.png' });
	});
});

describe('what is thrown once a request is out', () => {
	const failureOf = async (more: object, json: object = answerOf({ text: 'Blue' }, IMAGE)) => {
		const [item] = await generate(json, {}, { continueOnFail: () => true, ...more });
		return item.json.error as IDataObject;
	};
	const broken = () => {
		throw new RangeError('Maximum call stack size exceeded');
	};

	it('by n8n, as it stores a file, is a matter of the usage page, and keeps the text', async () => {
		const { context } = makeContext({
			service: () => ({ json: answerOf({ text: 'Blue' }, IMAGE) }),
		});
		const helpers = { ...context.helpers, prepareBinaryData: broken };
		expect(await failureOf({ helpers })).toMatchObject({
			message:
				'The answer came, but could not be made into an item: maximum call stack size exceeded [item 0]',
			description: expect.stringContaining('Text so far: "Blue"'),
			next: 'checkUsage',
			retryable: false,
		});
	});
});
