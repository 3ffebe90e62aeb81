import { GoogleGenAI, Modality, type Content, type GenerateContentConfig } from '@google/genai';
import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../support/stage';
import { fileOf, pngOf } from './support/answers';
import { TEXT_MODEL, TYPE, useTextStage } from './support/stage';

const { stage, requests, bodyOf } = useTextStage();
const HI = { role: 'user', parts: [{ text: 'Hi' }] };

it('is the documented one and nothing else, also where options are there but empty', async () => {
	const options = {
		...{ temperature: '', thinking: { budget: '' }, stopSequences: [], builtInTools: [] },
		...{ safetySettings: {}, additionalFields: '{}' },
		conversation: { turns: [{ role: 'json', json: '[]' }] },
	};
	const parameters = { prompt: 'Hi', systemInstruction: '  ', inputBinaryFields: ' , ', options };
	expect(await bodyOf({ parameters })).toEqual({ contents: [HI] });
	const [{ method, url }] = requests();
	expect(`${method} ${url}`).toBe(`POST /v1beta/models/${TEXT_MODEL}:generateContent`);
});

it('encodes the model in its address, without "models/"', async () => {
	stage.sandbox.set({ models: { text: ['my model/v1?'] } });
	await bodyOf({ parameters: { prompt: 'Hi', model: byId('models/my model/v1?') } });
	expect(requests()[0].path).toBe('/v1beta/models/my%20model%2Fv1%3F:generateContent');
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

it('files go along by their bytes and as Gemini takes them, with the last turn of the user', async () => {
	const PNG = fileOf(pngOf('a'), 'image/png');
	const LIST = fileOf('{"a":1}', 'text/plain');
	const binary = {
		data: { ...PNG.inlineData, mimeType: 'application/octet-stream' },
		list: { ...LIST.inlineData, mimeType: 'application/json; charset=utf-8' },
	};
	const conversation = { turns: [{ role: 'user', text: 'What is it?' }] };
	const parameters = { inputBinaryFields: 'data, list', options: { conversation } };
	const { contents } = await bodyOf({ parameters, items: [{ json: {}, binary }] });
	expect(contents).toEqual([{ role: 'user', parts: [PNG, LIST, { text: 'What is it?' }] }]);
});

it('the list of models is searched, and there where a service has none', async () => {
	const request = { credentials: stage.credentials, filter: '3-FLASH' };
	const name = 'gemini-3-flash-preview';
	for (const listings of [true, false]) {
		stage.sandbox.set({ listings });
		expect(await stage.engine.listSearch({ type: TYPE }, 'searchTextModels', request)).toEqual({
			results: [{ name, value: name }],
		});
	}
});

const RESPONSE_SCHEMA = {
	type: 'OBJECT',
	properties: { a: { type: 'STRING', nullable: true } },
};
const FILE = { fileUri: 'https://a.example/a.pdf', mimeType: 'application/pdf' };
const TURNS: Content[] = [
	{ role: 'user', parts: [{ text: 'Minus' }, { text: ' one' }] },
	{ role: 'model', parts: [{ text: 'Zero' }] },
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
		{
			...{ outputFormat: 'json', schemaType: 'manual' },
			jsonSchema: JSON.stringify(RESPONSE_SCHEMA),
		},
		{ responseMimeType: 'application/json', responseSchema: RESPONSE_SCHEMA as never },
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
