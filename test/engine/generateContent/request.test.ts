import { GoogleGenAI, Modality, type Content, type GenerateContentConfig } from '@google/genai';
import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../support/stage';
import { TEXT_MODEL, TYPE, useTextStage } from './support/stage';

const { stage, requests, bodyOf } = useTextStage();
const HI = { role: 'user', parts: [{ text: 'Hi' }] };

it('is the documented one and nothing else, also where options are there but empty', async () => {
	const options = {
		temperature: '',
		thinking: { budget: '' },
		stopSequences: [],
		builtInTools: [],
		safetySettings: {},
		additionalFields: '{}',
		conversation: { turns: [{ role: 'json', json: '[]' }] },
	};
	const parameters = { prompt: 'Hi', systemInstruction: '  ', inputBinaryFields: ' , ', options };
	expect(await bodyOf({ parameters })).toEqual({ contents: [HI] });
	const [{ method, url }] = requests();
	expect(`${method} ${url}`).toBe(`POST /v1beta/models/${TEXT_MODEL}:generateContent`);
});

it.each([
	[`models/${TEXT_MODEL}`, `/v1beta/models/${TEXT_MODEL}:generateContent`],
	['my model/v1?', '/v1beta/models/my%20model%2Fv1%3F:generateContent'],
])('asks the model %s at its address', async (value, path) => {
	stage.sandbox.set({ models: { text: [TEXT_MODEL, 'my model/v1?'] } });
	await bodyOf({ parameters: { prompt: 'Hi', model: byId(value) } });
	expect(requests()[0].path).toBe(path);
});

it('takes additional fields along, and of a field in both places theirs', async () => {
	const generationConfig = {
		...{ temperature: 2, maxOutputTokens: 9, mediaResolution: 'MEDIA_RESOLUTION_LOW' },
		thinkingConfig: { includeThoughts: true, thinkingLevel: 'high' },
	};
	const functionDeclarations = [{ name: 'now' }];
	const labels = { top_k: 'a' };
	const byHand = { labels, tools: [{ functionDeclarations }], generationConfig };
	const options = {
		...{ temperature: 0.5, maxOutputTokens: 5, builtInTools: ['googleSearch'] },
		thinking: { level: 'low' },
		additionalFields: JSON.stringify(byHand),
	};
	expect(await bodyOf({ parameters: { prompt: 'Hi', options } })).toEqual({
		...{ labels, contents: [HI], generationConfig },
		tools: [{ googleSearch: {} }, { functionDeclarations }],
	});
});

it.each([true, false])(
	'the list of models is there if the service has one: %s',
	async (listings) => {
		stage.sandbox.set({ listings });
		const { credentials } = stage;
		const request = { credentials, filter: '3-FLASH' };
		const name = 'gemini-3-flash-preview';
		expect(await stage.engine.listSearch({ type: TYPE }, 'searchTextModels', request)).toEqual({
			results: [{ name, value: name }],
		});
	},
);

const JSON_SCHEMA = { type: 'array', items: { type: 'integer', enum: [1, 2] } };
const RESPONSE_SCHEMA = {
	type: 'OBJECT',
	properties: { a: { type: 'STRING', nullable: true } },
};
const FILE = { fileUri: 'https://a.example/a.pdf', mimeType: 'application/pdf' };
const inJson = (jsonSchema: object): IDataObject => ({
	outputFormat: 'json',
	schemaType: 'manual',
	jsonSchema: JSON.stringify(jsonSchema),
});
const TURNS: Content[] = [
	{ role: 'user', parts: [{ text: 'Minus' }, { text: ' one' }] },
	{ role: 'model', parts: [{ text: 'Zero' }] },
	{ role: 'user', parts: [{ text: 'One' }] },
];

// The requests of the node, judged by the client of the protocol's inventor.
it.each<[string, IDataObject, GenerateContentConfig, Content[]?]>([
	[
		'all that is set',
		{
			options: {
				thinking: { budget: 512, includeThoughts: true },
				...{ seed: 7, temperature: 0, topP: 0.9, stopSequences: ['END', ''] },
				safetySettings: { settings: [{ category: 'A', threshold: 'OFF' }] },
				builtInTools: ['codeExecution', 'googleMaps', 'googleSearch', 'urlContext'],
				additionalFields: { generationConfig: { maxOutputTokens: 9, topK: 3, logprobs: 2 } },
				fileUrls: { files: [{ url: FILE.fileUri, mediaType: FILE.mimeType }] },
			},
		},
		{
			thinkingConfig: { includeThoughts: true, thinkingBudget: 512 },
			...{ seed: 7, topK: 3, maxOutputTokens: 9, logprobs: 2, topP: 0.9, stopSequences: ['END'] },
			temperature: 0,
			safetySettings: [{ category: 'A', threshold: 'OFF' }] as never,
			tools: [{ codeExecution: {} }, { googleMaps: {} }, { googleSearch: {} }, { urlContext: {} }],
		},
		[{ role: 'user', parts: [{ fileData: FILE }, { text: 'Hi' }] }],
	],
	[
		'an instruction and a conversation',
		{
			systemInstruction: 'Count',
			options: {
				conversation: {
					turns: [
						{ role: 'json', json: JSON.stringify(TURNS.slice(0, 1)) },
						{ role: 'model', text: 'Zero' },
						{ role: 'user', text: 'One' },
					],
				},
			},
		},
		{ systemInstruction: { parts: [{ text: 'Count' }] } },
		[...TURNS, HI],
	],
	[
		'an image',
		{ outputFormat: 'image', aspectRatio: '16:9', imageSize: '2K' },
		{
			responseModalities: [Modality.TEXT, Modality.IMAGE],
			imageConfig: { aspectRatio: '16:9', imageSize: '2K' },
		},
	],
	[
		'speech',
		{ outputFormat: 'audio', voice: 'Kore' },
		{
			responseModalities: [Modality.AUDIO],
			speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
		},
	],
	[
		'JSON by its schema',
		inJson(RESPONSE_SCHEMA),
		{ responseMimeType: 'application/json', responseSchema: RESPONSE_SCHEMA as never },
	],
	[
		'JSON by a wider schema',
		inJson(JSON_SCHEMA),
		{ responseMimeType: 'application/json', responseJsonSchema: JSON_SCHEMA },
	],
])("%s: as Google's client sends them", async (_what, parameters, config, contents = [HI]) => {
	// An answer without the file that was asked for would be a failing item.
	stage.sandbox.set({ plan: { image: true } });
	const ours = await bodyOf({ parameters: { prompt: 'Hi', ...parameters } });
	const client = new GoogleGenAI({
		apiKey: String(stage.credentials.geminiCompatibleApi.apiKey),
		httpOptions: { baseUrl: stage.sandbox.url },
	});
	await client.models.generateContent({ model: TEXT_MODEL, contents, config });
	const { generationConfig, ...rest } = requests()[1].body as IDataObject;
	const isEmpty = Object.keys((generationConfig ?? {}) as object).length === 0;
	expect(ours).toEqual({ ...rest, ...(!isEmpty && { generationConfig }) });
});
