import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { createStreamReader } from '../../../../nodes/shared/text/eventStream';
import { CHUNKS, formNames, FORMS } from './support/streamForms';

/** Reads a body that comes in these pieces. */
function readAll(pieces: Array<Uint8Array | string>) {
	const reader = createStreamReader();
	const objects = [...pieces.flatMap((piece) => reader.read(piece)), ...reader.end()];
	return {
		objects,
		isClosed: reader.isClosed(),
		isBroken: reader.isBroken(),
		start: reader.start(),
	};
}

/** A body cut at these places, in bytes. */
function cut(body: string, places: number[]): Uint8Array[] {
	const bytes = new TextEncoder().encode(body);
	const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length];
	ends.sort((a, b) => a - b);
	return ends.map((end, i) => bytes.slice(i === 0 ? 0 : ends[i - 1], end));
}

describe('any valid stream', () => {
	it.each(formNames)('%s: is the same wherever it is cut in two', (name) => {
		const body = FORMS[name](CHUNKS);
		const places = Array.from({ length: new TextEncoder().encode(body).length + 1 }, (_, i) => i);
		const wanted = JSON.stringify([CHUNKS, false]);
		const wrong = places.filter((place) => {
			const { objects, isBroken } = readAll(cut(body, [place]));
			return JSON.stringify([objects, isBroken]) !== wanted;
		});
		expect(wrong).toEqual([]);
	});

	it.each(formNames)('%s: is the same byte by byte', (name) => {
		const body = FORMS[name](CHUNKS);
		const every = Array.from({ length: body.length * 4 }, (_, i) => i);
		expect(readAll(cut(body, every)).objects).toEqual(CHUNKS);
	});

	it('gives the same answer however it is cut', () => {
		const chunk = fc.dictionary(
			fc.string({ unit: 'binary' }),
			fc.oneof(fc.jsonValue(), fc.string({ unit: 'grapheme' }), fc.constantFrom('{', '"}', '\\')),
			{ minKeys: 1 },
		);
		fc.assert(
			fc.property(
				fc.array(chunk, { minLength: 1, maxLength: 4 }),
				fc.constantFrom(...formNames),
				fc.array(fc.nat(), { maxLength: 30 }),
				(chunks, name, places) => {
					// What JSON makes of a value: -0 is 0, half a surrogate pair is a replacement character.
					const sent = JSON.parse(JSON.stringify(chunks)) as IDataObject[];
					const body = FORMS[name](sent);
					const { objects, isBroken } = readAll(cut(body, places));
					expect(objects).toEqual(sent);
					expect(isBroken).toBe(false);
				},
			),
			{ numRuns: 500 },
		);
	});

	it('takes text as well as bytes', () => {
		const { objects } = readAll([...FORMS.events(CHUNKS)]);
		expect(objects).toEqual(CHUNKS);
	});

	it('gives a chunk as soon as its line has ended', () => {
		const reader = createStreamReader();
		expect(reader.read('data: {"a":1}')).toEqual([]);
		expect(reader.read('\r')).toEqual([{ a: 1 }]);
		expect(reader.read('\n\r\n')).toEqual([]);
		const list = createStreamReader();
		expect(list.read('[{"a":1}')).toEqual([{ a: 1 }]);
	});
});

describe('the end of a stream', () => {
	it.each([
		['a list', '[{"a":1},{"a":2}]', true, false],
		['a list without its bracket', '[{"a":1}', false, true],
		['a list cut inside an object', '[{"a":1},{"a', false, true],
		['an object', '{"a":1}', true, false],
		['an object cut short', '{"a":1', false, true],
		['lines, which have no end', '{"a":1}\n{"a":2}\n', false, false],
		['events, which have no end', 'data: {"a":1}\n\n', false, false],
		['events with an end', 'data: {"a":1}\n\ndata: [DONE]', true, false],
		['an event cut short', 'data: {"a":1}\n\ndata: {"a"', false, true],
		['an event without its second half', 'data: {"a":\n\ndata: {"a":2}\n\n', false, true],
		['an event that is no JSON', 'data: {"a":1,}\n\ndata: [DONE]\n\n', false, true],
		['a word instead of JSON', 'data: {nonsense}\n\n', false, true],
	])('%s', (_what, body, isClosed, isBroken) => {
		const read = readAll([body]);
		expect([read.isClosed, read.isBroken]).toEqual([isClosed, isBroken]);
		expect(read.objects.every((object) => 'a' in object)).toBe(true);
	});

	it('goes on behind an event that was not whole', () => {
		const { objects } = readAll(['data: {"a":"\n\ndata: {"a":2}\n\n']);
		expect(objects).toEqual([{ a: 2 }]);
	});
});

describe('what is no stream of objects', () => {
	it.each(['', ' \n', '<html><body>{}</body></html>', 'Bad gateway', '42', '"ok {"', '[]'])(
		'%j has none',
		(body) => {
			const { objects, start } = readAll([body]);
			expect([objects, start]).toEqual([[], body]);
		},
	);

	it('keeps only the beginning of what it was', () => {
		const { start } = readAll(['x'.repeat(60_000), 'y'.repeat(10_000_000)]);
		expect(start).toHaveLength(65_536);
		expect(start.slice(59_999)).toBe(`x${'y'.repeat(5_536)}`);
	});
});
