import fc from 'fast-check';

import { parseExactJson, withoutFiles } from '../../../../nodes/shared/lib/json';
import { runs } from '../../../support/runs';

describe('parseExactJson', () => {
	it.each([
		['{"id":1234567890123456789}', { id: '1234567890123456789' }],
		['{"id": -9007199254740993 }', { id: '-9007199254740993' }],
		['[9007199254740991,9007199254740992]', [9007199254740991, '9007199254740992']],
		['{"id":9007199254740993.0}', { id: '9007199254740993.0' }],
		['[9.007199254740993e15, 9.007199254740994E+15]', ['9.007199254740993e15', 9007199254740994]],
		['[1.7976931348623157e308, 1e22]', [1.7976931348623157e308, 1e22]],
		['18446744073709551615', '18446744073709551615'],
		['{"n":12.3456789012345678}', { n: 12.345678901234567 }],
		['{"n":0.1234567890123456789}', { n: 0.12345678901234568 }],
		['{"t":"a \\" 1234567890123456789, \\\\"}', { t: 'a " 1234567890123456789, \\' }],
		['{"1234567890123456789":1}', { '1234567890123456789': 1 }],
	])('reads %s', (json, value) => {
		expect(parseExactJson(json)).toEqual(value);
	});

	it.each(['', '{"id":1234567890123456789', '"1234567890123456789', '\\1234567890123456789', 'no'])(
		'takes %j for no JSON',
		(text) => expect(parseExactJson(text)).toBeUndefined(),
	);

	it('reads everything else as JSON.parse does', () => {
		const isRounded = (value: unknown) =>
			Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(Number(value)) < 1e21;
		fc.assert(
			fc.property(fc.json({ maxDepth: 4 }), (json) => {
				const exact = (_name: string, value: unknown) => (isRounded(value) ? String(value) : value);
				expect(parseExactJson(json)).toEqual(JSON.parse(json, exact));
			}),
			{ numRuns: runs(2_000) },
		);
	});

	it('keeps every digit of a number among texts that look like one', () => {
		const number = fc.bigInt({ min: 2n ** 53n, max: 2n ** 200n });
		const text = fc.oneof(fc.string(), number.map(String), fc.constantFrom('\\', '"', '\\"', '{"'));
		fc.assert(
			fc.property(number, text, text, (id, before, after) => {
				const json = `{${JSON.stringify(before)}:[${JSON.stringify(after)},${id}]}`;
				expect(parseExactJson(json)).toEqual({ [before]: [after, String(id)] });
			}),
			{ numRuns: runs(2_000) },
		);
	});
});

it.each([
	['a file', { id: 'a', input: { image: 'A'.repeat(100_001) } }],
	['something nested deeply', JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown],
])('withoutFiles gives up no answer, whatever it holds: %s', (_name, answer) => {
	const kept = withoutFiles(answer);
	expect(kept === answer || JSON.stringify(kept).length < 100).toBe(true);
});
