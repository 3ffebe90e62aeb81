import type { IDataObject } from 'n8n-workflow';

import { generateContentFields } from '../../../nodes/GenerateContent/fields';
import { readJob } from '../../../nodes/GenerateContent/readJob';
import { createReader } from '../../../nodes/shared/item/reader';
import { openRun } from '../../../nodes/shared/item/run';
import { makeContext } from './support/textContext';

async function read(parameters: IDataObject = {}) {
	const { context } = makeContext({ parameters });
	const run = openRun(context, 'nativeTextApi', generateContentFields);
	return await readJob(createReader(run, 0), run);
}
const readOptions = async (options: unknown) => await read({ options } as IDataObject);

describe('readJob', () => {
	it('gives what the editor shows where nothing is set', async () => {
		expect(await read()).toEqual({
			itemIndex: 0,
			model: 'gemini-2.5-flash',
			wish: {
				prompt: 'Hi',
				turns: [],
				systemInstruction: '',
				generationConfig: {},
				safetySettings: [],
				tools: [],
				extraFields: {},
			},
			files: [],
			jsonOutput: false,
			streamResponse: true,
			reuseAnswers: true,
			simplify: true,
			binaryProperty: 'data',
			timeoutMs: 300_000,
			concurrency: 5,
		});
	});

	it('takes text for what expressions make text of', async () => {
		const job = await read({
			...{
				prompt: 7,
				systemInstruction: true,
				conversation: { turns: [{ role: 'user', text: 8 }] },
			},
			...{
				jsonOutput: 'true',
				streamResponse: 'false',
				simplify: 'False',
				jsonSchema: '{"type":"null"}',
			},
			options: {
				...{ temperature: '0.5', seed: ' -7 ', thinkingBudget: '0', stopSequences: 9 },
				...{ concurrency: '2.9', timeout: '1.5', tools: 'googleSearch' },
			},
		});
		expect(job).toMatchObject({ jsonOutput: true, streamResponse: false, simplify: false });
		expect(job).toMatchObject({ concurrency: 2, timeoutMs: 1_500 });
		expect(job.wish).toEqual({
			prompt: '7',
			turns: [{ role: 'user', parts: [{ text: '8' }] }],
			systemInstruction: 'true',
			generationConfig: {
				temperature: 0.5,
				seed: -7,
				thinkingConfig: { thinkingBudget: 0 },
				stopSequences: ['9'],
				responseMimeType: 'application/json',
				responseSchema: { type: 'null' },
			},
			safetySettings: [],
			tools: [{ googleSearch: {} }],
			extraFields: {},
		});
	});

	it.each([0.001, 0.9, 1])(
		'sends one request at once for a concurrency of %d',
		async (concurrency) => {
			expect((await readOptions({ concurrency })).concurrency).toBe(1);
		},
	);
});

describe('what no expression can mean is refused by name', () => {
	const NO_NUMBERS = [NaN, Infinity, -Infinity, {}, [], true, 'warm', '1e999'];
	const NO_BOOLEANS = [NaN, 2, {}, [], 'yes'];
	const NO_TEXTS = [NaN, Infinity, {}, ['Hi']];
	const NO_LISTS = [NaN, {}, [{}], ['a', NaN], [['a']]];
	const NO_OBJECTS = [NaN, 7, true, [], [{}]];
	const ROWS: Array<[label: string, name: string, values: unknown[]]> = [
		['Model must be text', 'model', NO_TEXTS],
		['Prompt must be text', 'prompt', NO_TEXTS],
		['System Instruction must be text', 'systemInstruction', NO_TEXTS],
		['Conversation must be a JSON object', 'conversation', NO_OBJECTS],
		['Conversation must be a list', 'conversation', [{ turns: 'Hi' }]],
		['Input Binary Fields must be text', 'images', NO_LISTS],
		['Output Content as JSON must be true or false', 'jsonOutput', NO_BOOLEANS],
		['Stream Response must be true or false', 'streamResponse', NO_BOOLEANS],
		['Simplify must be true or false', 'simplify', NO_BOOLEANS],
	];
	const OPTIONS: typeof ROWS = [
		['Batch Concurrency must be a number greater than 0', 'concurrency', [...NO_NUMBERS, 0, -1]],
		['Built-in Tools must be text', 'tools', NO_LISTS],
		[
			'Candidate Count must be a whole number, 1 or more',
			'candidateCount',
			[...NO_NUMBERS, 0, 1.5],
		],
		[
			'Conversation (JSON) must be a JSON array of turns',
			'conversationJson',
			[NaN, {}, '{}', 'Hi'],
		],
		['Extra Fields (JSON) must be a JSON object', 'extraFields', [...NO_OBJECTS, '[]']],
		['Frequency Penalty must be a number, from -2 to 2', 'frequencyPenalty', [...NO_NUMBERS, 3]],
		['Max Output Tokens must be a whole number, 1 or more', 'maxOutputTokens', [...NO_NUMBERS, 0]],
		['Output Binary Field must be text', 'binaryProperty', NO_TEXTS],
		['Presence Penalty must be a number, from -2 to 2', 'presencePenalty', [...NO_NUMBERS, -3]],
		['Response Modalities must be text', 'responseModalities', NO_LISTS],
		['Safety Settings must be a JSON object', 'safetySettings', NO_OBJECTS],
		['Safety Settings must be a list', 'safetySettings', [{ settings: {} }]],
		[
			'Safety Settings, setting 1 must have a category and a threshold',
			'safetySettings',
			[null, {}, { category: 'A' }, { category: 'A', threshold: {} }].map((row) => ({
				settings: [row],
			})),
		],
		[
			'Seed must be a whole number, from -2147483648 to 2147483647',
			'seed',
			[...NO_NUMBERS, 2 ** 31],
		],
		['Stop Sequences must be text', 'stopSequences', NO_LISTS],
		['Temperature must be a number, from 0 to 2', 'temperature', [...NO_NUMBERS, 3, -1]],
		['Thinking Budget must be a whole number, -1 or more', 'thinkingBudget', [...NO_NUMBERS, -2]],
		[
			'Thinking Level must be one of: high, low, medium, minimal',
			'thinkingLevel',
			[NaN, {}, ['low'], 'huge'],
		],
		['Timeout (Seconds) must be a number greater than 0', 'timeout', [...NO_NUMBERS, 0]],
		['Top K must be a whole number, 1 or more', 'topK', [...NO_NUMBERS, 0]],
		['Top P must be a number, from 0 to 1', 'topP', [...NO_NUMBERS, 1.1]],
	];
	const each = (rows: typeof ROWS) =>
		rows.flatMap(([message, name, values]) => values.map((value) => ({ message, name, value })));
	const said = (message: string) => expect.objectContaining({ message }) as Error;

	it.each(each(ROWS))('$name of $value: $message', async ({ message, name, value }) => {
		await expect(read({ [name]: value } as IDataObject)).rejects.toEqual(said(message));
	});

	it.each(each(OPTIONS))('option $name of $value: $message', async ({ message, name, value }) => {
		await expect(readOptions({ [name]: value })).rejects.toEqual(said(message));
	});
});
