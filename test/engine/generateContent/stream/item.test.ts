import type { INodeExecutionData } from 'n8n-workflow';

import type { Plan } from '../../../../sandbox/service';
import { onlyItem, STREAMING, type TextRun } from '../support/stage';
import { orderOf, useStreamStage, wordsOf } from '../support/streamStage';

const { stage, run, ask, listen, actions } = useStreamStage();

/** Without what n8n makes anew each time. */
const comparable = ({ json, binary }: INodeExecutionData) => ({
	json,
	binary: Object.entries(binary ?? {}).map(([name, { data, fileName, mimeType }]) => [
		name,
		data,
		fileName,
		mimeType,
	]),
});

describe('the item is the same as without streaming', () => {
	const UNICODE = { prompt: 'Grüße 😀 – 你好', options: { temperature: 0 } };
	const rows: Array<[string, Plan, TextRun?]> = [
		['as events', {}],
		['in fifty chunks', { chunks: 50 }],
		['as events with keep-alives', { keepAlive: true }],
		['without a length', { text: 'noLength' }],
		['cut off by the token limit', {}, { parameters: { options: { maxOutputTokens: 3 } } }],
		['as JSON', {}, { parameters: { outputFormat: 'json' } }],
	];

	it.each(rows)('%s', async (_what, plan, more = {}) => {
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
		const result = await run({ ...STREAMING, parameters: UNICODE });
		expect(onlyItem(result).json.text).toContain(UNICODE.prompt);
		expect(wordsOf(result.chunks)).toBe(onlyItem(result).json.text);
	});
});
