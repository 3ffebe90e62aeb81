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

describe('any valid stream', () => {
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
