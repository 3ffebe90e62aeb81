import { mapParts, whyNotSchema } from '../../../../nodes/shared/text/schema';

const STRING = { type: 'string' };
const deep = (depth: number) =>
	JSON.parse('{"items":'.repeat(depth) + 'true' + '}'.repeat(depth)) as object;

describe('whyNotSchema', () => {
	it.each([
		[true],
		[false],
		[{}],
		[STRING],
		[{ type: 'STRING' }],
		[{ type: ['string', 'null'] }],
		[{ description: 'Anything' }],
		[{ $schema: 'https://json-schema.org/draft/2020-12/schema', $comment: 'Anything' }],
		[{ enum: ['a', 1] }],
		[{ const: null }],
		[{ $ref: '#/$defs/a', $defs: { a: STRING } }],
		[{ anyOf: [STRING, { type: 'null' }] }],
		[{ anyOf: [{ required: ['a'] }, { required: ['b'] }] }],
		[{ type: 'object' }],
		[{ type: 'object', properties: { a: {}, b: true, 'x-c': false } }],
		[{ type: 'object', properties: { a: STRING }, required: ['b'] }],
		[{ type: 'object', required: ['a'], allOf: [{ properties: { a: STRING } }] }],
		[{ type: 'object', additionalProperties: false, 'x-order': ['a'] }],
		[{ type: 'array' }],
		[{ type: 'array', items: [STRING, true] }],
		[{ prefixItems: [STRING], items: false }],
		[{ if: STRING, then: { minLength: 1 }, not: { const: 'a' } }],
		[{ type: 'object', properties: { a: { markdownDescription: 'A note', order: 1 } } }],
		[{ contentSchema: STRING }],
		[deep(100)],
	])('has nothing against %j', (schema) => {
		expect(whyNotSchema(schema)).toBeUndefined();
	});

	it.each([
		['text', 'the schema must be an object'],
		[[STRING], 'the schema must be an object'],
		[null, 'the schema must be an object'],
		[{ city: 'Paris' }, 'the schema has no "type"'],
		[{ title: 'Paris', price: 5 }, 'the schema has no "type"'],
		[{ type: 'text' }, 'the type of the schema must be one of array, boolean'],
		[{ type: 7 }, 'the type of the schema must be one of'],
		[{ type: [] }, 'the type of the schema must be one of'],
		[{ type: ['string', 'text'] }, 'the type of the schema must be one of'],
		[{ type: 'object', properties: ['a'] }, '"properties" of the schema must be an object'],
		[{ type: 'object', properties: { a: 'string' } }, '"a" must be an object'],
		[{ type: 'object', properties: { a: { city: STRING } } }, '"a" has no "type"'],
		[{ type: 'object', properties: { a: { city: 'string' } } }, '"a" has no "type"'],
		[{ contentSchema: 'string' }, '"contentSchema" of the schema must be an object'],
		[{ type: null }, 'the type of the schema must be one of'],
		[{ type: 'object', properties: { a: STRING }, required: 'a' }, '"required" of the schema'],
		[{ type: 'array', items: 'string' }, '"items" of the schema must be an object'],
		[{ type: 'array', items: ['string'] }, 'a choice of the schema must be an object'],
		[{ type: 'string', enum: [] }, '"enum" of the schema must be an array'],
		[{ anyOf: [] }, '"anyOf" of the schema must be an array of schemas'],
		[{ anyOf: [STRING, 'null'] }, 'a choice of the schema must be an object'],
		[{ additionalProperties: 'no' }, '"additionalProperties" of the schema must be an object'],
		[{ $defs: { a: { b: {} } } }, '"a" has no "type"'],
	])('says why %j is none', (schema, why) => {
		expect(whyNotSchema(schema)).toMatch(why);
	});
});

it('whyNotSchema bears what is nested deeply', () => {
	expect(whyNotSchema(deep(5_000))).toBe('it is nested deeper than 100 levels');
});

it('mapParts reaches every schema inside, and nothing else', () => {
	const schema = {
		...{ title: 'items', enum: [STRING], default: { items: STRING }, required: ['a'] },
		...{ items: STRING, additionalProperties: false, anyOf: [STRING, true] },
		...{ properties: { enum: STRING }, $defs: { a: STRING }, prefixItems: [STRING] },
	};
	expect(mapParts(schema, () => 'mapped')).toEqual({
		...{ title: 'items', enum: [STRING], default: { items: STRING }, required: ['a'] },
		...{ items: 'mapped', additionalProperties: 'mapped', anyOf: ['mapped', 'mapped'] },
		...{ properties: { enum: 'mapped' }, $defs: { a: 'mapped' }, prefixItems: ['mapped'] },
	});
});
