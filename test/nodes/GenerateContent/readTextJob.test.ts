import type { IDataObject } from 'n8n-workflow';

import { read as readItem } from './support/textContext';

const read = async (parameters: unknown = {}) =>
	(await readItem({ parameters: parameters as IDataObject })).job;
const VIDEO = 'https://www.youtube.com/watch?v=9hE5-98ZeCg';
const readOptions = async (options: unknown) => await read({ options });

describe('readTextJob', () => {
	it('gives what the editor shows where nothing is set', async () => {
		expect(await read()).toEqual({
			itemIndex: 0,
			model: 'gemini-2.5-flash',
			body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
			wantsFile: false,
			wantsJson: false,
			schema: undefined,
			rawResponse: false,
			carried: {},
			files: [],
			binaryProperty: 'data',
			binary: {},
			timeoutMs: 300_000,
		});
	});

	it('takes text for what expressions make text of', async () => {
		const job = await read({
			...{ prompt: 7, systemInstruction: true },
			...{ outputFormat: 'json', schemaType: 'manual', jsonSchema: '{"type":"null"}' },
			options: {
				...{ temperature: '0.5', seed: ' -7 ', stopSequences: 9, rawResponse: 'True' },
				...{ timeout: '1.5', builtInTools: 'googleSearch' },
				conversation: { turns: [{ role: 'user', text: 8 }] },
				thinking: { budget: '0', includeThoughts: 'true' },
				fileUrls: {
					files: [
						{ url: ['https://a.example/b.PDF', ' gs://a/b '], mediaType: 'a/b' },
						{ url: 'https://a.example/b.png', mediaType: '' },
						{ url: VIDEO },
					],
				},
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
						{ fileData: { fileUri: 'https://a.example/b.png' } },
						{ fileData: { fileUri: VIDEO, mimeType: 'video/*' } },
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
				responseJsonSchema: { type: 'null' },
			},
			tools: [{ googleSearch: {} }],
		});
	});

	it.each([undefined, '', ' ', '{}', {}])('takes %j for no schema', async (jsonSchema) => {
		const parameters = { outputFormat: 'json', schemaType: 'manual', jsonSchema };
		const { schema, body } = await read(parameters);
		expect(schema).toBeUndefined();
		expect(body.generationConfig).toEqual({ responseMimeType: 'application/json' });
	});

	it.each([
		['that Additional Fields set', { type: 'string' }, 'json'],
		['only where JSON is asked for', undefined, 'text'],
	])('checks by the schema %s', async (_what, schema, outputFormat) => {
		const additionalFields = { generationConfig: { responseSchema: { type: 'string' } } };
		expect((await read({ outputFormat, options: { additionalFields } })).schema).toEqual(schema);
	});

	it.each([
		{ role: 'user', parts: [{ text: 'Hello' }] },
		{ role: 'user', parts: { text: 'Hello' } },
		{ role: 'user', text: '', parts: [{ text: 'Hello' }] },
		'{"role":"user","parts":[{"text":"Hello"}]}',
	])('takes one turn for a conversation: %j', async (json) => {
		const conversation = { turns: [{ role: 'json', json }] };
		const [turn] = (await readOptions({ conversation })).body.contents;
		expect(turn).toEqual({ role: 'user', parts: [{ text: 'Hello' }] });
	});
});

it('sends turns as they are written, pictures and other roles included', async () => {
	const parts = [
		{ inlineData: { mimeType: 'image/png', data: 'AAAA' } },
		{ thoughtSignature: 's' },
	];
	const turns = [{ role: 'function', parts }, { parts: [{ text: 'b' }] }];
	const conversation = { turns: [{ role: 'json', json: JSON.stringify(turns) }] };
	const additionalFields = { contents: [turns[1]] };
	const { body } = await readOptions({ conversation, additionalFields });
	const prompt = { role: 'user', parts: [{ text: 'Hi' }] };
	expect(body.contents).toEqual([turns[1], ...turns, prompt]);
});

describe('what no expression can mean is refused by name', () => {
	type Row = [name: string, message: string, ...values: unknown[]];
	const PARAMETERS: Row[] = [
		['prompt', 'Prompt must be text', ['Hi']],
		['model', 'Model is empty', ' ', 'models/'],
		['inputBinaryFields', 'Input Binary Fields is no file', {}],
		['inputBinaryFields', 'The item has no binary field "photo" (Input Binary Fields)', ' ,photo'],
	];
	const row = 'Conversation, row 1';
	const url = 'File URLs, row 1';
	const setting = 'Safety Settings, row 1: Threshold';
	const OPTIONS: Row[] = [
		['seed', 'Seed must be a whole number, from -2147483648 to 2147483647', 2 ** 31],
		['thinking', 'Thinking Budget must be a whole number, -1 or more', { budget: -2 }],
		['conversation', `${row}: Text is empty`, [{ role: 'user', text: ' ' }]],
		[
			'conversation',
			`${row}: Turns (JSON) must be a JSON array`,
			...[NaN, 'Hi', '[1]'].map((json) => [{ role: 'json', json }]),
		],
		['fileUrls', `${url}: URL is empty`, [{}], [{ url: ' ' }]],
		['safetySettings', `${setting} is empty`, [{ threshold: '' }]],
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
