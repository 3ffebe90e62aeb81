import { useTextStage } from '../support/stage';

const { bodyOf } = useTextStage();

describe('the request', () => {
	it('carries every option in the spelling of the protocol', async () => {
		const options = {
			candidateCount: 2,
			frequencyPenalty: 0.5,
			maxOutputTokens: 200,
			presencePenalty: -0.5,
			seed: 7,
			temperature: 0,
			thinkingBudget: 0,
			topK: 20,
			topP: 0.9,
			stopSequences: ['END', ''],
			responseModalities: ['TEXT', 'IMAGE'],
			safetySettings: {
				settings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
			},
			tools: ['googleSearch', 'codeExecution', 'googleMaps', 'urlContext'],
			...{ aspectRatio: '16:9', imageSize: '2K', includeThoughts: true, voice: 'Kore' },
			...{ latitude: 48.85, longitude: 2.35 },
		};
		expect(await bodyOf({ parameters: { prompt: 'Hi', options } })).toEqual({
			contents: expect.anything(),
			generationConfig: {
				candidateCount: 2,
				frequencyPenalty: 0.5,
				maxOutputTokens: 200,
				presencePenalty: -0.5,
				seed: 7,
				temperature: 0,
				thinkingConfig: { includeThoughts: true, thinkingBudget: 0 },
				imageConfig: { aspectRatio: '16:9', imageSize: '2K' },
				speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
				topK: 20,
				topP: 0.9,
				stopSequences: ['END'],
				responseModalities: ['TEXT', 'IMAGE'],
			},
			safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
			tools: [{ googleSearch: {} }, { codeExecution: {} }, { googleMaps: {} }, { urlContext: {} }],
			toolConfig: { retrievalConfig: { latLng: { latitude: 48.85, longitude: 2.35 } } },
		});
	});

	it('takes extra fields along, and of a field in both places what was set', async () => {
		const extraFields = JSON.stringify({
			labels: { top_k: 'a' },
			contents: [],
			tools: [{ googleSearch: { timeRangeFilter: {} }, urlContext: {} }],
			generation_config: {
				temperature: 2,
				max_output_tokens: 9,
				mediaResolution: 'MEDIA_RESOLUTION_LOW',
				thinkingConfig: { includeThoughts: true, thinkingLevel: 'high' },
			},
		});
		const options = {
			...{ temperature: 0.5, maxOutputTokens: 5, thinkingLevel: 'low', tools: ['googleSearch'] },
			extraFields,
		};
		expect(await bodyOf({ parameters: { prompt: 'Hi', options } })).toEqual({
			labels: { top_k: 'a' },
			contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
			tools: [{ googleSearch: { timeRangeFilter: {} } }, { urlContext: {} }],
			generationConfig: {
				temperature: 0.5,
				maxOutputTokens: 5,
				mediaResolution: 'MEDIA_RESOLUTION_LOW',
				thinkingConfig: { includeThoughts: true, thinkingLevel: 'low' },
			},
		});
	});

	it('takes names for names', async () => {
		const extraFields = '{"__proto__":{"a":1},"constructor":{"b":2}}';
		const body = await bodyOf({ parameters: { prompt: 'Hi', options: { extraFields } } });
		expect(JSON.stringify(body)).toContain('"__proto__":{"a":1},"constructor":{"b":2}');
	});

	it('sends contents of extra fields as the first turns', async () => {
		const contents = [{ parts: [{ inline_data: { mime_type: 'image/png', data: 'AAAA' } }] }];
		const conversation = { turns: [{ role: 'model', text: 'A cat' }] };
		const options = { extraFields: JSON.stringify({ contents }) };
		expect(await bodyOf({ parameters: { prompt: 'Why?', conversation, options } })).toEqual({
			contents: [
				{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
				{ role: 'model', parts: [{ text: 'A cat' }] },
				{ role: 'user', parts: [{ text: 'Why?' }] },
			],
		});
	});

	it('may be asked by contents alone', async () => {
		const options = { extraFields: { contents: [{ parts: [{ text: 'Hi' }] }] } };
		const { contents } = await bodyOf({ parameters: { options } });
		expect(contents).toEqual([{ role: 'user', parts: [{ text: 'Hi' }] }]);
	});

	const NATIVE = { type: 'OBJECT', properties: { city: { type: 'STRING' } } };
	const WIDER = { type: 'object', properties: {}, additionalProperties: false };

	it.each([
		['no schema', '', {}],
		['a schema in native words', JSON.stringify(NATIVE), { responseSchema: NATIVE }],
		['a schema in wider words', JSON.stringify(WIDER), { responseJsonSchema: WIDER }],
		['a schema that is an object', '={{ $json }}', { responseJsonSchema: WIDER }],
		['a schema that allows anything', 'true', {}],
		['a schema as the editor begins it', '{}', {}],
	])('asks for JSON with %s', async (_what, jsonSchema, fields) => {
		const parameters = { prompt: 'Hi', jsonOutput: true, jsonSchema };
		const body = await bodyOf({ parameters, items: [{ json: WIDER as never }] });
		expect(body.generationConfig).toEqual({ responseMimeType: 'application/json', ...fields });
	});
});
