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
			tools: ['googleSearch', 'codeExecution'],
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
				thinkingConfig: { thinkingBudget: 0 },
				topK: 20,
				topP: 0.9,
				stopSequences: ['END'],
				responseModalities: ['TEXT', 'IMAGE'],
			},
			safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
			tools: [{ googleSearch: {} }, { codeExecution: {} }],
		});
	});

	it('takes extra fields along, but never in the place of what was set', async () => {
		const extraFields = JSON.stringify({
			labels: { team: 'a' },
			contents: [],
			tools: [{ urlContext: {} }],
			generationConfig: { temperature: 2, mediaResolution: 'MEDIA_RESOLUTION_LOW' },
		});
		const options = { temperature: 0.5, tools: ['googleSearch'], extraFields };
		expect(await bodyOf({ parameters: { prompt: 'Hi', options } })).toEqual({
			labels: { team: 'a' },
			contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
			tools: [{ googleSearch: {} }, { urlContext: {} }],
			generationConfig: { temperature: 0.5, mediaResolution: 'MEDIA_RESOLUTION_LOW' },
		});
	});

	const NATIVE = { type: 'OBJECT', properties: { city: { type: 'STRING' } } };
	const WIDER = { type: 'object', properties: {}, additionalProperties: false };

	it.each([
		['no schema', '', {}],
		['a schema in native words', JSON.stringify(NATIVE), { responseSchema: NATIVE }],
		['a schema in wider words', JSON.stringify(WIDER), { responseJsonSchema: WIDER }],
	])('asks for JSON with %s', async (_what, jsonSchema, fields) => {
		const parameters = { prompt: 'Hi', jsonOutput: true, jsonSchema };
		expect((await bodyOf({ parameters })).generationConfig).toEqual({
			responseMimeType: 'application/json',
			...fields,
		});
	});
});
