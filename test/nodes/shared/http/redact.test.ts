import { createRedaction } from '../../../../nodes/shared/http/redact';

const KEY = 'sk-Secret/key+1';
const { redact, redactPieces, show } = createRedaction(KEY);

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

it('a key that was typed with its scheme is hidden without it', () => {
	expect(createRedaction(`  bearer  ${KEY} `).redact(`Bearer ${KEY}`)).toBe('Bearer [API key]');
});

it.each(['Token', 'ApiKey', 'Basic', 'Key'])(
	'a key is hidden with %s before it, and without',
	(word) => {
		const { redact: hide } = createRedaction(`${word} ${KEY}`);
		expect(hide(`<${word} ${KEY}>, <${KEY}>`)).toMatch(/^<(Key )?\[API key\]>, <\[API key\]>$/);
	},
);

it.each(['', 'none', '1234', 'ollama'])('what is no secret hides nothing: %j', (typed) =>
	expect(createRedaction(typed).redact(`task-1234: ask ${typed}`)).toBe(`task-1234: ask ${typed}`),
);

it('the keys of all credentials that were read are hidden', () => {
	const two = createRedaction('first-key-1');
	two.learn('second-key-2');
	expect(two.redact('first-key-1, second-key-2')).toBe('[API key], [API key]');
});

it('a text in pieces shows no key, and holds back only what may be the beginning of one', () => {
	const shown = redactPieces();
	const pieces = ['The sky i', 's', 'k-Sec', 'retly blue, s', KEY.slice(1), ' is it'];
	expect([...pieces.map((piece) => shown.add(piece)), shown.end()]).toEqual([
		...['The sky i', '', '', 'sk-Secretly blue, ', '[API key]', ' is it', ''],
	]);
});

it('no key is shown in any JSON, as a value or as a name, and the JSON itself stays', () => {
	const value = { parts: [{ name: KEY, n: 1, none: null }], [KEY]: `a ${KEY}` };
	const before = JSON.stringify(value);
	expect(show(value)).toEqual({
		parts: [{ name: '[API key]', n: 1, none: null }],
		'[API key]': 'a [API key]',
	});
	expect(JSON.stringify(value)).toBe(before);
});
