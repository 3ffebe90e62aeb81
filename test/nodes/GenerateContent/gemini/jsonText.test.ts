import { readJsonText } from '../../../../nodes/GenerateContent/gemini/jsonText';

it.each([
	['the whole text', '{"a":1}', { a: 1 }],
	['a fence', '```json\n{"a":"```js\\nx\\n```"}\n```', { a: '```js\nx\n```' }],
	['a fence among words', 'Here it is:\n```\n{"a":1}\n```\nAnything else?', { a: 1 }],
	['the last of several', 'A draft: {"a":1}\nBetter: ["Rome", {"a":2}]', ['Rome', { a: 2 }]],
	[
		'what follows brackets in prose',
		'Use {braces}, [x] and [1], see {"a":"} {\\" ["}.',
		{ a: '} {" [' },
	],
	['nothing in prose', 'The answer is 5.', undefined],
	['nothing that is cut off', '{"a":[{"b":1},{"b":', undefined],
	['no draft of one that is cut off', 'A draft: {"a":1}. The answer: {"a', undefined],
	['nothing inside of what is no JSON', '{"a": undefined, "b": {"c": 1}}', undefined],
])('reads %s', (_what, text, json) => {
	expect(readJsonText(text)).toEqual(json);
});
