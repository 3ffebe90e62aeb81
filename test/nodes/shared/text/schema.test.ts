import type { IDataObject } from 'n8n-workflow';

import {
	findBreak,
	schemaOf,
	toSchemaField,
	whyNotSchema,
} from '../../../../nodes/shared/text/schema';

const STRING = { type: 'string' };
const NUMBER = { type: 'NUMBER' };
const parsed = (json: string) => JSON.parse(json) as unknown;
const deep = (depth: number) => parsed('{"items":'.repeat(depth) + 'true' + '}'.repeat(depth));

describe('whyNotSchema', () => {
	it.each([
		[true],
		[{}],
		[STRING],
		[{ type: 'STRING' }],
		[{ description: 'Anything' }],
		[{ enum: ['a', 1] }],
		[{ const: null }],
		[{ anyOf: [{ required: ['a'] }, { required: ['b'] }] }],
		[{ type: 'object', properties: { a: {}, b: true, 'x-c': false } }],
		[{ type: 'array', items: [STRING, true] }],
		// Words that the answer is not checked against go through unchecked.
		[{ if: STRING, then: 7, not: { const: 'a' }, contentSchema: 'x', allOf: {} }],
		[{ type: 'object', properties: { a: { markdownDescription: 'A note', order: 1 } } }],
		[deep(100)],
	])('has nothing against %j', (schema) => {
		expect(whyNotSchema(schema)).toBeUndefined();
	});

	it.each([
		['text', 'the schema must be an object'],
		[{ city: 'Paris' }, 'the schema has no "type"'],
		[{ title: 'Paris', price: 5 }, 'the schema has no "type"'],
		[{ type: 'text' }, 'the type of the schema must be one of array, boolean'],
		[{ type: [] }, 'the type of the schema must be one of'],
		[{ type: 'object', properties: ['a'] }, '"properties" of the schema must be an object'],
		[{ type: 'object', properties: { a: 'string' } }, '"a" must be an object'],
		[{ type: 'object', properties: { a: STRING }, required: 'a' }, '"required" of the schema'],
		[{ type: 'string', enum: [] }, '"enum" of the schema must be an array'],
		[{ anyOf: [] }, '"anyOf" of the schema must be an array of schemas'],
		[{ anyOf: [STRING, 'null'] }, 'a choice of the schema must be an object'],
	])('says why %j is none', (schema, why) => {
		expect(whyNotSchema(schema)).toMatch(why);
	});
});

describe('findBreak', () => {
	const PRICES = {
		type: 'object',
		properties: { items: { type: 'array', items: { properties: { price: NUMBER } } } },
	};
	const TREE = {
		$defs: { node: { properties: { next: { $ref: '#/$defs/node' }, a: NUMBER } } },
		$ref: '#/$defs/node',
	};
	const EITHER = { anyOf: [{ required: ['a'] }, { required: ['b'] }] };

	it.each([
		[true, { a: 1 }],
		[{ type: ['string', 'null'] }, null],
		[{ type: 'STRING', nullable: true, enum: ['a'] }, null],
		[{ type: 'text' }, 5],
		[{ type: 'integer', format: 'enum', enum: ['101'] }, 101],
		[{ required: ['a'] }, ['no object']],
		[EITHER, { b: 1 }],
		[TREE, { next: { next: { a: 1 } } }],
		[{ $ref: '#/$defs/none', type: 'number' }, 5],
		[{ $ref: '#a' }, 5],
		[{ enum: [{ a: 1 }] }, { a: 1 }],
		// All other words are the model's business.
		[{ const: 1, oneOf: [false], allOf: [false], additionalProperties: false }, { b: 1 }],
		[{ pattern: '^a$', minLength: 3, format: 'email', minimum: 9, prefixItems: [NUMBER] }, 'b'],
	])('%j: %j fits', (schema, value) => {
		expect(findBreak(schema, value)).toBeUndefined();
	});

	it.each([
		[{ type: 'object' }, [], '$ must be object, but is array'],
		[{ type: ['string', 'null'] }, 1, '$ must be string or null, but is number'],
		[{ type: 'integer' }, 1.5, '$ must be integer, but is number'],
		[PRICES, { items: [{}, {}, { price: '5' }] }, '$.items[2].price must be number, but is string'],
		[{ enum: ['a', 1] }, '1', '$ is not one of the values in enum'],
		[{ required: ['a'] }, {}, '$.a is missing'],
		[{ required: ['toString'] }, {}, '$.toString is missing'],
		[{ properties: { a: { required: ['b c'] } } }, { a: {} }, '$.a["b c"] is missing'],
		[
			parsed('{"properties":{"__proto__":{"type":"number"}}}'),
			parsed('{"__proto__":"x"}'),
			'$.__proto__ must be number, but is string',
		],
		[{ $ref: '#/anyOf/0', anyOf: [STRING] }, 5, '$ must be string, but is number'],
		[{ enum: ['a', null] }, { a: 1 }, '$ is not one of the values in enum'],
		[{ enum: ['a'] }, ['a'], '$ is not one of the values in enum'],
		[EITHER, { c: 1 }, '$ matches no schema in anyOf'],
		[
			{ anyOf: [PRICES, { type: 'null' }] },
			{ items: [{ price: null }] },
			'$.items[0].price must be number, but is null',
		],
		[TREE, { next: { next: { a: 'x' } } }, '$.next.next.a must be number, but is string'],
	])('%j: %j breaks it', (schema, value, says) => {
		const { path, why } = findBreak(schema, value)!;
		expect(`${path} ${why}`).toBe(says);
	});

	describe('ends, whatever the schema says', () => {
		const twice = (ref: string) => ({ anyOf: [{ $ref: ref }, { $ref: ref }] });
		const doubling = Object.fromEntries(
			Array.from({ length: 90 }, (_, i) => [`a${i}`, twice(`#/$defs/a${i + 1}`)]),
		);
		const list = Array.from({ length: 20_000 }, (_, i) => i);
		const nested = (depth: number) => parsed('['.repeat(depth) + ']'.repeat(depth));
		it.each([
			['itself among choices', twice('#'), 1],
			['choices that double', { ...twice('#/$defs/a0'), $defs: { ...doubling, a90: STRING } }, 1],
			['what is nested deeply', { items: { $ref: '#' } }, nested(20_000)],
			['a long list of long enums', { items: { enum: list.map(String) } }, list.map(String)],
		])('%s', (_what, schema, value) => {
			expect(findBreak(schema, value)).toBeUndefined();
		});
	});
});

