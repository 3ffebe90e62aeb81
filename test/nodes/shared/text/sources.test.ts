import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { createMerge } from '../../../../nodes/shared/text/mergeChunks';
import { readAnswer } from '../../../../nodes/shared/text/response';
import { findSegments } from '../../../../nodes/shared/text/segments';

const read = (...said: Array<{ text?: string; parts?: IDataObject[] } & IDataObject>) => {
	const merge = createMerge();
	for (const { text = '', parts = [{ text }], ...more } of said) {
		merge.add({ candidates: [{ content: { parts }, ...more }] });
	}
	return readAnswer(merge.answer()).candidates[0].sources;
};
const web = (...uris: string[]) => uris.map((uri) => ({ web: { uri } }));
const supported = (text: string, ...groundingChunkIndices: unknown[]) => ({
	segment: { text },
	groundingChunkIndices,
});
const wordsBy = (sources: ReturnType<typeof read>) =>
	Object.fromEntries(
		sources.map(({ uri, supports = [] }) => [uri, supports.map(({ text }) => text).join()]),
	);

describe('the places of sources', () => {
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

	it('may be told before the list', () => {
		const groundingSupports = [supported('B', 1)];
		const sources = read(
			{ groundingMetadata: { groundingSupports } },
			{ groundingMetadata: { groundingChunks: web('a', 'b') } },
		);
		expect(wordsBy(sources)).toEqual({ a: '', b: 'B' });
	});

	it('stay where a chunk is no source', () => {
		const groundingChunks = [null, { web: 7 }, {}, ...web('a')];
		const sources = read({
			groundingMetadata: { groundingChunks, groundingSupports: [supported('A', 3, -1, 'x', 0)] },
		});
		expect(wordsBy(sources)).toEqual({ a: 'A' });
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

it.each(['citations', 'citationSources'])('citations are sources (%s)', (name) => {
	const citation = { startIndex: 7, endIndex: 9, uri: 'a', license: 'mit' };
	expect(read({ text: 'Grüße du!', citationMetadata: { [name]: [citation] } })).toEqual([
		{ kind: 'citation', uri: 'a', license: 'mit', supports: [{ text: ' d', start: 5, end: 7 }] },
	]);
});

it('places count from the beginning of their part, where the service counts so', () => {
	const parts = [
		{ text: 'Hm', thought: true },
		{ text: 'Grüße ' },
		{ executableCode: {} },
		{ text: 'du' },
	];
	const segment = { partIndex: 3, endIndex: 2, text: 'du' };
	const groundingSupports = [{ segment, groundingChunkIndices: [0] }];
	const groundingMetadata = { groundingChunks: web('a'), groundingSupports };
	expect(read({ parts, groundingMetadata })[0].supports).toEqual([
		{ text: 'du', start: 6, end: 8 },
	]);
});

describe('findSegments', () => {
	it('finds in any script what stands between two bytes', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), fc.nat(), (text, one, other) => {
				const signs = Array.from(text);
				const [from, to] = [one, other].map((n) => n % (signs.length + 1)).sort((a, b) => a - b);
				const [before, inside] = [signs.slice(0, from), signs.slice(from, to)].map((s) =>
					s.join(''),
				);
				const startIndex = Buffer.byteLength(before);
				const range = { startIndex, endIndex: startIndex + Buffer.byteLength(inside) };
				const start = before.length;
				const wanted = inside && { text: inside, start, end: start + inside.length };
				expect(findSegments(text, [range])).toEqual([wanted || undefined]);
			}),
		);
	});

	it.each([
		['inside a character', { startIndex: 0, endIndex: 1 }, undefined],
		['behind the text', { startIndex: 0, endIndex: 99 }, undefined],
		['backwards', { startIndex: 2, endIndex: 0 }, undefined],
		['other words there', { startIndex: 0, endIndex: 2, text: 'x' }, { text: 'x' }],
		['no number', { startIndex: NaN, endIndex: Infinity }, undefined],
	])('has no place for %s', (_what, range, segment) => {
		expect(findSegments('äb', [range])).toEqual([segment]);
	});
});
