import { readJsonText } from '../../../../nodes/shared/text/jsonText';

describe('readJsonText', () => {
	it.each([
		['{"a":1}', { a: 1 }],
		['null', null],
		['"text"', 'text'],
		['```json\n{"a":1}\n```', { a: 1 }],
		['Here it is:\n```\n{"a":1}\n```\nAnything else?', { a: 1 }],
		['```json\n{"a":"```js\\nx\\n```"}\n```', { a: '```js\nx\n```' }],
		['```json\n{"a":1}\n```\nor\n```json\n{"a":2}\n```', { a: 1 }],
		['The answer is {"a":1}', { a: 1 }],
		['```json\n{"a":1}', { a: 1 }],
		['```json\n"text"\n```', 'text'],
		['Use {braces} and [1], see {"a":"} {\\" ["}.', { a: '} {" [' }],
		['As [1] and [2] say: {"a":1}', { a: 1 }],
		['{{"a":1}}', { a: 1 }],
		['As [1, 2, 3, 4] say: {"a":1}', { a: 1 }],
		['{"a":1} in short for [{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]],
		['As [1] says: ["Rome", "Paris"]', ['Rome', 'Paris']],
		['An example: {"a":1,"b":2}. The answer:\n```json\n{"a":1}\n```', { a: 1 }],
		['[link](https://example.com/[x]) {"a":1}', { a: 1 }],
	])('reads %j', (text, json) => {
		expect(readJsonText(text)).toEqual({ json });
	});

	it.each([
		'',
		'Blue',
		'{"a":',
		'```json\n{"a":\n```',
		'The answer is 5.',
		// Nothing inside JSON that is broken or cut off passes for all of it.
		'{"a":[{"b":1},{"b":',
		'{"a": undefined, "b": {"c": 1}}',
		'An example: {"a":1}. The answer: {"a":',
		'An example: {"a":1}. The answer: {"a',
		'An example: {"a":1}. The answer: [-12',
	])('reads nothing in %j', (text) => {
		expect(readJsonText(text)).toBeUndefined();
	});

	const PRICE = { type: 'object', required: ['price'] };
	it.each([
		['the one that fits', 'Not {"name":"long enough"} but {"price":1}.', { json: { price: 1 } }],
		['before one that is cut off', '{"price":1} and {"b":', { json: { price: 1 } }],
		[
			'the first where none fits',
			'See {"a":1} and {"b":1}',
			{ json: { a: 1 }, mismatch: '"price" is missing' },
		],
		['nothing', 'The price is 1.', undefined],
		['nothing that is cut off', '{"a":1} and {"price":', undefined],
	])('of several, with a schema: %s', (_what, text, output) => {
		expect(readJsonText(text, PRICE)).toEqual(output);
	});
});
