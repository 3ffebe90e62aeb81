import type { INodeExecutionData } from 'n8n-workflow';

import type { Plan } from '../../../../sandbox/service';
import { orderOf } from '../../../support/stage';
import { onlyItem, useTextStage, wordsOf, type TextRun } from '../support/stage';

// Each shape is asked for at both endpoints: deployments mix them up.

const { stage, ask, listen, actions } = useTextStage();
const ENDPOINTS = [
	['whole', ask],
	['streamed', listen],
] as const;

/** All that an answer can hold, one thing in each chunk. */
const RICH: Plan = {
	says: 'Grüße. Es ist 😀. Ende.',
	thoughts: 'Hm',
	image: true,
	chunks: 7,
	sources: ['search', 'maps', 'url', 'failedUrl', 'citation'],
};

/** Without what n8n makes anew each time. */
const comparable = ({ json, binary }: INodeExecutionData) => ({
	json,
	files: Object.entries(binary ?? {}).map(([name, { data, fileName }]) => [name, data, fileName]),
});

describe('every shape of an answer is the same item', () => {
	const both = (form: Plan['wholeForm']): Plan => ({ wholeForm: form, streamForm: form });
	const rows: Array<[string, Plan]> = [
		['one object', both('object')],
		['lines', both('lines')],
		['a list with a reason in each chunk', { ...both('array'), reasonInEveryChunk: true }],
		['events', both('sse')],
	];

	it.each(rows)('%s', async (_what, shape) => {
		// As plans of the deployment: those of a prompt are counted as tokens of it.
		const itemOf = async (send: typeof ask, plan: Plan) => {
			stage.sandbox.set({ plan });
			return comparable(
				onlyItem(await send({}, { parameters: { options: { rawResponse: true } } })),
			);
		};
		const expected = await itemOf(ask, RICH);
		for (const [, send] of ENDPOINTS) {
			expect(await itemOf(send, { ...RICH, ...shape })).toEqual(expected);
		}
	});
});

describe('the item is the same as without streaming', () => {
	it.each<[string, Plan, TextRun?]>([
		['as events with keep-alives', { keepAlive: true }],
		['without a length', { text: 'noLength' }],
		['cut off by the token limit', {}, { parameters: { options: { maxOutputTokens: 3 } } }],
		['as JSON', {}, { parameters: { outputFormat: 'json' } }],
	])('%s', async (_what, plan, more = {}) => {
		const whole = await ask(plan, more);
		const streamed = await listen(plan, more);
		expect(actions()).toEqual(['generateContent', 'streamGenerateContent']);
		expect(comparable(onlyItem(streamed))).toEqual(comparable(onlyItem(whole)));
		expect(wordsOf(streamed.chunks)).toBe(onlyItem(whole).json.text);
		expect(orderOf(streamed.chunks)).toBe('begin item end');
		expect(streamed.hints()).toEqual(whole.hints());
	});

	it.each([1, 3])('in any script, in pieces of %i bytes', async (pieceBytes) => {
		stage.sandbox.set({ plan: { pieceBytes, chunks: 9 } });
		const prompt = 'Grüße 😀 – 你好';
		const result = await listen({}, { parameters: { prompt } });
		expect(onlyItem(result).json.text).toContain(prompt);
		expect(wordsOf(result.chunks)).toBe(onlyItem(result).json.text);
	});
});
