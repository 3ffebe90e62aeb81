import fc from 'fast-check';

import { findBreak } from '../../../../nodes/shared/text/schemaCheck';

const STRING = { type: 'string' };
const NUMBER = { type: 'NUMBER' };
const PRICES = {
	type: 'object',
	properties: { items: { type: 'array', items: { properties: { price: NUMBER } } } },
};
const TREE = {
	$defs: { node: { properties: { next: { $ref: '#/$defs/node' }, a: NUMBER } } },
	$ref: '#/$defs/node',
};
const EITHER = { anyOf: [{ required: ['a'] }, { required: ['b'] }] };
const parsed = (json: string) => JSON.parse(json) as unknown;

describe('findBreak', () => {
	it.each([
		[true, { a: 1 }],
		[{}, 'Blue'],
		[{ type: 'integer' }, 5],
		[{ type: 'number' }, 5],
		[{ type: ['string', 'null'] }, null],
		[{ type: 'STRING', nullable: true, enum: ['a'] }, null],
		[{ type: 'text' }, 5],
		[{ enum: ['a', 1, { a: [1, null] }] }, { a: [1, null] }],
		[{ type: 'integer', format: 'enum', enum: ['101'] }, 101],
		[{ const: null }, null],
		[{ required: ['a'] }, ['no object']],
		[{ properties: { a: NUMBER } }, { b: 'x' }],
		[
			{ properties: { a: NUMBER }, additionalProperties: STRING },
			{ a: 1, b: 'x' },
		],
		[
			{ patternProperties: { '^x': STRING, '-': NUMBER }, additionalProperties: false },
			{ x1: 'a', 'b-c': 1 },
		],
		// What takes too long to try, or is no pattern, is not looked at.
		[{ patternProperties: { '^(a+)+$': {} }, additionalProperties: false }, { b: 1 }],
		[{ patternProperties: { 'a*a*': {} }, additionalProperties: false }, { b: 1 }],
		[{ patternProperties: { '[': {} }, additionalProperties: false }, { b: 1 }],
		[{ patternProperties: { '^x': {} }, additionalProperties: false }, { ['y'.repeat(101)]: 1 }],
		[{ items: STRING }, []],
		[{ prefixItems: [STRING], items: NUMBER }, ['a', 1, 2]],
		[{ items: [STRING, NUMBER] }, ['a', 1, 'anything']],
		[EITHER, { b: 1 }],
		// What tells choices apart may be a word that is not looked at.
		[{ oneOf: [{ minimum: 0 }, { maximum: 0 }] }, 5],
		[{ pattern: '^a$', minLength: 3, format: 'email', minimum: 9 }, 'b'],
		[TREE, { next: { next: { a: 1 } } }],
		[{ $ref: '#/$defs/none', type: 'number' }, 5],
		[{ $ref: '#a', $defs: { a: { $anchor: 'a', type: 'string' } } }, 5],
		[{ $ref: '#/%' }, 5],
		[{ $ref: 'https://example.com/schema' }, 5],
		[{ $ref: '#', type: 'number' }, 5],
		// Drafts up to 7 read nothing beside it.
		[{ $schema: 'http://json-schema.org/draft-07/schema#', $ref: '#', type: 'string' }, 5],
	])('%j: %j fits', (schema, value) => {
		expect(findBreak(schema, value)).toBeUndefined();
	});

	it.each([
		[false, 1, '$ is not allowed'],
		[{ type: 'object' }, [], '$ must be object, and is array'],
		[{ type: ['string', 'null'] }, 1, '$ must be string or null, and is number'],
		[{ type: 'integer' }, 1.5, '$ must be integer, and is number'],
		[{ type: 'string', nullable: false }, null, '$ must be string, and is null'],
		[PRICES, { items: [{}, {}, { price: '5' }] }, '$.items[2].price must be number, and is string'],
		[{ enum: ['a', 1] }, '1', '$ is none of the values that enum allows'],
		[{ enum: [{ a: 1 }] }, { a: 2 }, '$ is none of the values that enum allows'],
		[{ enum: [{ a: 1 }] }, { a: 1, b: 2 }, '$ is none of the values that enum allows'],
		[{ enum: [[1]] }, { 0: 1 }, '$ is none of the values that enum allows'],
		[{ const: 'a' }, 'b', '$ is not the value that const allows'],
		[{ required: ['a'] }, {}, '$.a is missing'],
		[{ required: ['toString'] }, {}, '$.toString is missing'],
		[{ properties: { a: { required: ['b c'] } } }, { a: {} }, '$.a["b c"] is missing'],
		[{ properties: {}, additionalProperties: false }, { b: 1 }, '$.b is not allowed'],
		[{ additionalProperties: NUMBER }, { b: 'x' }, '$.b must be number, and is string'],
		[
			parsed('{"properties":{"__proto__":{"type":"number"}}}'),
			parsed('{"__proto__":"x"}'),
			'$.__proto__ must be number, and is string',
		],
		[
			{ patternProperties: { '^x': STRING }, additionalProperties: false },
			{ x: 'a', y: 1 },
			'$.y is not allowed',
		],
		[
			{ properties: { x: {} }, patternProperties: { '^x': STRING } },
			{ x: 1 },
			'$.x must be string, and is number',
		],
		[{ $ref: '#/$defs/b', $defs: { b: {} }, required: ['id'] }, {}, '$.id is missing'],
		[{ $ref: '#/$defs/a%20b', $defs: { 'a b': STRING } }, 5, '$ must be string, and is number'],
		[{ prefixItems: [STRING], items: false }, ['a', 1], '$[1] is not allowed'],
		[
			{ items: [STRING], additionalItems: NUMBER },
			['a', 'b'],
			'$[1] must be number, and is string',
		],
		[EITHER, { c: 1 }, '$ fits no choice of anyOf'],
		[{ oneOf: [STRING, NUMBER] }, null, '$ fits no choice of oneOf'],
		[
			{ anyOf: [PRICES, { type: 'null' }] },
			{ items: [{ price: null }] },
			'$.items[0].price must be number, and is null',
		],
		[{ allOf: [{}, { required: ['a'] }] }, {}, '$.a is missing'],
		[TREE, { next: { next: { a: 'x' } } }, '$.next.next.a must be number, and is string'],
		[
			{ definitions: { 'a/b': STRING }, items: { $ref: '#/definitions/a~1b' } },
			[1],
			'$[0] must be string, and is number',
		],
		[
			{ additionalProperties: STRING },
			{ ['x'.repeat(60)]: 1 },
			`$["${'x'.repeat(50)}..."] must be string, and is number`,
		],
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
			['itself', { $ref: '#' }, 1],
			['itself among choices', twice('#'), 1],
			['choices that double', { ...twice('#/$defs/a0'), $defs: { ...doubling, a90: STRING } }, 1],
			['what is nested deeply', { items: { $ref: '#' } }, nested(20_000)],
			['a long list of long enums', { items: { enum: list.map(String) } }, list.map(String)],
			['a deep value in enum', { enum: [nested(20_000)] }, nested(20_000)],
		])('%s', (_what, schema, value) => {
			expect(findBreak(schema, value)).toBeUndefined();
		});
	});
});

