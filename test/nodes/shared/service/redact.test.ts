import fc from 'fast-check';

import { MAX_DEPTH, toJson } from '../../../../nodes/shared/lib/json';
import { createRedaction } from '../../../../nodes/shared/service/redact';
import { quoteBody } from '../../../../nodes/shared/service/serviceWords';
import { FORMS } from '../../../support/keyForms';

const KEY = 'sk-Secret/key+1';
const LONG = 'sk-0123456789abcdefghijklmnopqrstuvw';
const { redact, redactPieces, show } = createRedaction(KEY);

function inPieces(pieces: string[]) {
	const shown = redactPieces();
	return [...pieces.map((piece) => shown.add(piece)), shown.end()];
}

describe('a key that was typed with its scheme', () => {
	it.each([`Bearer ${KEY}`, `  bearer  ${KEY} `])('is blanked out without it: %s', (typed) => {
		const shown = createRedaction(typed).redact(`no such key: ${KEY}, ${encodeURIComponent(KEY)}`);
		expect(shown).toBe('no such key: [API key] [API key]');
	});
});

describe.each(Object.entries(FORMS))('%s', (_form, write) => {
	it.each([KEY, 'sandbox-key', `sk-${'aB3x'.repeat(12)}`, `ey.${'J9_-'.repeat(300)}`])(
		'tells nothing of %s',
		(key) => {
			const shown = createRedaction(key).redact(`no such key: <${write(key)}>, sorry`);
			expect(shown).toBe('no such key: [API key] sorry');
		},
	);

	it('does so also where two thirds of it are there', () => {
		const written = write(LONG);
		const shown = createRedaction(LONG);
		for (let length = 1; length < written.length; length++) {
			expect(shown.redact(`no such key: ${written.slice(0, length)}...`)).not.toContain(
				written.slice(0, Math.ceil((2 / 3) * written.length)),
			);
		}
	});

	it('leaves none of it where an answer is quoted up to the middle of it', () => {
		for (let length = 400; length < 500; length++) {
			const told = redact(
				quoteBody(`${'x '.repeat(length / 2)}"${write(KEY)}" and more words, so many`)!,
			);
			expect(told).toMatch(/^(?:x )+"?(?:\[API key\].*)?(?:\.{3})?$/);
		}
	});
});

describe('a part of a key', () => {
	const long = createRedaction(LONG);

	it('is hidden if it is the first or the last half of the key', () => {
		for (const half of [LONG.slice(0, LONG.length / 2), LONG.slice(-LONG.length / 2)]) {
			for (const text of [half, `...${half}...`, `(${half}, ${half}\\n`, half.toUpperCase()]) {
				expect(long.redact(`a ${text}`).replace(', [', ' [')).toMatch(/^a( \[API key\])+$/);
			}
			expect(long.redact(`a ${half.slice(2)} b`)).toBe(`a ${half.slice(2)} b`);
		}
	});

	it.each([
		LONG,
		KEY,
		`ak-${'9'.repeat(40)}`,
		`sk-${'aB3x'.repeat(12)}`,
		'sk-12345678901234567890-abc',
	])('is hidden if it is any half of the key, with dots or without: %s', (key) => {
		const shown = createRedaction(key);
		const half = Math.max(12, Math.ceil(key.length / 2));
		for (let from = 0; from + half <= key.length; from++) {
			const part = key.slice(from, from + half);
			if (/^\d{1,15}$/.test(part)) continue;
			for (const text of [`the key ${part} is wrong`, `"${part}"`, `${part}...`, `x${part}`]) {
				expect(shown.redact(text)).not.toContain(part);
			}
		}
	});

	it('is hidden as half of any form, as far as that has characters of its own', () => {
		for (const [form, write] of Object.entries(FORMS)) {
			if (!/capital|small|hexadecimal|base64$|without/.test(form)) continue;
			const written = write(LONG);
			const half = Math.ceil(written.length / 2);
			for (let from = 0; from + half <= written.length; from++) {
				const part = written.slice(from, from + half);
				expect([form, long.redact(`a ${part} b`)]).toEqual([form, 'a [API key] b']);
			}
		}
	});

	it.each<[string, string]>([
		['a mask', `${LONG.slice(0, 10)}***${LONG.slice(-10)}`],
		['dots', `${LONG.slice(0, 5)}...${LONG.slice(-15)}`],
		['crosses', `${LONG.slice(0, 10)}xxxxxxxx${LONG.slice(-10)}`],
		['a sign for dots', `${LONG.slice(0, 10)}\u2026${LONG.slice(-10)}`],
		['line breaks', LONG.replace(/.{10}/g, '$&\n')],
		['escaped line breaks', LONG.replace(/.{10}/g, '$&\\r\\n')],
		['signs without width', [...LONG].join('\u200b')],
		['joiners', [...LONG].join('\u034f')],
	])('is hidden with this in between: %s', (_what, written) => {
		const shown = long.redact(`the key ${written} is wrong`);
		expect(shown).toContain('[API key]');
		expect(shown).not.toContain(written.slice(0, 5));
	});

	it('is shown if it is short: words, numbers, and the key in its masked form', () => {
		const text = 'To be continued...later, sk-Se...ey+1 and sk-Secret/k';
		expect(redact(text)).toBe(text);
		expect(inPieces([...text]).join('')).toBe(text);
		const number = createRedaction('12345678901234567890');
		expect(number.redact('123456789012345 5678901234567890')).toBe('123456789012345 [API key]');
		const address = 'https://sandbox-files.example.com/sandbox-k';
		expect(createRedaction('sandbox-key').redact(address)).toBe(address);
		// In JSON, a key of digits alone may be a number.
		const shown = createRedaction('1234567890123456').show([1234567890123456, 1234567890]);
		expect(shown).toEqual(['[API key]', 1234567890]);
	});
});

it('a key with a space or an umlaut in it is found', () => {
	const odd = createRedaction('Schl\u00fcssel zum Dienst');
	expect(odd.redact('\uff0cder "Schl\u00fcssel zum Dienst"\uff0c')).toBe('[API key]');
	expect(odd.redact('\nkey=Schl%C3%BCssel%20zum%20Dienst\n')).toBe('\n[API key]\n');
});

it('words in other signs around a key stay', () => {
	expect(redact(`\u65e0\u6548\u7684\u4ee4\u724c${KEY}\uff0c\u8bf7`)).toBe(
		'\u65e0\u6548\u7684\u4ee4\u724c[API key]\uff0c\u8bf7',
	);
});

describe('what is no key', () => {
	it.each(['', '1234567', '1712345678', 'sk-1234', 'Bearer abc'])(
		'stays what it is, since nobody can tell the key %j from it',
		(key) => {
			const { redact: shown, redactPieces: pieces } = createRedaction(key);
			const text = 'abc 1712345678 123456 sk-1234567 YWJj';
			expect(shown(text)).toBe(text);
			expect(pieces().add(text)).toBe(text);
		},
	);

	it('stays what it is beside a key', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
				expect(redact(text)).toBe(text);
				expect(inPieces([...text]).join('')).toBe(text);
			}),
		);
	});
});

