import type { IDataObject } from 'n8n-workflow';

import { read as readItem } from './support/textContext';

const read = async (parameters: IDataObject = {}) => (await readItem({ parameters })).job;
const VIDEO = 'https://www.youtube.com/watch?v=9hE5-98ZeCg';

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

	const STRING = { type: 'string' };
	it.each<[string, IDataObject, object | undefined]>([
		['by the one that Additional Fields set', { outputFormat: 'json' }, STRING],
		['by none where no JSON is asked for', { outputFormat: 'text' }, undefined],
		['by none that says nothing', { outputFormat: 'json', options: {} }, undefined],
	])('checks an answer by its schema: %s', async (_what, parameters, schema) => {
		const additionalFields = { generationConfig: { responseSchema: STRING } };
		const set = { schemaType: 'manual', jsonSchema: '{}', options: { additionalFields } };
		expect((await read({ ...set, ...parameters })).schema).toEqual(schema);
	});

	it('sends turns as they are written, in whatever form, before the prompt', async () => {
		const parts = [
			{ inlineData: { mimeType: 'image/png', data: 'AAAA' } },
			{ thoughtSignature: 's' },
		];
		const [first, second] = [
			{ role: 'function', parts },
			{ role: 'user', text: 'b' },
		];
		const turns = [JSON.stringify([first]), second].map((json) => ({ role: 'json', json }));
		const additionalFields = { contents: [first] };
		const { body } = await read({ options: { conversation: { turns }, additionalFields } });
		const [said, prompt] = ['b', 'Hi'].map((text) => ({ role: 'user', parts: [{ text }] }));
		expect(body.contents).toEqual([first, first, said, prompt]);
	});
});

describe('what no expression can mean is refused by name', () => {
	type Row = [name: string, message: string, ...values: unknown[]];
	const PARAMETERS: Row[] = [
		['prompt', 'Prompt must be text', ['Hi']],
		['model', 'Model is empty', 'models/'],
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
			...['Hi', '[1]'].map((json) => [{ role: 'json', json }]),
		],
		['fileUrls', `${url}: URL is empty`, [{ url: ' ' }]],
		['safetySettings', `${setting} is empty`, [{ threshold: '' }]],
	];
	const each = (rows: Row[], inside: (set: IDataObject) => IDataObject) =>
		rows.flatMap(([name, message, ...values]) =>
			values.map((value) => ({ name, message, value, set: inside({ [name]: value as never }) })),
		);

	it.each([...each(PARAMETERS, (set) => set), ...each(OPTIONS, (options) => ({ options }))])(
		'$name of $value: $message',
		async ({ set, message }) => await expect(read(set)).rejects.toThrow(message),
	);
});
