import fc from 'fast-check';

import { createRedaction } from '../../../../nodes/shared/service/redact';

const KEY = 'secret/key+1';
const { redact, redactPieces } = createRedaction(KEY);

function inPieces(pieces: string[]) {
	const shown = redactPieces();
	return [...pieces.map((piece) => shown.add(piece)), shown.end()];
}

describe('a key that was typed with its scheme', () => {
	it.each(['Bearer secret/key+1', '  bearer  secret/key+1 '])(
		'is blanked out without it: %s',
		(typed) => {
			const shown = createRedaction(typed).redact(
				`no such key: ${KEY}, ${encodeURIComponent(KEY)}`,
			);
			expect(shown).toBe('no such key: [API key], [API key]');
		},
	);
});

describe('a text in pieces', () => {
	it('never shows a key that is cut between two', () => {
		fc.assert(
			fc.property(
				fc.array(fc.constantFrom(KEY, encodeURIComponent(KEY), 'secret', 'words ', 's', '1')),
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

	it('comes at once where no key can begin in it', () => {
		expect(inPieces(['The sky', ' is blue', ' and s', 'o on'])).toEqual([
			'The sky',
			' is blue',
			' and ',
			'so on',
			'',
		]);
	});

	it('is as it was where the key is too short to be one', () => {
		const short = createRedaction('abc');
		expect(short.redact('abc')).toBe('abc');
		expect(short.redactPieces().add('ab')).toBe('ab');
	});
});
