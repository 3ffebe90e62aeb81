import type { IDataObject } from 'n8n-workflow';

import { read as readItem } from './support/textContext';

const read = async (parameters: unknown = {}) =>
	(await readItem({ parameters: parameters as IDataObject })).job;
const readOptions = async (options: unknown) => await read({ options });

describe('readJob', () => {
	it('gives what the editor shows where nothing is set', async () => {
		expect(await read()).toEqual({
			itemIndex: 0,
			model: 'gemini-2.5-flash',
			body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
			mimeTypes: new Map(),
			schema: undefined,
			jsonOutput: false,
			reuseAnswers: true,
			simplify: true,
			binaryProperty: 'data',
			timeoutMs: 300_000,
			concurrency: 5,
		});
	});

	it('takes text for what expressions make text of', async () => {
		const job = await read({
			...{ prompt: 7, systemInstruction: true, simplify: 'False' },
			...{ conversation: { turns: [{ role: 'user', text: 8 }] } },
			...{ jsonOutput: 'true', jsonSchema: '{"type":"null"}' },
			options: {
				...{ temperature: '0.5', seed: ' -7 ', thinkingBudget: '0', stopSequences: 9 },
				...{ concurrency: '2.9', timeout: '1.5', tools: 'googleSearch' },
				...{ includeThoughts: 'false', latitude: '52.5', longitude: ' -13 ' },
				fileUrls: { files: [{ url: ['https://a.example/b.PDF', 'gs://a/b'], mediaType: 'a/b' }] },
			},
		});
		expect(job).toMatchObject({ jsonOutput: true, simplify: false, schema: { type: 'null' } });
		expect(job).toMatchObject({ concurrency: 2, timeoutMs: 1_500 });
		expect(job.body).toEqual({
			contents: [
				{ role: 'user', parts: [{ text: '8' }] },
				{
					role: 'user',
					parts: [
						{ fileData: { fileUri: 'https://a.example/b.PDF', mimeType: 'a/b' } },
						{ fileData: { fileUri: 'gs://a/b', mimeType: 'a/b' } },
						{ text: '7' },
					],
				},
			],
			systemInstruction: { parts: [{ text: 'true' }] },
			generationConfig: {
				temperature: 0.5,
				seed: -7,
				thinkingConfig: { includeThoughts: false, thinkingBudget: 0 },
				stopSequences: ['9'],
				responseMimeType: 'application/json',
				responseSchema: { type: 'null' },
			},
			tools: [{ googleSearch: {} }],
			toolConfig: { retrievalConfig: { latLng: { latitude: 52.5, longitude: -13 } } },
		});
	});

	it.each([undefined, '', ' ', '{}', 'true', {}, true])(
		'takes %j for no schema',
		async (jsonSchema) => {
			const { schema, body } = await read({ jsonOutput: true, jsonSchema });
			expect(schema).toBeUndefined();
			expect(body.generationConfig).toEqual({ responseMimeType: 'application/json' });
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
		{ role: 'user', parts: [{ text: 'Hello' }] },
		{ role: 'user', text: '', parts: [{ text: 'Hello' }] },
		'{"role":"user","parts":[{"text":"Hello"}]}',
	])('takes one turn for a conversation: %j', async (conversationJson) => {
		const [turn] = (await readOptions({ conversationJson })).body.contents;
		expect(turn).toEqual({ role: 'user', parts: [{ text: 'Hello' }] });
	});

	it('takes fields of a gateway as they are, and those of the protocol in its spelling', async () => {
		const extra_body = { top_p: 1 };
		const extraFields = { extra_body, safety_settings: [], tool_config: { a_b: 1 } };
		const { body } = await readOptions({ extraFields });
		const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
		expect(body).toEqual({ extra_body, toolConfig: { aB: 1 }, contents });
	});

	it.each([
		['thinkingLevel', ' MEDIUM', { thinkingConfig: { thinkingLevel: 'medium' } }],
		['imageSize', '2k', { imageConfig: { imageSize: '2K' } }],
	])('takes %s in the spelling of other clients', async (name, value, generationConfig) => {
		const { body } = await readOptions({ [name]: value });
		expect(body.generationConfig).toEqual(generationConfig);
	});

	it('takes a tool that is named twice once', async () => {
		const { body } = await readOptions({ tools: ['googleSearch', 'urlContext', 'googleSearch'] });
		expect(body.tools).toEqual([{ googleSearch: {} }, { urlContext: {} }]);
	});

	it('sends one request at once for a concurrency below 1', async () => {
		expect((await readOptions({ concurrency: 0.001 })).concurrency).toBe(1);
	});
});

