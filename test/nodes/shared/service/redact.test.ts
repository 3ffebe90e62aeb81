import fc from 'fast-check';

import { createRedaction } from '../../../../nodes/shared/service/redact';

const KEY = 'sk-Secret/key+1';
const { redact, redactPieces, show } = createRedaction(KEY);

function inPieces(pieces: string[]) {
	const shown = redactPieces();
	return [...pieces.map((piece) => shown.add(piece)), shown.end()];
}

it.each([
	['as it is', KEY],
	['without its prefix, as New API stores it', 'Secret/key+1'],
	['in an address', encodeURIComponent(KEY)],
	['in an address, without its prefix', 'Secret%2Fkey%2B1'],
])('a key is hidden %s', (_how, written) => {
	expect(redact(`no such key: <${written}>, 无效的令牌${written}`)).toBe(
		'no such key: <[API key]>, 无效的令牌[API key]',
	);
});

it.each([`Bearer ${KEY}`, `  bearer  ${KEY} `])(
	'a key that was typed with its scheme is hidden without it: %j',
	(typed) => expect(createRedaction(typed).redact(`Bearer ${KEY}`)).toBe('Bearer [API key]'),
);

it.each(['', ' '])('an empty key hides nothing: %j', (typed) => {
	const empty = createRedaction(typed);
	expect(empty.redact('a text')).toBe('a text');
	expect(empty.redactPieces().add('a text')).toBe('a text');
});

it('the rest of a short key, such as LiteLLM has it in its examples, is left in IDs', () => {
	const short = createRedaction('sk-1234');
	expect(short.redact('task_1234, key sk-1234')).toBe('task_1234, key [API key]');
});

it('the keys of all credentials that were read are hidden', () => {
	const two = createRedaction('first-key-1');
	two.learn('second-key-2');
	expect(two.redact('first-key-1, second-key-2')).toBe('[API key], [API key]');
});

it('what holds no key stays what it is, also in pieces', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
			expect(redact(text)).toBe(text);
			expect(inPieces([...text]).join('')).toBe(text);
		}),
	);
});

describe('a text in pieces', () => {
	it('never shows a key that is cut between two', () => {
		fc.assert(
			fc.property(
				fc.array(fc.constantFrom(KEY, encodeURIComponent(KEY), 'Secret/', 'sk-', 'words ', 's')),
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

	it('holds back no more than what may be the beginning of a key', () => {
		expect(inPieces(['The sky i', 's', 'k-Sec', 'retly blue, s'])).toEqual([
			...['The sky i', '', '', 'sk-Secretly blue, ', 's'],
		]);
	});
});

it('no key is shown in any JSON, as a value or as a name, and the JSON itself stays', () => {
	const value = { parts: [{ name: KEY, n: 1, none: null }], [KEY]: `a ${KEY}` };
	const before = JSON.stringify(value);
	expect(show(value)).toEqual({
		parts: [{ name: '[API key]', n: 1, none: null }],
		'[API key]': 'a [API key]',
	});
	expect(JSON.stringify(value)).toBe(before);
	const date = new Date();
	const bytes = Buffer.from('x');
	expect(show({ date, bytes, none: undefined })).toEqual({ date, bytes, none: undefined });
});
