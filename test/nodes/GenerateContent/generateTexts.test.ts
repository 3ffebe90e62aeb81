import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { generateTexts } from '../../../nodes/GenerateContent/generateTexts';

const IMAGE = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
const PARAMETERS: IDataObject = { model: 'gemini-2.5-flash', prompt: 'Hi' };

const answerOf = (...parts: IDataObject[]) => ({
	candidates: [{ content: { parts }, finishReason: 'MAX_TOKENS' }],
	usageMetadata: { promptTokenCount: 1 },
});

/** n8n's context, down to what the node asks of it; `more` adds what only some versions have. */
function makeContext(answer: object, parameters: IDataObject = {}, more: object = {}) {
	const context = {
		getInputData: () => [{ json: {} }],
		getNode: () => ({ name: 'Generate Content', type: 'videos.generateContent' }),
		getNodeParameter: (name: string, _index: number, fallback: unknown) =>
			({ ...PARAMETERS, ...parameters })[name] ?? fallback,
		getCredentials: async () => ({ baseUrl: 'https://api.example.com', apiKey: 'secret-key' }),
		getExecutionCancelSignal: () => undefined,
		continueOnFail: () => false,
		getExecuteData: () => ({}),
		setMetadata: () => {},
		helpers: {
			httpRequestWithAuthentication: async () => ({
				statusCode: 200,
				headers: {},
				body: JSON.stringify(answer),
			}),
			prepareBinaryData: async () => ({ data: '', mimeType: 'image/png', fileExtension: 'png' }),
		},
		...more,
	};
	return context as unknown as IExecuteFunctions;
}

const asTool = { isToolExecution: () => true };

describe('as a tool of an agent', () => {
	it('gives the text and the reason, nothing else', async () => {
		const context = makeContext(answerOf({ text: 'Blue' }, IMAGE), { simplify: false }, asTool);
		expect(await generateTexts(context)).toEqual([
			{ json: { text: 'Blue', finishReason: 'MAX_TOKENS' }, pairedItem: { item: 0 } },
		]);
	});

	it('gives the JSON that was asked for, too', async () => {
		const context = makeContext(answerOf({ text: '{"a":1}' }), { jsonOutput: true }, asTool);
		expect((await generateTexts(context))[0].json).toEqual({
			text: '{"a":1}',
			json: { a: 1 },
			finishReason: 'MAX_TOKENS',
		});
	});

	it('gives the output of code where the model says nothing about it', async () => {
		const parts = [{ executableCode: {} }, { codeExecutionResult: { output: '42' } }];
		const [{ json }] = await generateTexts(makeContext(answerOf(...parts), {}, asTool));
		expect(json).toEqual({ text: '42', finishReason: 'MAX_TOKENS' });
	});

	it('is asked whole, however its workflow answers', async () => {
		const sendChunk = jest.fn();
		const more = { ...asTool, isStreaming: () => true, sendChunk };
		const [{ json }] = await generateTexts(makeContext(answerOf({ text: 'Blue' }), {}, more));
		expect(json.text).toBe('Blue');
		expect(sendChunk).not.toHaveBeenCalled();
	});

	it('says that there is a file which it cannot hand over', async () => {
		const [{ json }] = await generateTexts(makeContext(answerOf(IMAGE), {}, asTool));
		expect(json.text).toBe('The answer is a file, which a tool cannot hand over.');
	});
});

describe('in a version of n8n', () => {
	it.each([
		['without hints and isToolExecution', {}],
		['that says it is no tool', { isToolExecution: () => false }],
	])('%s the item is whole', async (_what, more) => {
		const [{ json, binary }] = await generateTexts(
			makeContext(answerOf({ text: 'Blue' }, IMAGE), {}, more),
		);
		expect(json).toEqual({
			text: 'Blue',
			finishReason: 'MAX_TOKENS',
			usageMetadata: { promptTokenCount: 1 },
			model: 'gemini-2.5-flash',
		});
		expect(binary?.data).toMatchObject({ fileName: 'image.png' });
	});
});
