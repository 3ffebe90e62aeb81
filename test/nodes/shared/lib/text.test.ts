import fc from 'fast-check';

import { oneLine, toOrdinal } from '../../../../nodes/shared/lib/text';

it('what comes from outside writes no line of its own, and moves no cursor', () => {
	const forged = 'task_1\r\n2026-11-21 | error | Forged\u001b[2J\u2028\u2029\u0085\u202e';
	expect(oneLine(forged)).toBe(
		'task_1\\u{d}\\u{a}2026-11-21 | error | Forged\\u{1b}[2J\\u{2028}\\u{2029}\\u{85}\\u{202e}',
	);
	expect(oneLine('Prompt: 请检查 "é" 100%')).toBe('Prompt: 请检查 "é" 100%');
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (text) => {
			expect(oneLine(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
		}),
	);
});

it('counts as people do', () => {
	const counted = [1, 2, 3, 4, 11, 12, 13, 21, 112].map(toOrdinal).join(' ');
	expect(counted).toBe('1st 2nd 3rd 4th 11th 12th 13th 21st 112th');
});
