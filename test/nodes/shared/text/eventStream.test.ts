import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { createStreamReader } from '../../../../nodes/shared/text/eventStream';
import { formNames, FORMS } from './support/streamForms';

/** Reads a body that comes in these pieces. */
function readAll(pieces: Array<Uint8Array | string>) {
	const reader = createStreamReader();
	const objects = [...pieces.flatMap((piece) => reader.read(piece)), ...reader.end()];
	const { start, isBroken, isCutOff, hasEnd } = reader.body;
	const ends = { broken: isBroken, 'cut off': isCutOff, closed: hasEnd, '': true };
	return { objects, end: Object.entries(ends).find(([, isSo]) => isSo)?.[0], start };
}

/** A body cut at these places, in bytes. */
function cut(body: string, places: number[]): Uint8Array[] {
	const bytes = new TextEncoder().encode(body);
	const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length];
	ends.sort((a, b) => a - b);
	return ends.map((end, i) => bytes.slice(i === 0 ? 0 : ends[i - 1], end));
}

describe('any valid stream', () => {
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
					const { objects, end } = readAll(cut(body, places));
					expect(objects).toEqual(sent);
					expect(['', 'closed']).toContain(end);
				},
			),
			{ numRuns: 500 },
		);
	});

	it.each(formNames)('is the same cut at each of its bytes, and never whole before: %s', (name) => {
		const sent = [{ text: 'a \u00e9\u65e0\ud83d\ude00 "{\\' }, { done: [true, { a: 1 }] }];
		const bytes = new TextEncoder().encode(FORMS[name](sent));
		const whole = readAll([bytes]);
		expect(whole.objects).toEqual(sent);
		for (let at = 0; at <= bytes.length; at++) {
			expect(readAll([bytes.slice(0, at), bytes.slice(at)])).toEqual(whole);
			// What came before a cut is a beginning of what was sent, and no half of an object.
			const { objects } = readAll([bytes.slice(0, at)]);
			expect(objects).toEqual(sent.slice(0, objects.length));
		}
		expect(readAll([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
	});

	it('gives a chunk as soon as its line has ended', () => {
		const reader = createStreamReader();
		expect(reader.read('data: {"a":1}')).toEqual([]);
		expect(reader.read('\r')).toEqual([{ a: 1 }]);
		expect(reader.read('\n\r\n')).toEqual([]);
	});
});

describe('the end of a stream', () => {
	it.each([
		['a list without its bracket', '[{"a":1}', 'cut off'],
		['a list cut inside an object', '[{"a":1},{"a', 'cut off'],
		['an object cut short', '{"a":1', 'cut off'],
		['lines, which have no end', '{"a":1}\n{"a":2}\n', ''],
		['events with an end right behind the last', 'data: {"a":\ndata: 1}\ndata: [DONE]', 'closed'],
		['an event cut short at the end of a line', 'data: {"a":1}\n\ndata: {"a"\n', 'cut off'],
		['an event without its second half', 'data: {"a":\n\ndata: {"a":2}\n\n', 'broken'],
		['an event that is no JSON', 'data: {"a":1,}\n\ndata: [DONE]\n\n', 'broken'],
		['a list with an object that is no JSON', '[{"a":1},{nonsense}]', 'broken'],
	])('%s', (_what, body, end) => {
		const read = readAll([body]);
		expect(read.end).toBe(end);
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
