import { readJsonText } from '../../../../nodes/shared/text/jsonText';

describe('readJsonText', () => {
	it.each([
		['{"a":1}', { a: 1 }],
		[' \n[1, 2]\n', [1, 2]],
		['null', null],
		['"text"', 'text'],
		['```json\n{"a":1}\n```', { a: 1 }],
		['```JSON {"a":1}```', { a: 1 }],
		['Here it is:\n```\n{"a":1}\n```\nAnything else?', { a: 1 }],
		['```json\n{"a":"```js\\nx\\n```"}\n```', { a: '```js\nx\n```' }],
		['```json\n{"a":1}\n```\nor\n```json\n{"a":2}\n```', { a: 1 }],
	])('reads %j', (text, json) => {
		expect(readJsonText(text)).toEqual({ json });
	});

	it.each([
		'',
		'Blue',
		'{"a":',
		'```json\n{"a":\n```',
		'```json\n{"a":1}',
		'The answer is {"a":1}',
	])('reads nothing in %j', (text) => {
		expect(readJsonText(text)).toBeUndefined();
	});
});
