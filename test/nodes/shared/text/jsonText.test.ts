import { readJsonText } from '../../../../nodes/shared/text/jsonText';

describe('readJsonText', () => {
	it.each([
		['{"a":1}', { a: 1 }],
		['null', null],
		['"text"', 'text'],
		['```json\n{"a":1}\n```', { a: 1 }],
		['Here it is:\n```\n{"a":1}\n```\nAnything else?', { a: 1 }],
		['```json\n{"a":"```js\\nx\\n```"}\n```', { a: '```js\nx\n```' }],
		['```json\n{"a":1}\n```\nor\n```json\n{"a":2}\n```', { a: 2 }],
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
		['A draft:\n```json\n{"a":1}\n```\nBetter: {"a":2}', { a: 2 }],
		['["Rome", "Paris"], as [1] and [2, 3] say', ['Rome', 'Paris']],
		['Here: {"a":"```5```"}.', { a: '```5```' }],
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

	it.each([
		['<think>\n{"a":1} or {"b":\n</think>\n\n{"a":2}', { a: 2 }],
		['{"a":2} <think>Or {"a":1}?</think>', { a: 2 }],
		['I take {"a":1}, or {"a\n</think>\n```json\n{"a":2}\n```', { a: 2 }],
		['<THINK>no</THINK> {"a":2} <thinking>{"a":1}</thinking>', { a: 2 }],
		['{"a":"<think>1</think>"}', { a: '<think>1</think>' }],
		...['reasoning', '|think|', '|thinking|', 'thought', 'Reason'].flatMap(
			(tag): Array<[string, object | undefined]> => [
				[`<${tag}>Or {"a":1}</${tag}> {"a":2}`, { a: 2 }],
				[`{"a":2} <${tag}>Or {"a":1}</${tag}>`, { a: 2 }],
				[`<${tag}>Or {"a":1}</${tag}> No.`, undefined],
			],
		),
		['<|think|>Or {"a":1}<|/think|> No.', undefined],
		['<think>{"a":1}</think>', undefined],
		['{"a":1}</think>No.', undefined],
		['<think>I take {"a":1}', undefined],
		// Rather nothing than JSON without a part of its text.
		['Here: {"a":"<think>1</think>"}', undefined],
	])('takes no thought for an answer: %j', (text, json) => {
		expect(readJsonText(text)).toEqual(json && { json });
	});

	const PRICE = { type: 'object', required: ['price'] };
	it.each([
		['the one that fits', 'Not {"name":"long enough"} but {"price":1}.', { json: { price: 1 } }],
		['the last that fits', 'As {"price":1}: {"price":2}, {"name":3}', { json: { price: 2 } }],
		['no draft of one that is cut off', '{"price":1} and { "price": 2, "n', undefined],
		['no draft of one that hardly began', '```\n{"price":1}\n``` and {"pri', undefined],
		[
			'the last where none fits',
			'See {"a":1} and {"b":1}',
			{ json: { b: 1 }, mismatch: '"price" is missing' },
		],
		['nothing', 'The price is 1.', undefined],
		['nothing that is cut off', '{"a":1} and {"price":', undefined],
	])('of several, with a schema: %s', (_what, text, output) => {
		expect(readJsonText(text, PRICE)).toEqual(output);
	});
});
