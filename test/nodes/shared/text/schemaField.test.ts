import type { IDataObject } from 'n8n-workflow';

import { toSchemaField } from '../../../../nodes/shared/text/schemaField';

const STRING = { type: 'string' };
const inObject = (a: unknown, more = {}) => ({ type: 'object', properties: { a }, ...more });

describe('responseSchema takes, as it is written,', () => {
	it.each<[string, IDataObject]>([
		['types in capitals', { type: 'OBJECT', properties: { a: { type: 'STRING' } } }],
		['types in small letters', inObject(STRING, { required: ['a'], propertyOrdering: ['a'] })],
		['null where it may be', inObject({ type: 'string', nullable: true })],
		['a property by the name of a word', { type: 'object', properties: { $ref: STRING } }],
		['lists in lists', { type: 'array', items: { type: 'array', items: STRING } }],
		['words for sizes', { type: 'array', items: STRING, minItems: 1, maxItems: '3' }],
		['enum of texts', inObject({ type: 'string', format: 'enum', enum: ['a', 'b'] })],
		['enum of numbers as texts', { type: 'INTEGER', format: 'enum', enum: ['101', '201'] }],
		['a time', { type: 'string', format: 'date-time' }],
		['sizes of numbers', inObject({ type: 'number', format: 'double', minimum: 0 })],
		['sizes of integers', { type: 'integer', format: 'int32' }],
		['choices', inObject({ anyOf: [STRING, { type: 'null' }], description: 'A name' })],
	])('%s', (_what, schema) => {
		expect(toSchemaField(schema)).toEqual({ responseSchema: schema });
	});
});

describe('responseJsonSchema takes', () => {
	it.each<[string, IDataObject]>([
		['no type', { description: 'Anything' }],
		['several types', { type: 'array', items: { type: ['string', 'null'] } }],
		['a number in enum', { type: 'integer', enum: [1, 2] }],
		['texts in the enum of a number', { type: 'integer', enum: ['1'] }],
		['an enum without a type', { enum: ['a'] }],
		['a format that the other refuses', { type: 'string', format: 'email' }],
		['the format of another type', { type: 'integer', format: 'double' }],
		['an object without properties', { type: 'object' }],
		['an object with empty properties', { type: 'object', properties: {} }],
		['a list without items', { type: 'array' }],
		['items by position', { type: 'array', items: [STRING] as never }],
		['a part that may be anything', inObject({})],
		['a part that is true', inObject(true)],
		['a part in a list that is no object', inObject({ type: 'array', items: { type: 'array' } })],
		['names that no property has', inObject(STRING, { required: ['b'] })],
		['names in __proto__', inObject(STRING, { required: ['__proto__'] })],
		['additionalProperties', inObject(STRING, { additionalProperties: false })],
		['$ref', inObject({ $ref: '#/$defs/a' }, { $defs: { a: STRING } })],
		['const in a choice', { anyOf: [{ const: 1 }] }],
		['choices beside a type', { type: 'object', anyOf: [inObject(STRING)] }],
		['choices of what must be there', { anyOf: [{ required: ['a'] }, { required: ['b'] }] }],
		['items of a text', { type: 'string', items: STRING }],
	])('%s', (_what, schema) => {
		expect(toSchemaField(schema)).toEqual({ responseJsonSchema: schema });
	});

	it('types as JSON Schema spells them, and null as it allows it', () => {
		const schema = {
			type: 'OBJECT',
			additionalProperties: false,
			properties: {
				type: { type: 'STRING', nullable: true },
				list: { type: 'ARRAY', items: { type: ['INTEGER', 'NULL'], nullable: true } },
			},
		};
		expect(toSchemaField(schema)).toEqual({
			responseJsonSchema: {
				type: 'object',
				additionalProperties: false,
				properties: {
					type: { type: ['string', 'null'] },
					list: { type: 'array', items: { type: ['integer', 'null'] } },
				},
			},
		});
		expect(schema.properties.type.nullable).toBe(true);
	});
});