describe('what no expression can mean is refused by name', () => {
	type Row = [name: string, message: string, ...values: unknown[]];
	const PARAMETERS: Row[] = [
		['model', 'Model must be text', {}],
		['prompt', 'Prompt must be text', Infinity, ['Hi']],
		[
			'prompt',
			'Prompt is an expression that n8n does not evaluate: {{ $json.x }}',
			'{{ $json.x }}',
		],
		['conversation', 'Conversation must be a list of objects', 7, { turns: 'Hi' }],
		['images', 'Input Binary Fields must be text', {}, ['a', NaN], [['a']]],
		['jsonOutput', 'Output Content as JSON must be true or false', NaN, {}, 'yes'],
		['simplify', 'Simplify must be true or false', 2],
	];
	const turns = 'Conversation (JSON), turn 1 has';
	const contents = 'contents in Extra Fields (JSON), turn';
	const url = 'File URLs, row 1';
	const place = 'Location Latitude and Location Longitude must be set together';
	const setting = 'Safety Settings, setting 1 must have a category and a threshold';
	const OPTIONS: Row[] = [
		['concurrency', 'Batch Concurrency must be a number greater than 0', 0, NaN, {}, true, 'warm'],
		['candidateCount', 'Candidate Count must be a whole number, 1 or more', 0, 1.5],
		['frequencyPenalty', 'Frequency Penalty must be a number, from -2 to 2', 3],
		['latitude', 'Location Latitude must be a number, from -90 to 90', 91],
		['maxOutputTokens', 'Max Output Tokens must be a whole number, 1 or more', 0],
		['presencePenalty', 'Presence Penalty must be a number, from -2 to 2', -3],
		['seed', 'Seed must be a whole number, from -2147483648 to 2147483647', 2 ** 31],
		['temperature', 'Temperature must be a number, from 0 to 2', 3, '1e999'],
		['thinkingBudget', 'Thinking Budget must be a whole number, -1 or more', -2],
		['timeout', 'Timeout (Seconds) must be a number greater than 0', 0],
		['topK', 'Top K must be a whole number, 1 or more', 0],
		['topP', 'Top P must be a number, from 0 to 1', 1.1],
		['aspectRatio', 'Aspect Ratio must be one of: 1:1, 1:4, ', ['1:1'], 'wide'],
		['imageSize', 'Image Size must be one of: 1K, 2K, 4K', '8K'],
		['thinkingLevel', 'Thinking Level must be one of: high, low, ', 'huge'],
		['includeThoughts', 'Include Thoughts must be true or false', 'yes'],
		['tools', 'Built-in Tools must be text', [{}]],
		['stopSequences', 'Stop Sequences must be text', ['a', NaN]],
		['latitude', place, 0],
		['longitude', place, 0],
		['conversationJson', 'Conversation (JSON) must be a JSON array', NaN, {}, '{}', 'Hi'],
		[
			'conversationJson',
			`${turns} text beside its parts`,
			[{ role: 'user', text: 'Hi', parts: [{ text: 'Ho' }] }],
		],
		['conversationJson', `${turns} a part that is no object`, [{ role: 'user', parts: ['x'] }]],
		['extraFields', 'Extra Fields (JSON) must be a JSON object', 7, [], '[]'],
		['extraFields', 'contents in Extra Fields (JSON) must be a list', { contents: {} }],
		['extraFields', 'tools in Extra Fields (JSON) must be a list', { tools: 'x' }],
		[
			'extraFields',
			`${contents} 1 has the unknown role "system"`,
			{ contents: [{ role: 'system', parts: [{ text: 'Hi' }] }] },
		],
		['extraFields', `${contents} 2 has no text`, { contents: [{ parts: [{ text: 'Hi' }] }, {}] }],
		['fileUrls', 'File URLs must be a list of objects', 7, { files: 'a' }, { files: [null] }],
		['fileUrls', `${url}: URL is empty`, [{}], [{ url: ' ' }]],
		['fileUrls', `${url}: URL must be text`, [{ url: {} }]],
		['fileUrls', `${url}: "a/b.png" is no address that the model can open`, [{ url: 'a/b.png' }]],
		['fileUrls', `${url}: "data:image/png`, [{ url: 'data:image/png,A', mediaType: 'image/png' }]],
		[
			'fileUrls',
			`${url}: Media Type must be a type such as video/mp4`,
			[{ url: 'https://a.example/b', mediaType: 'movie' }],
		],
		['safetySettings', 'Safety Settings must be a list of objects', { settings: {} }],
		[
			'safetySettings',
			'Safety Settings contains more than one setting for A',
			['OFF', 'BLOCK_NONE'].map((threshold) => ({ category: 'A', threshold })),
		],
		['safetySettings', setting, [{ threshold: '' }], [{ category: 'A', threshold: {} }]],
	];
	const each = (rows: Row[], inside: (set: IDataObject) => IDataObject) =>
		rows.flatMap(([name, message, ...values]) =>
			values.map((value) => ({ name, message, value, set: inside({ [name]: value as never }) })),
		);

	it.each([...each(PARAMETERS, (set) => set), ...each(OPTIONS, (options) => ({ options }))])(
		'$name of $value: $message',
		async ({ set, message }) => {
			const said = await read(set).then(
				() => '',
				(thrown: Error) => thrown.message,
			);
			expect(said.slice(0, message.length)).toBe(message);
		},
	);
});
