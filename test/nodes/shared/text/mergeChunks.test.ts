import type { IDataObject } from 'n8n-workflow';

import { createMerge } from '../../../../nodes/shared/text/mergeChunks';

const chunk = (parts: IDataObject[], more: IDataObject = {}): IDataObject => ({
	candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }],
});

function merge(...chunks: IDataObject[]) {
	const merged = createMerge();
	const words = chunks.map((one) => merged.add(one));
	return { words, answer: merged.answer() };
}

describe('createMerge', () => {
	it('joins the texts, and keeps thoughts apart', () => {
		const { words, answer } = merge(
			chunk([{ text: 'H', thought: true }]),
			chunk([{ text: 'm', thought: true }, { text: 'Bl' }]),
			chunk([{ text: 'ue' }], { finishReason: 'STOP' }),
		);
		expect(words).toEqual(['', 'Bl', 'ue']);
		expect(answer).toEqual({
			candidates: [
				{
					index: 0,
					finishReason: 'STOP',
					content: { role: 'model', parts: [{ text: 'Hm', thought: true }, { text: 'Blue' }] },
				},
			],
		});
	});

	it('keeps all that is no text, in its place', () => {
		const inlineData = { mimeType: 'image/png', data: 'AAAA' };
		const signed = { text: '!', thoughtSignature: 'abc' };
		const parts = [{ text: 'a' }, { inlineData }, { text: 'b' }, { text: 'c' }, signed];
		const { answer, words } = merge(...parts.map((part) => chunk([part])));
		const [{ content }] = answer.candidates as Array<{ content: IDataObject }>;
		expect(content.parts).toEqual([{ text: 'a' }, { inlineData }, { text: 'bc' }, signed]);
		expect(words.join('')).toBe('abc!');
	});

	it('takes the last word on everything else, but never silence', () => {
		const { answer } = merge(
			{ ...chunk([]), usageMetadata: { promptTokenCount: 1 }, modelVersion: 'm', responseId: 'r' },
			{
				...chunk([{ text: 'a' }], { finishReason: 'STOP', groundingMetadata: { chunks: [1] } }),
				usageMetadata: { promptTokenCount: 2, candidatesTokenCount: 9 },
			},
			{ ...chunk([], { finishReason: null, groundingMetadata: {} }), usageMetadata: null },
		);
		expect(answer).toEqual({
			candidates: [
				{
					index: 0,
					finishReason: 'STOP',
					groundingMetadata: { chunks: [1] },
					content: { role: 'model', parts: [{ text: 'a' }] },
				},
			],
			usageMetadata: { promptTokenCount: 2, candidatesTokenCount: 9 },
			modelVersion: 'm',
			responseId: 'r',
		});
	});

	it('puts candidates in order, and hears the first one only', () => {
		const part = (text: string, index?: number) => ({ content: { parts: [{ text }] }, index });
		const { words, answer } = merge(
			{ candidates: [part('b', 1)] },
			{ candidates: [part('a', 0), part('B', 1)] },
			{ candidates: [part('A')] },
		);
		const texts = (answer.candidates as Array<{ content: { parts: IDataObject[] } }>).map(
			({ content }) => content.parts,
		);
		expect(texts).toEqual([[{ text: 'aA' }], [{ text: 'bB' }]]);
		expect(words).toEqual(['', 'a', 'A']);
	});

	it.each([
		['a blocked prompt', { promptFeedback: { blockReason: 'SAFETY' } }],
		['no candidates', { candidates: [] }],
		['a candidate without parts', { candidates: [{ content: { role: 'model' } }] }],
	])('leaves %s as it is', (_what, answer) => {
		expect(merge(answer).answer).toEqual(answer);
	});

	it.each([[null], ['none'], [[null, 7, 'x']]])('survives %j for candidates', (candidates) => {
		expect(() => merge({ candidates } as never, chunk([{ text: 'a' }]))).not.toThrow();
	});

	it('survives parts and contents of any form', () => {
		const odd = [{ content: null }, { content: { parts: 'x' } }, { content: { parts: [null, 3] } }];
		expect(merge({ candidates: odd } as never).words).toEqual(['']);
	});

	it('changes no chunk', () => {
		const first = chunk([{ text: 'a' }]);
		const copy = structuredClone(first);
		merge(first, chunk([{ text: 'b' }]));
		expect(first).toEqual(copy);
	});
});
