import type { IDataObject } from 'n8n-workflow';

import {
	findMismatch,
	schemaOf,
	toSchemaField,
	whyNotSchema,
} from '../../../../nodes/shared/text/schema';

const STRING = { type: 'string' };

it.each([
	[STRING, undefined],
	[{ type: ['STRING', 'NULL'], format: 7, properties: 'a' }, undefined],
	[{ $ref: '#/$defs/a', $defs: {} }, undefined],
	['text', 'the schema must be an object'],
	[true, 'the schema must be an object'],
	[{ city: 'Paris' }, 'the schema has no "type"'],
	[{ title: 'Paris', description: 'A city' }, 'the schema has no "type"'],
	[{ type: 'fruit', name: 'Apple' }, 'its type must be one of array, boolean'],
	[{ type: [] }, 'its type must be one of'],
])('%j as a schema: %s', (schema, why) => {
	expect(whyNotSchema(schema)?.slice(0, why?.length)).toBe(why);
});

it.each([
	[{ type: ['string', 'null'] }, null, undefined],
	[{ type: 'STRING', nullable: true }, null, undefined],
	[{ type: 'text' }, 5, undefined],
	[{ $ref: '#/$defs/none', required: [] }, 5, undefined],
	[{ required: ['a'] }, ['no object'], undefined],
	// All other words, and all that is inside, are the model's business.
	[{ properties: { a: STRING }, enum: [1], additionalProperties: false }, { a: 1 }, undefined],
	[{ type: 'object' }, [], 'it must be of type object, but is of type array'],
	[{ type: 'INTEGER' }, 1.5, 'it must be of type integer, but is of type number'],
	[{ type: ['string', 'null'] }, 1, 'it must be of type string or null, but is of type number'],
	[{ required: ['a', 'toString'] }, { a: 1 }, '"toString" is missing'],
])('%j describes %j, or else: %s', (schema, json, mismatch) => {
	expect(findMismatch(schema as IDataObject, json)).toBe(mismatch);
});

it.each<[string, IDataObject, string]>([
	[
		'types in capitals',
		{ type: 'OBJECT', properties: { a: { type: 'STRING' } } },
		'responseSchema',
	],
	['nullable', { type: 'string', nullable: true }, 'responseSchema'],
	['JSON Schema', { type: ['string', 'null'], format: 'email' }, 'responseJsonSchema'],
	['a property by the name of a word', { properties: { nullable: STRING } }, 'responseJsonSchema'],
])('%s goes as it is written into the field of its dialect', (_what, schema, field) => {
	expect(toSchemaField(schema)).toEqual({ [field]: schema });
});

it('an example becomes the schema that n8n makes of it', () => {
	const example = {
		'a b': 1,
		on: true,
		list: [{ x: 'y' }, { z: 1 }],
		none: [],
		empty: {},
		any: null,
	};
	const item = { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] };
	expect(schemaOf(example)).toEqual({
		type: 'object',
		properties: {
			'a b': { type: 'number' },
			on: { type: 'boolean' },
			list: { type: 'array', items: item },
			none: { type: 'array' },
			empty: { type: 'object', properties: {} },
			any: {},
		},
		required: ['a b', 'on', 'list', 'none', 'empty', 'any'],
	});
});
