import {
	readJsonText,
	toSchemaField,
	whyNotSchema,
} from '../../../../nodes/shared/text/jsonOutput';

const STRING = { type: 'string' };

describe('whyNotSchema', () => {
	it.each([
		[STRING],
		[{ type: 'STRING' }],
		[{ type: ['string', 'null'] }],
		[{ enum: ['a', 1] }],
		[{ $ref: '#/$defs/a', $defs: { a: STRING } }],
		[{ anyOf: [STRING, { type: 'null' }] }],
		[{ type: 'array', items: { type: 'object', properties: { a: STRING }, required: ['a'] } }],
		[{ type: 'object', required: ['a'], allOf: [{ properties: { a: STRING } }] }],
		[{ type: 'object', additionalProperties: false }],
	])('has nothing against %j', (schema) => {
		expect(whyNotSchema(schema)).toBeUndefined();
	});

	it.each([
		['text', 'the schema must be an object'],
		[[STRING], 'the schema must be an object'],
		[{ city: 'Paris' }, 'the schema has no "type"'],
		[{ type: 'text' }, 'the type of the schema must be one of array, boolean'],
		[{ type: 7 }, 'the type of the schema must be one of'],
		[{ type: ['string', 'text'] }, 'the type of the schema must be one of'],
		[{ type: 'object', properties: ['a'] }, '"properties" of the schema must be an object'],
		[{ type: 'object', properties: { a: 'string' } }, '"a" must be an object'],
		[{ type: 'object', properties: { a: { city: 1 } } }, '"a" has no "type"'],
		[{ type: 'object', properties: { a: STRING }, required: 'a' }, '"required" of the schema'],
		[{ type: 'object', properties: { a: STRING }, required: ['b'] }, 'the schema requires "b"'],
		[{ type: 'array', items: 'string' }, '"items" of the schema must be an object'],
		[{ type: 'string', enum: [] }, '"enum" of the schema must be an array'],
		[{ anyOf: [STRING, 'null'] }, 'a choice of the schema must be an object'],
	])('says why %j is none', (schema, why) => {
		expect(whyNotSchema(schema)).toMatch(why);
	});
});

describe('toSchemaField', () => {
	it.each([
		[
			'responseSchema',
			{ type: 'OBJECT', properties: { a: STRING }, required: ['a'], nullable: true },
		],
		['responseSchema', { type: 'object', properties: { $ref: STRING } }],
		['responseJsonSchema', { type: 'object', additionalProperties: false }],
		['responseJsonSchema', { type: 'array', items: { type: ['string', 'null'] } }],
		['responseJsonSchema', { type: 'object', properties: { a: { $ref: '#/$defs/a' } } }],
		['responseJsonSchema', { anyOf: [{ const: 1 }] }],
	])('is %s for %j', (field, schema) => {
		expect(toSchemaField(schema)).toBe(field);
	});
});

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
