import fc from 'fast-check';

import { createRedaction } from '../../../../nodes/shared/service/redact';
import { FORMS } from '../../../support/keyForms';

const KEY = 'sk-Secret/key+1';
const { redact, redactPieces } = createRedaction(KEY);

function inPieces(pieces: string[]) {
	const shown = redactPieces();
	return [...pieces.map((piece) => shown.add(piece)), shown.end()];
}

describe('a key that was typed with its scheme', () => {
	it.each([`Bearer ${KEY}`, `  bearer  ${KEY} `])('is blanked out without it: %s', (typed) => {
		const shown = createRedaction(typed).redact(`no such key: ${KEY}, ${encodeURIComponent(KEY)}`);
		expect(shown).toBe('no such key: [API key], [API key]');
	});
});

describe.each(Object.entries(FORMS))('%s', (_form, write) => {
	it.each([KEY, 'sandbox-key', `sk-${'aB3x'.repeat(12)}`, `ey.${'J9_-'.repeat(300)}`])(
		'tells nothing of %s',
		(key) => {
			const shown = createRedaction(key).redact(`no such key: <${write(key)}>`);
			expect(shown).toMatch(/^no such key: <[^]{0,12}\[API key\][^]{0,12}>$/);
		},
	);

	it('does so also where it was cut off', () => {
		const written = write(KEY);
		for (let length = 1; length < written.length; length++) {
			const shown = redact(`no such key: ${written.slice(0, length)}...`);
			expect(shown.length).toBeLessThan('no such key: '.length + 40);
			expect(shown).not.toContain(written.slice(0, Math.max(8, Math.ceil(written.length / 2))));
		}
	});

	it('is held back in a text that comes in pieces', () => {
		const text = `a ${write(KEY)} b`;
		for (let cut = 0; cut <= text.length; cut++) {
			const pieces = inPieces([text.slice(0, cut), text.slice(cut)]);
			expect(pieces.join('')).toBe(redact(text));
		}
		expect(inPieces([...text]).join('')).toBe(redact(text));
	});
});

describe('a key that is cut in the middle', () => {
	it.each(['...', '....', '\u2026'])('is not shown at its ends: %s', (cut) => {
		for (const text of [
			`sk-Secret${cut}ey+1`,
			`sk-S${cut}t/key+1, and so on`,
			`(${cut}ret/key+1)`,
		]) {
			const shown = redact(text);
			expect(shown).toContain('[API key]');
			expect(shown).not.toMatch(/sk-S|t\/key|ret/);
			for (let at = 0; at <= text.length; at++) {
				expect(inPieces([text.slice(0, at), text.slice(at)]).join('')).toBe(shown);
			}
			expect(inPieces([...text]).join('')).toBe(shown);
		}
	});

	it('is nothing that merely ends alike', () => {
		const text = 'To be continued...later, ...y+ and ...';
		expect(redact(text)).toBe(text);
		expect(inPieces([...text]).join('')).toBe(text);
	});
});

describe('what is no key', () => {
	it.each(['', 'abc', '1234567', '123456', '1712345678', 'sk-1234', 'Bearer abc'])(
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
				fc.array(fc.constantFrom(KEY, encodeURIComponent(KEY), 'sk-Se', 'words ', 's', '1')),
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

	it('comes nearly at once where no key can begin in it', () => {
		const shown = redactPieces();
		let given = '';
		let text = '';
		for (const word of ['The sky', ' is blue', ' and s', 'o on', ' 100%', ' & more']) {
			text += word;
			given += shown.add(word);
			expect(given.length).toBeGreaterThanOrEqual(text.length - 2);
		}
		expect(given).toBe(text);
	});
});

it('knows each key that it has learned', () => {
	const changed = createRedaction('first-key-1');
	changed.learn('second-key-2');
	expect(changed.redact('first-key-1, second-key-2')).toBe('[API key], [API key]');
});
