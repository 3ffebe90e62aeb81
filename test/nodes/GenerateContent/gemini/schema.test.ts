import type { IDataObject } from 'n8n-workflow';

import {
	findMismatch,
	schemaOf,
	toSchemaField,
} from '../../../../nodes/GenerateContent/gemini/schema';

const STRING = { type: 'string' };

it.each([
	[{ type: ['string', 'null'] }, null, undefined],
	[{ type: 'STRING', nullable: true }, null, undefined],
	// All other words, and all that is inside, are the model's business.
	[{ properties: { a: STRING }, enum: [1], additionalProperties: false }, { a: 1 }, undefined],
	[{ type: 'object' }, [], 'it must be of type object, but is of type array'],
	[{ type: 'INTEGER' }, 1.5, 'it must be of type integer, but is of type number'],
	[{ required: ['a', 'toString'] }, { a: 1 }, '"toString" is missing'],
])('%j describes %j, or else: %s', (schema, json, mismatch) => {
	expect(findMismatch(schema as IDataObject, json)).toBe(mismatch);
});

it.each<[string, IDataObject, string]>([
	['types in capitals', { type: 'OBJECT', properties: { a: STRING } }, 'responseSchema'],
	['JSON Schema', { type: ['string', 'null'] }, 'responseJsonSchema'],
	['a property by the name of a word', { properties: { nullable: STRING } }, 'responseJsonSchema'],
])('%s goes as it is written into the field of its dialect', (_what, schema, field) => {
	expect(toSchemaField(schema)).toEqual({ [field]: schema });
});

it('an example has all that its schema requires', () => {
	expect(schemaOf({ city: 'Paris', sights: [{ id: 1 }], no: null, none: [] })).toEqual({
		type: 'object',
		properties: {
			city: STRING,
			sights: {
				type: 'array',
				items: { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] },
			},
			no: {},
			none: { type: 'array' },
		},
		required: ['city', 'sights', 'no', 'none'],
	});
});
