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
			wantsFile: false,
			wantsJson: false,
			schema: undefined,
			rawResponse: false,
			carried: undefined,
			binaryProperty: 'data',
			timeoutMs: 300_000,
		});
	});

	it('takes text for what expressions make text of', async () => {
		const job = await read({
			...{ prompt: 7, systemInstruction: true },
			...{ outputFormat: 'JSON', schemaType: 'manual', jsonSchema: '{"type":"null"}' },
			options: {
				...{ temperature: '0.5', seed: ' -7 ', stopSequences: 9, rawResponse: 'True' },
				...{ timeout: '1.5', builtInTools: 'googleSearch' },
				conversation: { turns: [{ role: 'user', text: 8 }] },
				location: { latitude: '52.5', longitude: ' -13 ' },
				thinking: { budget: '0', includeThoughts: 'true' },
				fileUrls: { files: [{ url: ['https://a.example/b.PDF', 'gs://a/b'], mediaType: 'a/b' }] },
			},
		});
		expect(job).toMatchObject({ wantsJson: true, schema: { type: 'null' } });
		expect(job).toMatchObject({ rawResponse: true, timeoutMs: 1_500 });
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
				thinkingConfig: { includeThoughts: true, thinkingBudget: 0 },
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
			const parameters = { outputFormat: 'json', schemaType: 'manual', jsonSchema };
			const { schema, body } = await read(parameters);
			expect(schema).toBeUndefined();
			expect(body.generationConfig).toEqual({ responseMimeType: 'application/json' });
		},
	);

	it.each([
		['that Additional Fields set', { type: 'string' }, 'json'],
		['only where JSON is asked for', undefined, 'text'],
	])('checks by the schema %s', async (_what, schema, outputFormat) => {
		const additionalFields = { generation_config: { response_schema: { type: 'string' } } };
		expect((await read({ outputFormat, options: { additionalFields } })).schema).toEqual(schema);
	});

	it.each<[string, IDataObject, IDataObject]>([
		['text', { aspectRatio: '1:1', voice: 'Kore', jsonSchemaExample: '7' }, {}],
		['json', { jsonSchemaExample: '' }, { responseMimeType: 'application/json' }],
		[
			'json',
			{ jsonSchemaExample: '[{"city":"Paris"}]' },
			{
				responseMimeType: 'application/json',
				responseSchema: {
					type: 'array',
					items: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
				},
			},
		],
		['image', { aspectRatio: '', imageSize: '' }, { responseModalities: ['TEXT', 'IMAGE'] }],
		[
			'image',
			{ aspectRatio: '16:9', imageSize: '2k' },
			{
				responseModalities: ['TEXT', 'IMAGE'],
				imageConfig: { aspectRatio: '16:9', imageSize: '2K' },
			},
		],
		['audio', { voice: '' }, { responseModalities: ['AUDIO'] }],
		[
			'audio',
			{ voice: 'kore' },
			{
				responseModalities: ['AUDIO'],
				speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
			},
		],
	])('asks for %s by its fields: %j', async (outputFormat, fields, generationConfig) => {
		const { body } = await read({ outputFormat, ...fields });
		expect(body.generationConfig ?? {}).toEqual(generationConfig);
	});

	it('sends of Thinking what is set, also where Additional Fields say the other', async () => {
		const of = async (thinking: IDataObject, additionalFields = {}) =>
			(await readOptions({ thinking, additionalFields })).body.generationConfig;
		expect(await of({ level: '', budget: '', includeThoughts: false })).toBeUndefined();
		const thinkingConfig = { thinkingLevel: 'medium', includeThoughts: true };
		expect(await of({ level: ' MEDIUM', includeThoughts: true })).toEqual({ thinkingConfig });
		const byHand = { generationConfig: { thinkingConfig: { thinkingBudget: 9 } } };
		expect(await of({ level: 'low' }, byHand)).toEqual({
			thinkingConfig: { thinkingLevel: 'low' },
		});
	});

	it.each([
		{ role: 'user', parts: [{ text: 'Hello' }] },
		{ role: 'user', text: '', parts: [{ text: 'Hello' }] },
		'{"role":"user","parts":[{"text":"Hello"}]}',
	])('takes one turn for a conversation: %j', async (json) => {
		const conversation = { turns: [{ role: 'json', json }] };
		const [turn] = (await readOptions({ conversation })).body.contents;
		expect(turn).toEqual({ role: 'user', parts: [{ text: 'Hello' }] });
	});

	it('takes fields of a gateway as they are, and those of the protocol in its spelling', async () => {
		const extra_body = { top_p: 1 };
		const additionalFields = { extra_body, safety_settings: [], tool_config: { a_b: 1 } };
		const { body } = await readOptions({ additionalFields });
		const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
		expect(body).toEqual({ extra_body, toolConfig: { aB: 1 }, contents });
	});

	it('takes a tool that is named twice once', async () => {
		const builtInTools = ['googleSearch', 'urlContext', 'googleSearch'];
		const { body } = await readOptions({ builtInTools });
		expect(body.tools).toEqual([{ googleSearch: {} }, { urlContext: {} }]);
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
		['inputBinaryFields', 'Input Binary Fields must be text', {}, ['a', NaN], [['a']]],
		['outputFormat', 'Output Format must be one of: text, json, image, audio', {}, 'pdf'],
	];
	const inJson = (parameters: IDataObject) => ({ outputFormat: 'json', ...parameters });
	const SCHEMAS: Row[] = [
		['schemaType', 'Schema Type must be one of: fromJson (', 'zod'],
		['jsonSchemaExample', 'JSON Example is not valid JSON', '{'],
		[
			'jsonSchemaExample',
			'JSON Example does not tell all types: $.a[0].b has no value',
			'{"a":[{"b":null}]}',
		],
		['jsonSchemaExample', 'JSON Example does not tell all types: $.a has', { a: undefined }],
		['jsonSchemaExample', 'JSON Example has an array of several types: $[1] must be', '[1,"a"]'],
		['jsonSchemaExample', 'JSON Example has an array of several types: $[1].a is', '[{"a":1},{}]'],
		['jsonSchemaExample', 'JSON Example is a JSON Schema', '{"type":"object","properties":{}}'],
	];
	const FORMATS: Row[] = [
		['aspectRatio', 'Aspect Ratio must be one of: 1:1 (Square), 1:4, 1:8, 16:9 (', ['1:1'], 'wide'],
		['imageSize', 'Image Size must be one of: 1K, 2K, 4K', '8K'],
	];
	const row = 'Conversation, row 1';
	const contents = 'contents in Additional Fields (JSON), turn';
	const url = 'File URLs, row 1';
	const setting = 'Safety Settings, row 1: Threshold';
	const OPTIONS: Row[] = [
		['location', 'Latitude must be a number, from -90 to 90', { latitude: 91, longitude: 0 }],
		['location', 'Location needs both a latitude and a longitude', { latitude: 0, longitude: '' }],
		['maxOutputTokens', 'Max Output Tokens must be a whole number, 1 or more', 0],
		['seed', 'Seed must be a whole number, from -2147483648 to 2147483647', 2 ** 31],
		['temperature', 'Temperature must be a number, from 0 to 2', 3, '1e999'],
		['timeout', 'Timeout (Seconds) must be a number greater than 0', 0, NaN, {}, true, 'warm'],
		['topP', 'Top P must be a number, from 0 to 1', 1.1],
		['thinking', 'Thinking Level must be one of: minimal, low, medium, high', { level: 'huge' }],
		['thinking', 'Thinking Budget must be a whole number, -1 or more', { budget: -2 }],
		['thinking', 'Include Thoughts must be true or false', { includeThoughts: 'yes' }],
		['rawResponse', 'Raw Response must be true or false', 2],
		['builtInTools', 'Built-in Tools must be text', [{}]],
		['stopSequences', 'Stop Sequences must be text', ['a', NaN]],
		['conversation', 'Conversation must be a list of objects', 7, { turns: 'Hi' }],
		['conversation', `${row}: Text is empty`, [{ role: 'user', text: ' ' }]],
		['conversation', `${row}: Role must be one of: user, model, json (`, [{ role: 'system' }]],
		[
			'conversation',
			`${row}: Turns (JSON) must be a JSON array`,
			...[NaN, {}, '{}', 'Hi'].map((json) => [{ role: 'json', json }]),
		],
		[
			'conversation',
			`${row}: turn 1 has text beside its parts`,
			[{ role: 'json', json: [{ role: 'user', text: 'Hi', parts: [{ text: 'Ho' }] }] }],
		],
		[
			'conversation',
			`${row}: turn 1 has a part that is not an object`,
			[{ role: 'json', json: [{ role: 'user', parts: ['x'] }] }],
		],
		['additionalFields', 'Additional Fields (JSON) must be a JSON object', 7, [], '[]'],
		['additionalFields', 'contents in Additional Fields (JSON) must be a list', { contents: {} }],
		['additionalFields', 'tools in Additional Fields (JSON) must be a list', { tools: 'x' }],
		[
			'additionalFields',
			'candidateCount in Additional Fields (JSON) must be 1',
			{ generation_config: { candidate_count: 2 } },
		],
		[
			'additionalFields',
			`${contents} 1 has the unknown role "system"`,
			{ contents: [{ role: 'system', parts: [{ text: 'Hi' }] }] },
		],
		[
			'additionalFields',
			`${contents} 2 has no text`,
			{ contents: [{ parts: [{ text: 'Hi' }] }, {}] },
		],
		['fileUrls', 'File URLs must be a list of objects', 7, { files: 'a' }, { files: [null] }],
		['fileUrls', `${url}: URL is empty`, [{}], [{ url: ' ' }]],
		['fileUrls', `${url}: URL must be text`, [{ url: {} }]],
		[
			'fileUrls',
			`${url}: "a/b.png" is not an address that the model can open`,
			[{ url: 'a/b.png' }],
		],
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
		['safetySettings', `${setting} is empty`, [{ threshold: '' }]],
		['safetySettings', `${setting} must be text`, [{ category: 'A', threshold: {} }]],
	];
	const each = (rows: Row[], inside: (set: IDataObject) => IDataObject) =>
		rows.flatMap(([name, message, ...values]) =>
			values.map((value) => ({ name, message, value, set: inside({ [name]: value as never }) })),
		);

	it.each([
		...each(PARAMETERS, (set) => set),
		...each(SCHEMAS, inJson),
		...each(FORMATS, (set) => ({ outputFormat: 'image', ...set })),
		...each(OPTIONS, (options) => ({ options })),
	])('$name of $value: $message', async ({ set, message }) => {
		const said = await read(set).then(
			() => '',
			(thrown: Error) => thrown.message,
		);
		expect(said.slice(0, message.length)).toBe(message);
	});
});
