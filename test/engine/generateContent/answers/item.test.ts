import type { IDataObject } from 'n8n-workflow';

import type { LiteralAnswer } from '../../../../sandbox/service';
import { answerWith, oneCandidate, SAID } from '../support/answers';
import { onlyItem, TEXT_MODEL, useTextStage } from '../support/stage';

const { stage, run, ask } = useTextStage();

describe('the item', () => {
	it('is text, reason, usage and model', async () => {
		const item = onlyItem(await ask({}));
		expect(item).toEqual({
			json: {
				text: SAID,
				finishReason: 'STOP',
				usageMetadata: {
					promptTokenCount: expect.any(Number),
					candidatesTokenCount: expect.any(Number),
					totalTokenCount: expect.any(Number),
					promptTokensDetails: expect.any(Array),
				},
				model: TEXT_MODEL,
				modelVersion: TEXT_MODEL,
				responseId: 'sandbox-response',
			},
			pairedItem: { item: 0 },
		});
	});

	it('has the whole answer in response when Simplify is off', async () => {
		const { json } = onlyItem(await ask({}, { parameters: { simplify: false } }));
		expect(json).toMatchObject({ text: SAID, finishReason: 'STOP', model: TEXT_MODEL });
		expect(json.response).toMatchObject({
			candidates: [{ content: { parts: [{ text: SAID }] } }],
			responseId: 'sandbox-response',
		});
	});

	it('has its thoughts beside its text, and all its other parts in it', async () => {
		const parts = [{ text: 'Hm', thought: true }, { text: 'Blue' }, {}, { text: ', green' }];
		const { json } = onlyItem(await ask(answerWith({ candidates: [{ content: { parts } }] })));
		expect(json).toEqual({
			text: 'Blue, green',
			thoughts: 'Hm',
			finishReason: 'FINISH_REASON_UNSPECIFIED',
			usageMetadata: {},
			model: TEXT_MODEL,
		});
		expect(onlyItem(await ask({ thoughts: 'Hm' })).json).toMatchObject({
			text: SAID,
			thoughts: 'Hm',
		});
	});

	it('has all candidates beside the text of the first', async () => {
		const { json } = onlyItem(await ask({ candidates: 2 }));
		const candidate = { text: SAID, finishReason: 'STOP' };
		expect(json).toMatchObject({ ...candidate, candidates: [candidate, candidate] });
	});

	it('has the text of the first candidate that may pass', async () => {
		const candidates = [
			{ content: { parts: [{ text: 'Bl' }] }, finishReason: 'SAFETY' },
			{ content: { parts: [{ text: 'Green' }] }, finishReason: 'STOP' },
		];
		const { json } = onlyItem(await ask(answerWith({ candidates })));
		expect(json).toMatchObject({ text: 'Green', finishReason: 'STOP' });
		expect(json.candidates).toEqual([
			{ text: 'Bl', finishReason: 'SAFETY' },
			{ text: 'Green', finishReason: 'STOP' },
		]);
	});

	it('has zeros and nulls of the usage as they came', async () => {
		const { json } = onlyItem(await ask({ nullUsage: true }));
		expect(json.usageMetadata).toEqual({
			promptTokenCount: null,
			candidatesTokenCount: 0,
			totalTokenCount: null,
		});
	});

	it('adds to the token count that n8n keeps, where it keeps one', async () => {
		const { text } = oneCandidate('Blue');
		const result = await ask(
			{ text: { always: text as LiteralAnswer } },
			{ items: [{ json: {} }, { json: {} }] },
		);
		const counted = { inputTokens: 6, outputTokens: 24 };
		const { metadata } = result.runs()[0];
		expect(metadata?.tokenUsage).toEqual(stage.engine.version === '1' ? undefined : counted);
		// Without thoughts there is no count of them.
		const plain = await ask({});
		const { candidatesTokenCount } = onlyItem(plain).json.usageMetadata as IDataObject;
		if (stage.engine.version === '1') return;
		expect(plain.runs()[0].metadata?.tokenUsage).toMatchObject({
			outputTokens: candidatesTokenCount,
		});
	});
});

it('an agent gets the text and the reason, nothing else', async () => {
	const node = { rewireOutputLogTo: 'ai_tool' };
	const result = await ask({ image: true }, { node, parameters: { simplify: false } });
	expect(result.runs()[0].data?.ai_tool[0]).toEqual([
		{ json: { text: SAID, finishReason: 'STOP' }, pairedItem: { item: 0 } },
	]);
});

it('no item is ever changed', async () => {
	const items = [{ json: { prompt: 'Hi', deep: { a: 1 } } }];
	const result = await run({ parameters: { prompt: '={{ $json.prompt }}' }, items });
	expect(result.outputs('Start')[0].map(({ json }) => json)).toEqual([
		{ prompt: 'Hi', deep: { a: 1 } },
	]);
});