describe('a text in pieces', () => {
	it('never shows a key that is cut between two', () => {
		fc.assert(
			fc.property(
				fc.array(
					fc.constantFrom(KEY, encodeURIComponent(KEY), 'sk-Secret/ke...', 'sk-Se', 'words ', 's'),
				),
				fc.array(fc.nat({ max: 60 })),
				(texts, places) => {
					const text = texts.join('');
					const ends = [...places, text.length].sort((a, b) => a - b);
					const pieces = ends.map((end, i) => text.slice(i === 0 ? 0 : ends[i - 1], end));
					expect(inPieces(pieces).join('')).toBe(redact(text));
				},
			),
		);
	});

	it('holds back no more than its last run of signs', () => {
		const shown = redactPieces();
		let given = '';
		let text = '';
		for (const word of ['The sky', ' is blue', ' and s', 'o on', ' 100%', ' & more', '\u65e0']) {
			text += word;
			given += shown.add(word);
			expect(given).toBe(text.replace(/[!-~]*$/, ''));
		}
		expect(given + shown.end()).toBe(text);
	});

	it.each(Object.entries(FORMS))('shows no long run with the key in it, %s', (_form, write) => {
		const noise = 'iVBORw0KGgo'.repeat(20_000);
		const pieces = (inside: string) => `a ${noise}${inside}${noise} z`.match(/[^]{1,1000}/g)!;
		expect(inPieces(pieces('')).join('')).toBe(`a ${noise}${noise} z`);
		expect(inPieces(pieces(write(KEY))).join('')).toBe('a [API key] z');
	});
});

it('knows each key that it has learned', () => {
	const changed = createRedaction('first-key-1');
	changed.learn('second-key-2');
	expect(changed.redact('first-key-1, second-key-2')).toBe('[API key] [API key]');
});

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

	it('shows no key, wherever it stands', () => {
		const names = fc.constantFrom('text', 'a', 'toString', '__proto__', 'constructor');
		fc.assert(
			fc.property(anyUnescaped, names, (other, name) => {
				const value = { other, parts: [{ [name]: KEY }], list: [other, KEY], [KEY]: { KEY } };
				const shown = show(JSON.parse(JSON.stringify(value))) as typeof value;
				expect(JSON.stringify(shown)).not.toContain(KEY);
				expect(JSON.stringify(shown.other)).toBe(JSON.stringify(other));
			}),
		);
	});

	it.each([MAX_DEPTH, 5_000, 200_000])('is refused from %i levels, but not below', (depth) => {
		expect(show(nested(MAX_DEPTH))).toEqual(nested(MAX_DEPTH));
		expect(() => show({ deep: nested(depth, KEY) })).toThrow(
			'The answer is nested deeper than 100 levels',
		);
		expect(toJson({ deep: nested(depth) })).toBe('[nested deeper than 100 levels]');
	});
});

it('what is no JSON stays what it is', () => {
	const date = new Date();
	const bytes = Buffer.from('x');
	expect(show({ date, bytes, none: undefined })).toEqual({ date, bytes, none: undefined });
});
