import type { IDataObject } from 'n8n-workflow';

import { generateTexts } from '../../../nodes/GenerateContent/generateTexts';
import { answerOf, makeContext, type Answer, type Setting } from './support/textContext';

const IMAGE = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
const GOOD: Answer = { json: answerOf({ text: '{"colour":"blue"}' }) };
const BLOCKED: Answer = { json: { promptFeedback: { blockReason: 'SAFETY' } } };
const goOn = { continueOnFail: () => true };

const generate = async (json: object, parameters: IDataObject = {}, more: object = {}) =>
	await generateTexts(makeContext({ parameters, more, service: () => ({ json }) }).context);

describe('as a tool of an agent', () => {
	/** As n8n 1 calls a tool, without a word on streams. */
	const asTool = { isToolExecution: () => true, isStreaming: undefined };

	it.each<[string, IDataObject[], IDataObject, IDataObject]>([
		[
			'the output of code where the model says nothing about it',
			[{ executableCode: {} }, { codeExecutionResult: { output: '42' } }],
			{},
			{ text: '42' },
		],
		[
			'a word on a file that it cannot return',
			[IMAGE],
			{},
			{ text: 'The answer is a file without text. A tool returns no files.' },
		],
	])('gives %s', async (_what, parts, parameters, wanted) => {
		const items = await generate(
			answerOf(...parts),
			{ options: { rawResponse: true }, ...parameters },
			asTool,
		);
		const json = { ...wanted, finishReason: 'MAX_TOKENS' };
		expect(items).toEqual([{ json, pairedItem: { item: 0 } }]);
	});
});

it('what n8n throws as it stores a file is a matter of the usage page, and keeps the text', async () => {
	const { context } = makeContext({
		service: () => ({ json: answerOf({ text: 'Blue' }, IMAGE) }),
		more: goOn,
	});
	context.helpers.prepareBinaryData = () => {
		throw new RangeError('Maximum call stack size exceeded');
	};
	const [{ json }] = await generateTexts(context);
	expect(json.error).toMatchObject({
		message:
			'The answer arrived, but could not be turned into an item: maximum call stack size exceeded [item 0]',
		description: expect.stringContaining('The model wrote: "Blue"'),
		next: 'checkUsage',
		retryable: false,
	});
});

describe('the first failing item', () => {
	it.each<[string, Answer, IDataObject, string]>([
		['is blocked', BLOCKED, {}, 'The prompt was blocked because the safety filter'],
		[
			'is no JSON, where JSON was asked for',
			{ json: answerOf({ text: 'Blue' }) },
			{ outputFormat: 'json' },
			'The JSON in the answer is cut off',
		],
		['is lost', { status: 500, json: {} }, {}, 'No complete answer arrived'],
		[
			'makes a file that n8n does not store',
			{ json: answerOf(IMAGE) },
			{},
			'The answer arrived, but could not be turned into an item: the disk is full',
		],
	])('that %s lets nothing new be sent', async (_what, first, parameters, message) => {
		// Five requests are sent at once, so the sixth waits for a place.
		const prompts = [...Array<string>(5).fill('first'), 'late'];
		const setting: Setting = {
			parameters: prompts.map((prompt) => ({ ...parameters, prompt })),
			service: (prompt) => (prompt === 'first' ? first : GOOD),
		};
		const { context, sentPrompts } = makeContext(setting);
		context.helpers.prepareBinaryData = async () =>
			await Promise.reject(new Error('The disk is full'));
		await expect(generateTexts(context)).rejects.toMatchObject({
			message: expect.stringMatching(new RegExp(`^${message}.* \\[item 0\\]$`)),
		});
		expect(sentPrompts).toEqual(prompts.slice(0, 5));
	});
});

it('a file is loaded for each try, and given up in between', async () => {
	let loads = 0;
	const { context, sentPrompts } = makeContext({
		parameters: { inputBinaryFields: 'data' },
		binary: { data: { data: 'YWJj', mimeType: 'audio/mpeg' } },
		service: () =>
			sentPrompts.length < 3 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : GOOD,
	});
	context.helpers.getBinaryDataBuffer = async () => {
		loads++;
		return Buffer.from('abc');
	};
	expect(await generateTexts(context)).toHaveLength(1);
	expect([sentPrompts.length, loads]).toEqual([3, 3]);
});
