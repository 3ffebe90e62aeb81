import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { contentOptionsField } from '../../../nodes/GenerateContent/optionFields';
import { read as readItem } from './support/textContext';

const read = async (parameters: IDataObject = {}) => (await readItem({ parameters })).job;
const VIDEO = 'https://www.youtube.com/watch?v=9hE5-98ZeCg';

describe('readTextJob', () => {
	it('gives what the editor shows where nothing is set', async () => {
		expect(await read()).toEqual({
			...{ itemIndex: 0, model: 'gemini-2.5-flash', timeoutMs: 300_000, rawResponse: false },
			body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
			...{ wantsFile: false, wantsJson: false, schema: undefined, carried: {} },
			...{ files: [], binaryProperty: 'data', binary: {} },
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
						{ fileData: { fileUri: VIDEO, mimeType: 'video/*' } },
						{ text: '7' },
					],
				},
			],
			systemInstruction: { parts: [{ text: 'true' }] },
			generationConfig: {
				...{ temperature: 0.5, seed: -7, stopSequences: ['9'] },
				thinkingConfig: { includeThoughts: true, thinkingBudget: 0 },
				...{ responseMimeType: 'application/json', responseJsonSchema: { type: 'null' } },
			},
			tools: [{ googleSearch: {} }],
		});
	});

	const STRING = { type: 'string' };
	const EXAMPLE = { schemaType: 'fromJson', jsonSchemaExample: '["a"]' };
	const LIST = { type: 'array', items: STRING };
	it.each<[string, IDataObject, object | undefined]>([
		['by the one that Additional Fields set', { outputFormat: 'json' }, STRING],
		['by none where no JSON is asked for', { outputFormat: 'text' }, undefined],
		['by none that says nothing', { outputFormat: 'json', options: {} }, undefined],
		['by that of an example', { outputFormat: 'json', options: {}, ...EXAMPLE }, LIST],
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

const conversation = (row: IDataObject) => ({ options: { conversation: [row] } });

it.each<[set: IDataObject, message: string]>([
	[{ prompt: ['Hi'] }, 'Prompt must be text'],
	[{ model: 'models/' }, 'Model is empty'],
	[{ model: 'a'.repeat(201) }, 'Model must be a name of at most 200 characters'],
	[{ inputBinaryFields: ' ,photo' }, 'no binary field "photo" (Input Binary Fields)'],
	[
		{ options: { fileUrls: [{ url: 'https://api.telegram.org/file/bot12:AA/photos/a.jpg' }] } },
		'File URLs, row 1: URL has the token of a Telegram bot',
	],
	[{ options: { seed: 2 ** 31 } }, 'Seed must be a whole number, from -2147483648 to 2147483647'],
	[{ options: { thinking: { budget: -2 } } }, 'Budget must be a whole number, -1 or more'],
	[conversation({ role: 'user', text: ' ' }), 'Conversation, row 1: Text is empty'],
	[conversation({ role: 'json', json: '[1]' }), 'row 1: Turns (JSON) must be a JSON array'],
])('%j is refused by name', async (set, message) => {
	await expect(read(set)).rejects.toThrow(message);
});

const LIMITS = (contentOptionsField.options as INodeProperties[]).flatMap((field) => {
	const { minValue, maxValue } = field.typeOptions ?? {};
	return [
		...(minValue === undefined ? [] : [[field.name, minValue - 1] as const]),
		...(maxValue === undefined ? [] : [[field.name, maxValue + 1] as const]),
	];
});

it.each(LIMITS)(
	'outside the limits of the editor, the option is refused: %s %d',
	async (name, value) => {
		await expect(read({ options: { [name]: value } })).rejects.toThrow(/ must be /);
	},
);
