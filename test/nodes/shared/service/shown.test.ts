import fc from 'fast-check';

import { MAX_DEPTH, toJson } from '../../../../nodes/shared/lib/bounded';
import { createRedaction } from '../../../../nodes/shared/service/redact';
import { createShow } from '../../../../nodes/shared/service/shown';

const KEY = 'sk-Secret/key+1';
const show = createShow(createRedaction(KEY));
const nested = (depth: number, inside: unknown = 1): unknown =>
	Array.from({ length: depth }).reduce((value) => [value], inside);

const anyJson = fc.jsonValue({ maxDepth: 5 });
/** An escape may go on in the text behind it. */
const anyUnescaped = anyJson.filter((value) => !/[\\%&]/.test(JSON.stringify(value)));

describe('any JSON', () => {
	it('is shown as it is where no key is in it, and is never changed itself', () => {
		fc.assert(
			fc.property(anyJson, (value) => {
				const before = JSON.stringify(value);
				expect(JSON.stringify(show(value))).toBe(before);
				expect(JSON.stringify(value)).toBe(before);
			}),
		);
	});

	it('shows no key, wherever it stands and wherever it is cut', () => {
		const names = fc.constantFrom('text', 'a', 'toString', '__proto__', 'constructor');
		fc.assert(
			fc.property(anyUnescaped, names, fc.nat({ max: KEY.length }), (other, name, cut) => {
				const [head, tail] = [KEY.slice(0, cut), KEY.slice(cut)];
				const parts = [{ [name]: head }, { [name]: tail }];
				const value = { other, parts, list: [other, head, tail], [KEY]: { KEY } };
				const shown = show(JSON.parse(JSON.stringify(value))) as typeof value;
				const texts = shown.parts.map((part) => Object.values(part)[0]);
				expect([texts.join(''), shown.list.slice(1).join('')]).not.toContain(KEY);
				expect(JSON.stringify(shown)).not.toContain(KEY);
				expect(JSON.stringify(shown.other)).toBe(JSON.stringify(other));
			}),
		);
	});

	it('blanks out a key that is cut between parts with something else in between', () => {
		const parts = [
			{ text: `a ${KEY.slice(0, 6)}`, signature: 'x' },
			{ thought: false, kind: 'y', text: KEY.slice(6) },
		];
		expect(show(parts).map(({ text }) => text)).toEqual(['a [API key]', '[API key]']);
	});

	it.each([MAX_DEPTH, MAX_DEPTH + 1, 5_000, 200_000])('can be stored from %i levels', (depth) => {
		const stored = JSON.stringify(show({ deep: nested(depth, KEY) }));
		expect(stored.includes('nested deeper')).toBe(depth >= MAX_DEPTH);
		expect(stored).not.toContain(KEY);
		expect(toJson(nested(depth)).length).toBeGreaterThan(0);
	});
});

it('what is no JSON stays what it is', () => {
	const date = new Date();
	const bytes = Buffer.from('x');
	expect(show({ date, bytes, none: undefined })).toEqual({ date, bytes, none: undefined });
});