/** A schema, a value that fits it, and one that does not with the path of the break. */
interface Case {
	schema: object;
	fits: unknown;
	breaks: { value: unknown; path: string };
}

const leaf = fc.constantFrom<Case>(
	{ schema: STRING, fits: 'a', breaks: { value: 1, path: '' } },
	{ schema: NUMBER, fits: 1.5, breaks: { value: 'a', path: '' } },
	{ schema: { type: ['integer', 'null'] }, fits: null, breaks: { value: 0.5, path: '' } },
	{ schema: { enum: ['a', 2] }, fits: 2, breaks: { value: 3, path: '' } },
	{ schema: { const: false }, fits: false, breaks: { value: null, path: '' } },
	{ schema: { required: ['z'] }, fits: { z: 1 }, breaks: { value: {}, path: '.z' } },
);

const { any } = fc.letrec<{ any: Case }>((tie) => {
	const inner = tie('any');
	const inside = (path: string, wrap: (value: unknown) => unknown) => (one: Case) => ({
		fits: wrap(one.fits),
		breaks: { value: wrap(one.breaks.value), path: `${path}${one.breaks.path}` },
	});
	const property = inside('.p', (value) => ({ o: 'x', p: value }));
	const item = (one: Case) => inside('[1]', (value) => [one.fits, value])(one);
	return {
		any: fc.oneof(
			{ depthSize: 'small' },
			leaf,
			inner.map((one) => ({
				schema: {
					type: 'object',
					properties: { p: one.schema, o: {} },
					additionalProperties: false,
				},
				...property(one),
			})),
			inner
				.map((one) => ({ schema: { additionalProperties: one.schema }, ...property(one) }))
				.map(({ schema, fits, breaks }) => {
					const only = (value: unknown) => ({ p: (value as { p: unknown }).p });
					return { schema, fits: only(fits), breaks: { ...breaks, value: only(breaks.value) } };
				}),
			inner.map((one) => ({ schema: { type: 'ARRAY', items: one.schema }, ...item(one) })),
			inner.map((one) => ({ ...one, schema: { allOf: [true, one.schema] } })),
			inner
				.map((one) => ({ ...one, schema: { anyOf: [false, one.schema] } }))
				.filter(({ breaks }) => breaks.path !== ''),
		),
	};
});

it('finds the one place that breaks, however deep, and none in what fits', () => {
	fc.assert(
		fc.property(any, ({ schema, fits, breaks }) => {
			expect(findBreak(schema, fits)).toBeUndefined();
			expect(findBreak(schema, breaks.value)).toMatchObject({ path: `$${breaks.path}` });
		}),
	);
});
