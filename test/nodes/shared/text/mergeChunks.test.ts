import type { IDataObject } from 'n8n-workflow';

import { createMerge } from '../../../../nodes/shared/text/mergeChunks';
import { readAnswer } from '../../../../nodes/shared/text/response';

const chunk = (parts: IDataObject[], more: IDataObject = {}): IDataObject => ({
	candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }],
});

function merge(...chunks: IDataObject[]) {
	const merged = createMerge();
	for (const one of chunks) merged.add(one);
	return { answer: merged.answer() };
}

describe('createMerge', () => {
	it('takes the last word on everything else, but never silence', () => {
		const { answer } = merge(
			{ ...chunk([]), usageMetadata: { promptTokenCount: 1 }, modelVersion: 'm', responseId: 'r' },
			{
				...chunk([{ text: 'a' }], { finishReason: 'STOP', groundingMetadata: { chunks: [1] } }),
				usageMetadata: { promptTokenCount: 2, candidatesTokenCount: 9 },
			},
			{
				...chunk([], { finishReason: null, groundingMetadata: {} }),
				usageMetadata: null,
				modelVersion: {},
			},
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

	it.each([
		['SAFETY', 'STOP', 'SAFETY'],
		['SAFETY', 'MAX_TOKENS', 'SAFETY'],
		['STOP', 'MAX_TOKENS', 'MAX_TOKENS'],
	])('takes of the reasons %j and %j the one that says more', (first, later, finishReason) => {
		const { answer } = merge(
			...[first, later].map((reason) => chunk([], { finishReason: reason })),
		);
		expect(answer.candidates).toMatchObject([{ finishReason }]);
	});

	it.each([[null], ['none'], [[null, 7, 'x']]])('survives %j for candidates', (candidates) => {
		expect(() => merge({ candidates } as never, chunk([{ text: 'a' }]))).not.toThrow();
	});

	it('takes any name for a name', () => {
		const hostile = JSON.parse('{"__proto__":{"a":1},"constructor":{"b":1}}') as IDataObject;
		merge(hostile, { usageMetadata: hostile }, chunk([{ text: 'a' }], hostile));
		expect([({} as IDataObject).a, ({} as IDataObject).b]).toEqual([undefined, undefined]);
	});
});

const read = (...chunks: Array<{ text?: string; parts?: IDataObject[] } & IDataObject>) => {
	const merge = createMerge();
	for (const { text = '', parts = [{ text }], ...more } of chunks) {
		merge.add({ candidates: [{ content: { parts }, ...more }] });
	}
	return readAnswer(merge.answer()).candidate!.sources;
};
const web = (...uris: string[]) => uris.map((uri) => ({ web: { uri } }));
const supported = (text: string, ...groundingChunkIndices: unknown[]) => ({
	segment: { text },
	groundingChunkIndices,
});
const wordsBy = (sources: ReturnType<typeof read>) =>
	Object.fromEntries(
		sources.map(({ uri, supports = [] }) => [String(uri), supports.map(({ text }) => text).join()]),
	);

describe('the places of sources', () => {
	it.each(['__proto__', 'map', 'length'])('are numbers, and not %p', (place) => {
		const groundingMetadata = {
			groundingChunks: web('https://a.example'),
			groundingSupports: [supported('OWNED', place)],
		};
		expect(wordsBy(read({ text: 'a', groundingMetadata }))).toEqual({ 'https://a.example': '' });
		expect(wordsBy(read({ text: 'a' }, { groundingMetadata }))).toEqual({
			'https://a.example': '',
		});
		expect(([] as { supports?: unknown }).supports).toBeUndefined();
	});

	it('are those of the list beside them, and else those of all chunks', () => {
		const sources = read(
			{
				groundingMetadata: {
					groundingChunks: web('a', 'b'),
					groundingSupports: [supported('A', 0)],
				},
			},
			{ groundingMetadata: { groundingChunks: web('c'), groundingSupports: [supported('C', 0)] } },
			{ groundingMetadata: { groundingChunks: web('d'), groundingSupports: [supported('D', 3)] } },
			{ groundingMetadata: { groundingSupports: [supported('BC', 1, 2), supported('none', 9)] } },
		);
		expect(wordsBy(sources)).toEqual({ a: 'A', b: 'BC', c: 'C,BC', d: 'D' });
	});
});

it('one address is one source, and the last status of its page counts', () => {
	const page = (status: string) => ({
		urlContextMetadata: { urlMetadata: [{ retrievedUrl: 'a', urlRetrievalStatus: status }] },
	});
	const found = { groundingMetadata: { groundingChunks: [{ web: { uri: 'a', title: 'A' } }] } };
	expect(read(page('ERROR'), found, page('SUCCESS'))).toEqual([
		{ kind: 'web', uri: 'a', title: 'A', status: 'SUCCESS' },
	]);
});
