import { GoogleGenAI, Modality, ThinkingLevel, type GenerateContentConfig } from '@google/genai';
import type { IDataObject } from 'n8n-workflow';

import { TEXT_MODEL, useTextStage } from '../support/stage';

// The requests of the node, judged by the client of the protocol's inventor.

const { stage, asked, bodyOf } = useTextStage();

const JSON_SCHEMA = { type: 'array', items: { type: 'integer', enum: [1, 2] } };
const FILE = { fileUri: 'https://a.example/a.pdf', mimeType: 'application/pdf' };
const inJson = (jsonSchema: object): IDataObject => ({
	jsonOutput: true,
	jsonSchema: JSON.stringify(jsonSchema),
});

it.each<[string, IDataObject, IDataObject, GenerateContentConfig]>([
	[
		'all that is set',
		{
			...{ aspectRatio: '16:9', imageSize: '2K', responseModalities: ['IMAGE', 'AUDIO'] },
			...{ voice: 'Kore', includeThoughts: true, thinkingLevel: 'low', seed: 7, topK: 3 },
			...{ candidateCount: 2, frequencyPenalty: 0.5, presencePenalty: -0.5, temperature: 0 },
			...{ topP: 0.9, stopSequences: ['END', ''] },
			safetySettings: { settings: [{ category: 'A', threshold: 'OFF' }] },
			tools: ['codeExecution', 'googleMaps', 'googleSearch', 'urlContext'],
			...{ latitude: 1, longitude: 2 },
			extraFields: { generation_config: { max_output_tokens: 9, logprobs: 2 } },
			fileUrls: { files: [{ url: FILE.fileUri }] },
		},
		{},
		{
			imageConfig: { aspectRatio: '16:9', imageSize: '2K' },
			responseModalities: [Modality.IMAGE, Modality.AUDIO],
			speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
			thinkingConfig: { includeThoughts: true, thinkingLevel: 'low' as ThinkingLevel },
			...{ seed: 7, topK: 3, maxOutputTokens: 9, logprobs: 2, topP: 0.9, stopSequences: ['END'] },
			...{ candidateCount: 2, frequencyPenalty: 0.5, presencePenalty: -0.5, temperature: 0 },
			safetySettings: [{ category: 'A', threshold: 'OFF' }] as never,
			tools: [{ codeExecution: {} }, { googleMaps: {} }, { googleSearch: {} }, { urlContext: {} }],
			toolConfig: { retrievalConfig: { latLng: { latitude: 1, longitude: 2 } } },
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
	const theirs = asked()[1].body as IDataObject;
	const { generationConfig, ...rest } = theirs;
	const isEmpty = Object.keys((generationConfig ?? {}) as object).length === 0;
	expect(ours).toEqual(isEmpty ? rest : theirs);
});