const inObject = (a: unknown, more = {}) => ({ type: 'object', properties: { a }, ...more });

describe('responseSchema takes, as it is written,', () => {
	it.each<[string, IDataObject]>([
		['types in small letters', inObject(STRING, { required: ['a'], propertyOrdering: ['a'] })],
		['null where it may be', inObject({ type: 'string', nullable: true })],
		['a property by the name of a word', { type: 'object', properties: { $ref: STRING } }],
		['words for sizes', { type: 'array', items: STRING, minItems: 1, maxItems: '3' }],
		['enum of texts', inObject({ type: 'string', format: 'enum', enum: ['a', 'b'] })],
		['enum of numbers as texts', { type: 'INTEGER', format: 'enum', enum: ['101', '201'] }],
		['choices', inObject({ anyOf: [STRING, { type: 'null' }], description: 'A name' })],
	])('%s', (_what, schema) => {
		expect(toSchemaField(schema)).toEqual({ responseSchema: schema });
	});
});

describe('responseJsonSchema takes', () => {
	it.each<[string, IDataObject]>([
		['several types', { type: 'array', items: { type: ['string', 'null'] } }],
		['texts in the enum of a number', { type: 'integer', enum: ['1'] }],
		['a format that the other refuses', { type: 'string', format: 'email' }],
		['an object without properties', { type: 'object' }],
		['items by position', { type: 'array', items: [STRING] as never }],
		['a part that may be anything', inObject({})],
		['names that no property has', inObject(STRING, { required: ['b'] })],
		['names in __proto__', inObject(STRING, { required: ['__proto__'] })],
		['additionalProperties', inObject(STRING, { additionalProperties: false })],
		['$ref', inObject({ $ref: '#/$defs/a' }, { $defs: { a: STRING } })],
		['const in a choice', { anyOf: [{ const: 1 }] }],
		['choices beside a type', { type: 'object', anyOf: [inObject(STRING)] }],
	])('%s', (_what, schema) => {
		expect(toSchemaField(schema)).toEqual({ responseJsonSchema: schema });
	});

	it('types as JSON Schema spells them, and null as it allows it', () => {
		const schema = {
			type: 'OBJECT',
			additionalProperties: false,
			properties: {
				type: { type: 'STRING', nullable: true },
				kind: { type: 'STRING', nullable: true, enum: ['a'] },
				listed: { nullable: true, enum: ['a', null] },
				either: { nullable: true, anyOf: [STRING] },
				list: { type: 'ARRAY', items: { type: ['INTEGER', 'NULL'], nullable: true } },
			},
		};
		expect(toSchemaField(schema)).toEqual({
			responseJsonSchema: {
				type: 'object',
				additionalProperties: false,
				properties: {
					type: { type: ['string', 'null'] },
					kind: { type: ['string', 'null'], enum: ['a', null] },
					listed: { enum: ['a', null] },
					either: { anyOf: [STRING, { type: 'null' }] },
					list: { type: 'array', items: { type: ['integer', 'null'] } },
				},
			},
		});
		expect(schema.properties.type.nullable).toBe(true);
	});
});

it('an example becomes the schema that n8n makes of it', () => {
	const example = { 'a b': 1, on: true, list: [{ x: 'y' }, { z: 1 }], none: [], empty: {} };
	const item = { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] };
	expect(schemaOf(example)).toEqual({
		type: 'object',
		properties: {
			'a b': { type: 'number' },
			on: { type: 'boolean' },
			list: { type: 'array', items: item },
			none: { type: 'array' },
			empty: { type: 'object', properties: {} },
		},
		required: ['a b', 'on', 'list', 'none', 'empty'],
	});
	expect(() => schemaOf({ a: { 'b c': null } })).toThrow('$.a["b c"] has no value');
});
