import { GoogleGenAI, Modality, type GenerateContentConfig } from '@google/genai';
import type { IDataObject } from 'n8n-workflow';

import { TEXT_MODEL, useTextStage } from '../support/stage';

// The requests of the node, judged by the client of the protocol's inventor.

const { stage, requests, bodyOf } = useTextStage();

const JSON_SCHEMA = { type: 'array', items: { type: 'integer', enum: [1, 2] } };
const FILE = { fileUri: 'https://a.example/a.pdf', mimeType: 'application/pdf' };
const inJson = (jsonSchema: object): IDataObject => ({
	outputFormat: 'json',
	schemaType: 'manual',
	jsonSchema: JSON.stringify(jsonSchema),
});

it.each<[string, IDataObject, IDataObject, GenerateContentConfig]>([
	[
		'all that is set',
		{
			thinking: { budget: 512, includeThoughts: true },
			...{ seed: 7, temperature: 0, topP: 0.9, stopSequences: ['END', ''] },
			safetySettings: { settings: [{ category: 'A', threshold: 'OFF' }] },
			builtInTools: ['codeExecution', 'googleMaps', 'googleSearch', 'urlContext'],
			additionalFields: { generationConfig: { maxOutputTokens: 9, topK: 3, logprobs: 2 } },
			fileUrls: { files: [{ url: FILE.fileUri, mediaType: FILE.mimeType }] },
		},
		{},
		{
			thinkingConfig: { includeThoughts: true, thinkingBudget: 512 },
			...{ seed: 7, topK: 3, maxOutputTokens: 9, logprobs: 2, topP: 0.9, stopSequences: ['END'] },
			temperature: 0,
			safetySettings: [{ category: 'A', threshold: 'OFF' }] as never,
			tools: [{ codeExecution: {} }, { googleMaps: {} }, { googleSearch: {} }, { urlContext: {} }],
		},
	],
	[
		'an image',
		{},
		{ outputFormat: 'image', aspectRatio: '16:9', imageSize: '2K' },
		{
			responseModalities: [Modality.TEXT, Modality.IMAGE],
			imageConfig: { aspectRatio: '16:9', imageSize: '2K' },
		},
	],
	[
		'speech',
		{},
		{ outputFormat: 'audio', voice: 'Kore' },
		{
			responseModalities: [Modality.AUDIO],
			speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
		},
	],
	[
		'JSON by its schema',
		{},
		inJson({ type: 'OBJECT', properties: { a: { type: 'STRING', nullable: true } } }),
		{
			responseMimeType: 'application/json',
			responseSchema: {
				type: 'OBJECT',
				properties: { a: { type: 'STRING', nullable: true } },
			} as never,
		},
	],
	[
		'JSON by a wider schema',
		{},
		inJson(JSON_SCHEMA),
		{ responseMimeType: 'application/json', responseJsonSchema: JSON_SCHEMA },
	],
])('%s: as the client sends them', async (_what, options, parameters, config) => {
	// An answer without the file that was asked for would be a failing item.
	stage.sandbox.set({ plan: { image: true } });
	const ours = await bodyOf({ parameters: { prompt: 'Hi', options, ...parameters } });
	const files = options.fileUrls ? [{ fileData: FILE }] : [];
	const client = new GoogleGenAI({
		apiKey: String(stage.credentials.geminiCompatibleApi.apiKey),
		httpOptions: { baseUrl: stage.sandbox.url },
	});
	await client.models.generateContent({
		model: TEXT_MODEL,
		contents: [{ role: 'user', parts: [...files, { text: 'Hi' }] }],
		config,
	});
	const theirs = requests()[1].body as IDataObject;
	const { generationConfig, ...rest } = theirs;
	const isEmpty = Object.keys((generationConfig ?? {}) as object).length === 0;
	expect(ours).toEqual(isEmpty ? rest : theirs);
});
