import fc from 'fast-check';

import { oneLine } from '../../../../nodes/shared/lib/text';

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
