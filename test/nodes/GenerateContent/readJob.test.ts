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
	type Rows = Array<[name: string, message: string, values: unknown[]]>;
	const PARAMETERS: Rows = [
		['model', 'Model must be text', NO_TEXTS],
		['prompt', 'Prompt must be text', NO_TEXTS],
		['systemInstruction', 'System Instruction must be text', NO_TEXTS],
		['conversation', 'Conversation must be a JSON object', NO_OBJECTS],
		['conversation', 'Conversation must be a list', [{ turns: 'Hi' }]],
		['images', 'Input Binary Fields must be text', NO_LISTS],
		['jsonOutput', 'Output Content as JSON must be true or false', NO_BOOLEANS],
		['streamResponse', 'Stream Response must be true or false', NO_BOOLEANS],
		['simplify', 'Simplify must be true or false', NO_BOOLEANS],
	];
	/** The message, and further numbers that are out of range. */
	const NUMBERS: Record<string, [message: string, ...outside: number[]]> = {
		concurrency: ['Batch Concurrency must be a number greater than 0', 0, -1],
		candidateCount: ['Candidate Count must be a whole number, 1 or more', 0, 1.5],
		frequencyPenalty: ['Frequency Penalty must be a number, from -2 to 2', 3],
		latitude: ['Location Latitude must be a number, from -90 to 90', 91],
		maxOutputTokens: ['Max Output Tokens must be a whole number, 1 or more', 0],
		presencePenalty: ['Presence Penalty must be a number, from -2 to 2', -3],
		seed: ['Seed must be a whole number, from -2147483648 to 2147483647', 2 ** 31],
		temperature: ['Temperature must be a number, from 0 to 2', 3, -1],
		thinkingBudget: ['Thinking Budget must be a whole number, -1 or more', -2],
		timeout: ['Timeout (Seconds) must be a number greater than 0', 0],
		topK: ['Top K must be a whole number, 1 or more', 0],
		topP: ['Top P must be a number, from 0 to 1', 1.1],
	};
	const turns = 'Conversation (JSON), turn 1 has';
	const contents = 'contents in Extra Fields (JSON), turn';
	const url = 'File URLs, row 1';
	const place = 'Location Latitude and Location Longitude must be set together';
	const setting = 'Safety Settings, setting 1 must have a category and a threshold';
	const filesOf = (...files: unknown[]) => files.map((file) => ({ files: [file] }));
	const OPTIONS: Rows = [
		...Object.entries(NUMBERS).map(([name, [message, ...outside]]): Rows[0] => {
			return [name, message, [...NO_NUMBERS, ...outside]];
		}),
		['aspectRatio', 'Aspect Ratio must be one of: 1:1, 1:4, ', [NaN, {}, ['1:1'], 'wide']],
		['imageSize', 'Image Size must be one of: 1K, 2K, 4K', [NaN, {}, '8K']],
		['thinkingLevel', 'Thinking Level must be one of: high, low, ', [NaN, {}, ['low'], 'huge']],
		['includeThoughts', 'Include Thoughts must be true or false', NO_BOOLEANS],
		['binaryProperty', 'Output Binary Field must be text', NO_TEXTS],
		['tools', 'Built-in Tools must be text', NO_LISTS],
		['responseModalities', 'Response Modalities must be text', NO_LISTS],
		['stopSequences', 'Stop Sequences must be text', NO_LISTS],
		['latitude', place, [0]],
		['longitude', place, [0]],
		['conversationJson', 'Conversation (JSON) must be a JSON array', [NaN, {}, '{}', 'Hi']],
		[
			'conversationJson',
			`${turns} text beside its parts`,
			[[{ role: 'user', text: 'Hi', parts: [{ text: 'Ho' }] }]],
		],
		[
			'conversationJson',
			`${turns} a part that is no object`,
			[[{ role: 'user', parts: ['x'] }], [{ role: 'user', parts: [{ text: 'Hi' }, null] }]],
		],
		['extraFields', 'Extra Fields (JSON) must be a JSON object', [...NO_OBJECTS, '[]']],
		...['contents', 'safetySettings', 'tools'].map((name): Rows[0] => {
			const values = [{ [name]: {} }, { [name]: 'x' }];
			return ['extraFields', `${name} in Extra Fields (JSON) must be a list`, values];
		}),
		[
			'extraFields',
			`${contents} 1 has the unknown role "system"`,
			[{ contents: [{ role: 'system', parts: [{ text: 'Hi' }] }] }],
		],
		['extraFields', `${contents} 2 has no text`, [{ contents: [{ parts: [{ text: 'Hi' }] }, {}] }]],
		['fileUrls', 'File URLs must be a JSON object', NO_OBJECTS],
		['fileUrls', 'File URLs must be a list', [{ files: 'https://a.example/a.png' }]],
		['fileUrls', `${url} must have a url`, filesOf(null, 'a')],
		['fileUrls', `${url}: URL is empty`, filesOf({}, { url: ' ' })],
		['fileUrls', `${url}: URL must be text`, filesOf({ url: {} })],
		[
			'fileUrls',
			`${url}: "a/b.png" is no address that the model can open`,
			filesOf({ url: 'a/b.png' }),
		],
		[
			'fileUrls',
			`${url}: "data:image/png;base64,AAAA" is no address`,
			filesOf({ url: 'data:image/png;base64,AAAA', mediaType: 'image/png' }),
		],
		[
			'fileUrls',
			`${url}: The address "https://a.example/b" does not say what type of file it is`,
			filesOf({ url: 'https://a.example/b' }),
		],
		[
			'fileUrls',
			`${url}: Media Type must be a type such as video/mp4`,
			filesOf({ url: 'https://a.example/b', mediaType: 'movie' }),
		],
		['safetySettings', 'Safety Settings must be a JSON object', NO_OBJECTS],
		['safetySettings', 'Safety Settings must be a list', [{ settings: {} }]],
		...[null, {}, { category: 'A' }, { category: 'A', threshold: {} }].map((row): Rows[0] => {
			return ['safetySettings', setting, [{ settings: [row] }]];
		}),
	];
	const each = (rows: Rows) =>
		rows.flatMap(([name, message, values]) => values.map((value) => ({ name, message, value })));
	/** Whether a refusal begins so. */
	const begins = async (job: Promise<unknown>, message: string) => {
		const said = await job.then(
			() => '',
			(thrown: Error) => thrown.message,
		);
		expect(said.slice(0, message.length)).toBe(message);
	};

	it.each(each(PARAMETERS))('$name of $value: $message', async ({ name, message, value }) => {
		await begins(read({ [name]: value } as IDataObject), message);
	});

	it.each(each(OPTIONS))('option $name of $value: $message', async ({ name, message, value }) => {
		await begins(readOptions({ [name]: value }), message);
	});
});
