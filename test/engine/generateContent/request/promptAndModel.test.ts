import { byId } from '../../../support/stage';
import { TEXT_MODEL, TYPE, useTextStage } from '../support/stage';

const { stage, asked, bodyOf } = useTextStage();

describe('the request', () => {
	it('is the documented one and nothing else', async () => {
		expect(await bodyOf({ parameters: { prompt: 'Name a colour' } })).toEqual({
			contents: [{ role: 'user', parts: [{ text: 'Name a colour' }] }],
		});
		const [{ method, url }] = asked();
		expect(`${method} ${url}`).toBe(`POST /v1beta/models/${TEXT_MODEL}:generateContent`);
	});

	it('leaves out options that are there but empty', async () => {
		const options = {
			temperature: '',
			thinkingBudget: null,
			thinkingLevel: '',
			stopSequences: [],
			tools: [],
			responseModalities: [],
			safetySettings: {},
			extraFields: '{}',
			conversationJson: '[]',
		};
		const parameters = { prompt: 'Hi', systemInstruction: '  ', images: ' , ', options };
		expect(await bodyOf({ parameters })).toEqual({
			contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
		});
	});

	it('carries instruction, conversation and prompt in order', async () => {
		const turns = [
			{ role: 'user', text: 'One' },
			{ role: 'model', text: 'Two' },
		];
		const conversationJson = JSON.stringify([
			{ role: 'user', parts: [{ text: 'Minus one' }] },
			{ role: 'model', text: 'Zero' },
		]);
		const parameters = {
			prompt: ' Three\n',
			systemInstruction: 'Count',
			conversation: { turns },
			options: { conversationJson },
		};
		expect(await bodyOf({ parameters })).toEqual({
			systemInstruction: { parts: [{ text: 'Count' }] },
			contents: [
				{ role: 'user', parts: [{ text: 'Minus one' }] },
				{ role: 'model', parts: [{ text: 'Zero' }] },
				{ role: 'user', parts: [{ text: 'One' }] },
				{ role: 'model', parts: [{ text: 'Two' }] },
				{ role: 'user', parts: [{ text: ' Three\n' }] },
			],
		});
	});

	it('takes a conversation that ends with the user as the question', async () => {
		const conversation = { turns: [{ role: 'user', text: 'One' }] };
		const { contents } = await bodyOf({ parameters: { conversation } });
		expect(contents).toEqual([{ role: 'user', parts: [{ text: 'One' }] }]);
	});

	it('takes a conversation from an expression', async () => {
		const history = [
			{ role: 'user', text: 'One' },
			{ role: 'model', text: 'Two' },
		];
		const options = { conversationJson: '={{ $json.history }}' };
		const parameters = { prompt: 'Three', options };
		const { contents } = await bodyOf({ parameters, items: [{ json: { history } }] });
		expect(contents).toHaveLength(3);
	});

	it.each([
		[`models/${TEXT_MODEL}`, `/v1beta/models/${TEXT_MODEL}:generateContent`],
		['my model/v1?', '/v1beta/models/my%20model%2Fv1%3F:generateContent'],
	])('asks the model %s at its address', async (value, path) => {
		stage.sandbox.set({ models: { text: [TEXT_MODEL, 'my model/v1?'] } });
		await bodyOf({ parameters: { prompt: 'Hi', model: byId(value) } });
		expect(asked()[0].path).toBe(path);
	});
});

describe('the list of models', () => {
	const list = async () =>
		await stage.engine.listSearch({ type: TYPE }, 'searchTextModels', {
			credentials: { nativeTextApi: stage.credentials.nativeTextApi as never },
			filter: '2.5-FLASH',
		});

	it.each([true, false])(
		'is there whether or not the service lists models (%s)',
		async (listings) => {
			stage.sandbox.set({ listings });
			expect(await list()).toEqual({ results: [{ name: TEXT_MODEL, value: TEXT_MODEL }] });
		},
	);
});
