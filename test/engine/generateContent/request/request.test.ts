import { byId } from '../../../support/stage';
import { TEXT_MODEL, TYPE, useTextStage } from '../support/stage';

const { stage, requests, bodyOf } = useTextStage();

describe('the request', () => {
	it('is the documented one and nothing else', async () => {
		expect(await bodyOf({ parameters: { prompt: 'Name a colour' } })).toEqual({
			contents: [{ role: 'user', parts: [{ text: 'Name a colour' }] }],
		});
		const [{ method, url }] = requests();
		expect(`${method} ${url}`).toBe(`POST /v1beta/models/${TEXT_MODEL}:generateContent`);
	});

	it('leaves out options that are there but empty', async () => {
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
		expect(await bodyOf({ parameters })).toEqual({
			contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
		});
	});

	it('carries instruction, conversation and prompt in order', async () => {
		const json = JSON.stringify([
			{ role: 'user', text: 'Minus', parts: [{ text: ' one' }] },
			{ role: 'model', text: 'Zero' },
		]);
		const turns = [
			{ role: 'json', json },
			{ role: 'user', text: 'One' },
			{ role: 'model', text: 'Two' },
		];
		const parameters = {
			prompt: ' Three\n',
			systemInstruction: 'Count',
			options: { conversation: { turns } },
		};
		expect(await bodyOf({ parameters })).toEqual({
			systemInstruction: { parts: [{ text: 'Count' }] },
			contents: [
				{ role: 'user', parts: [{ text: 'Minus' }, { text: ' one' }] },
				{ role: 'model', parts: [{ text: 'Zero' }] },
				{ role: 'user', parts: [{ text: 'One' }] },
				{ role: 'model', parts: [{ text: 'Two' }] },
				{ role: 'user', parts: [{ text: ' Three\n' }] },
			],
		});
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
		const additionalFields = JSON.stringify({
			labels: { top_k: 'a' },
			contents: [],
			tools: [{ functionDeclarations: [{ name: 'now' }] }],
			generationConfig: {
				temperature: 2,
				maxOutputTokens: 9,
				mediaResolution: 'MEDIA_RESOLUTION_LOW',
				thinkingConfig: { includeThoughts: true, thinkingLevel: 'high' },
			},
		});
		const options = {
			...{ temperature: 0.5, maxOutputTokens: 5, builtInTools: ['googleSearch'] },
			thinking: { level: 'low' },
			additionalFields,
		};
		stage.sandbox.set({ models: { text: ['my-gemini'] } });
		const parameters = { model: byId('my-gemini'), prompt: 'Hi', options };
		expect(await bodyOf({ parameters })).toEqual({
			labels: { top_k: 'a' },
			contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
			tools: [{ googleSearch: {} }, { functionDeclarations: [{ name: 'now' }] }],
			generationConfig: {
				temperature: 2,
				maxOutputTokens: 9,
				mediaResolution: 'MEDIA_RESOLUTION_LOW',
				thinkingConfig: { includeThoughts: true, thinkingLevel: 'high' },
			},
		});
	});
});

describe('the list of models', () => {
	const list = async () =>
		await stage.engine.listSearch({ type: TYPE }, 'searchTextModels', {
			credentials: { geminiCompatibleApi: stage.credentials.geminiCompatibleApi as never },
			filter: '3-FLASH',
		});

	it.each([true, false])('is there where the service lists models: %s', async (listings) => {
		stage.sandbox.set({ listings });
		const name = 'gemini-3-flash-preview';
		expect(await list()).toEqual({ results: [{ name, value: name }] });
	});
});
