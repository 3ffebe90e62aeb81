import { createShow } from '../../sandbox/check/shown';
import { FORMS } from '../support/keyForms';
import { check, ordering } from './support/check';
import { startHostile } from './support/hostile';

// A key that is quoted in some form, whole or in part, is not shown.

const QUOTED = 'sk-Qz7x9kPw2LmN4vRt8sYb3cHd';
const half = QUOTED.length / 2;
const PARTS: Record<string, (key: string) => string> = {
	'in base64 behind Bearer and a space': (key) => Buffer.from(`Bearer ${key}`).toString('base64'),
	'in base64 behind one character': (key) => Buffer.from(`a${key}`).toString('base64'),
	'in base64 without its kind': (key) => Buffer.from(`ab${key.slice(3)}`).toString('base64'),
	'in capital hexadecimal digits': (key) => Buffer.from(key).toString('hex').toUpperCase(),
	'without its last character': (key) => key.slice(0, -1),
	'without its first characters': (key) => key.slice(5),
	'split by a space': (key) => `${key.slice(0, half)} ${key.slice(half)}`,
	'split by a newline': (key) => `${key.slice(0, half)}\n${key.slice(half)}`,
	'split by an escaped newline': (key) => `${key.slice(0, half)}\\n${key.slice(half)}`,
	'as one character a line': (key) => [...key].join('\n'),
	'the second half first': (key) => `${key.slice(half)}: ${key.slice(0, half)}`,
};

describe.each(Object.entries({ ...FORMS, ...PARTS }))('%s', (_name, write) => {
	it('is hidden, and what has no key is not', () => {
		const show = createShow([QUOTED]);
		const quoted = write(QUOTED);
		const shown = show(`before ${quoted} after`);
		expect(shown).toContain('[API key]');
		for (const piece of [quoted.slice(0, 12), quoted.slice(-14, -2)]) {
			expect(shown).not.toContain(piece);
		}
		expect(show('before it and after')).toBe('before it and after');
	});
});

it('half in the code, half in the message: neither is shown, whichever comes first', async () => {
	const [one, other] = [QUOTED.slice(0, half), QUOTED.slice(half)];
	for (const [code, message] of [
		[one, other],
		[other, one],
	]) {
		const server = await startHostile((_request, response) => {
			response.writeHead(400, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ code, message }));
		});
		const result = await check(server, { key: QUOTED, textKey: QUOTED, ...ordering('a-model') });
		await server.close();
		expect(JSON.stringify(result)).not.toMatch(new RegExp(`${one}|${other}`));
	}
});

it('a key far behind in a text is hidden before the text is cut', () => {
	const show = createShow([QUOTED]);
	const keys = Array.from({ length: 2000 }, () => QUOTED).join(' ');
	expect(show(keys)).toBe('words that hold [API key]');
	expect(show(`${'x'.repeat(215)}${QUOTED}`)).not.toContain('sk-');
});
