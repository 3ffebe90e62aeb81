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
				fileUrls: [],
				generationConfig: {},
				safetySettings: [],
				tools: [],
				toolConfig: {},
				extraFields: {},
			},
			schema: undefined,
			files: [],
			turnFiles: [],
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
				...{ includeThoughts: 'false', latitude: '52.5', longitude: ' -13 ' },
				fileUrls: { files: [{ url: ['https://a.example/b.PDF', 'gs://a/b'], mediaType: 'a/b' }] },
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
				thinkingConfig: { includeThoughts: false, thinkingBudget: 0 },
				stopSequences: ['9'],
				responseMimeType: 'application/json',
				responseSchema: { type: 'null' },
			},
			fileUrls: [
				{ fileData: { fileUri: 'https://a.example/b.PDF', mimeType: 'a/b' } },
				{ fileData: { fileUri: 'gs://a/b', mimeType: 'a/b' } },
			],
			safetySettings: [],
			tools: [{ googleSearch: {} }],
			toolConfig: { retrievalConfig: { latLng: { latitude: 52.5, longitude: -13 } } },
			extraFields: {},
		});
		expect(job.schema).toEqual({ type: 'null' });
	});

	it.each([undefined, '', ' ', '{}', 'true', {}, true])(
		'takes %j for no schema',
		async (jsonSchema) => {
			const { schema, wish } = await read({ jsonOutput: true, jsonSchema } as IDataObject);
			expect(schema).toBeUndefined();
			expect(wish.generationConfig).toEqual({ responseMimeType: 'application/json' });
		},
	);

	it.each([
		['that Extra Fields set', { type: 'string' }, true],
		['only where JSON is asked for', undefined, false],
	])('checks by the schema %s', async (_what, schema, jsonOutput) => {
		const extraFields = { generation_config: { response_schema: { type: 'string' } } };
		expect((await read({ jsonOutput, options: { extraFields } })).schema).toEqual(schema);
	});

	it.each([
		{ role: 'user', parts: [{ text: 'Hi' }] },
		{ role: 'user', text: 'Hi' },
		{ role: 'user', text: '', parts: [{ text: 'Hi' }] },
		'{"role":"user","parts":[{"text":"Hi"}]}',
	])('takes one turn for a conversation: %j', async (conversationJson) => {
		const turns = [{ role: 'user', parts: [{ text: 'Hi' }] }];
		expect((await readOptions({ conversationJson })).wish.turns).toEqual(turns);
	});

	it.each([
		['thinkingLevel', ' MEDIUM', { thinkingConfig: { thinkingLevel: 'medium' } }],
		['imageSize', '2k', { imageConfig: { imageSize: '2K' } }],
		...['1:4', '4:1', '1:8', '8:1'].map((aspectRatio) => {
			return ['aspectRatio', aspectRatio, { imageConfig: { aspectRatio } }];
		}),
	] as Array<[string, string, object]>)(
		'takes %s in the spelling of other clients: %s',
		async (name, value, generationConfig) => {
			expect((await readOptions({ [name]: value })).wish.generationConfig).toEqual(
				generationConfig,
			);
		},
	);

	it('refuses an expression in Fixed mode, which would be asked word by word', async () => {
		await expect(read({ prompt: 'Say {{ $json.x }}' })).rejects.toMatchObject({
			message: 'Prompt is an expression that n8n does not evaluate: {{ $json.x }}',
		});
	});

	it('takes a tool that is named twice once', async () => {
		const { wish } = await readOptions({ tools: ['googleSearch', 'urlContext', 'googleSearch'] });
		expect(wish.tools).toEqual([{ googleSearch: {} }, { urlContext: {} }]);
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
		[
			'Aspect Ratio must be one of: 1:1, 1:4, 1:8, 16:9, 2:3, 21:9, 3:2, 3:4, 4:1, 4:3, 4:5, 5:4, 8:1, 9:16',
			'aspectRatio',
			[NaN, {}, ['1:1'], 'wide'],
		],
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
		[
			'Conversation (JSON), turn 1 has text beside its parts',
			'conversationJson',
			[[{ role: 'user', text: 'Hi', parts: [{ text: 'Ho' }] }]],
		],
		[
			'Conversation (JSON), turn 1 has a part that is no object',
			'conversationJson',
			[[{ role: 'user', parts: ['x'] }], [{ role: 'user', parts: [{ text: 'Hi' }, null] }]],
		],
		['Extra Fields (JSON) must be a JSON object', 'extraFields', [...NO_OBJECTS, '[]']],
		...['contents', 'safetySettings', 'tools'].map((name): (typeof ROWS)[0] => [
			`${name} in Extra Fields (JSON) must be a list`,
			'extraFields',
			[{ [name]: {} }, { [name]: 'x' }],
		]),
		[
			'contents in Extra Fields (JSON), turn 1 has the unknown role "system"',
			'extraFields',
			[{ contents: [{ role: 'system', parts: [{ text: 'Hi' }] }] }],
		],
		[
			'contents in Extra Fields (JSON), turn 2 has no text',
			'extraFields',
			[{ contents: [{ parts: [{ text: 'Hi' }] }, {}] }],
		],
		['File URLs must be a JSON object', 'fileUrls', NO_OBJECTS],
		['File URLs must be a list', 'fileUrls', [{ files: 'https://a.example/a.png' }]],
		['File URLs, row 1 must have a url', 'fileUrls', [{ files: [null] }, { files: ['a'] }]],
		['File URLs, row 1: URL is empty', 'fileUrls', [{ files: [{}] }, { files: [{ url: ' ' }] }]],
		['File URLs, row 1: URL must be text', 'fileUrls', [{ files: [{ url: {} }] }]],
		[
			'File URLs, row 1: "a/b.png" is no address that the model can open',
			'fileUrls',
			[{ files: [{ url: 'a/b.png' }] }],
		],
		[
			'File URLs, row 1: "data:image/png;base64,AAAA" is no address that the model can open',
			'fileUrls',
			[{ files: [{ url: 'data:image/png;base64,AAAA', mediaType: 'image/png' }] }],
		],
		[
			'File URLs, row 1: The address "https://a.example/b" does not say what type of file it is',
			'fileUrls',
			[{ files: [{ url: 'https://a.example/b' }] }],
		],
		[
			'File URLs, row 1: Media Type must be a type such as video/mp4',
			'fileUrls',
			[{ files: [{ url: 'https://a.example/b', mediaType: 'movie' }] }],
		],
		['Frequency Penalty must be a number, from -2 to 2', 'frequencyPenalty', [...NO_NUMBERS, 3]],
		['Image Size must be one of: 1K, 2K, 4K', 'imageSize', [NaN, {}, '8K']],
		['Include Thoughts must be true or false', 'includeThoughts', NO_BOOLEANS],
		['Location Latitude must be a number, from -90 to 90', 'latitude', [...NO_NUMBERS, 91]],
		['Location Latitude and Location Longitude must be set together', 'latitude', [0]],
		['Location Latitude and Location Longitude must be set together', 'longitude', [0]],
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
