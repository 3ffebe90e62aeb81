import type { Tool } from '../../../nodes/LmNativeText/protocol';
import type { Sdk } from '../../../nodes/LmNativeText/sdk';
import { toTools } from '../../../nodes/LmNativeText/toDeclarations';

const tool: Tool = { type: 'function', name: 'look', description: 'Looks' };
const sdkWith = (schema: unknown) => ({ getParametersJsonSchema: () => schema }) as unknown as Sdk;
const declare = (schema: unknown) => toTools([tool], sdkWith(schema));

it('nothing is declared where there are no functions', () => {
	expect(toTools([], sdkWith({}))).toEqual({});
	expect(toTools([{ type: 'provider', name: 'search' }], sdkWith({}))).toEqual({});
});

const text = { type: 'string' };

it.each([
	[
		"n8n's own words are left out, a property of their name is not",
		{
			$schema: 'http://json-schema.org/draft-07/schema#',
			type: 'object',
			properties: {
				$schema: text,
				list: { type: 'array', items: { ...text, additionalProperties: false } },
				either: { anyOf: [{ ...text, additionalProperties: false }, { type: 'number' }] },
			},
			additionalProperties: false,
		},
		{
			parameters: {
				type: 'object',
				properties: {
					$schema: text,
					list: { type: 'array', items: text },
					either: { anyOf: [text, { type: 'number' }] },
				},
			},
		},
	],
	[
		'what only JSON Schema says goes where it is read',
		{ type: 'object', properties: { kind: { const: 'a' } } },
		{ parametersJsonSchema: { type: 'object', properties: { kind: { const: 'a' } } } },
	],
	...[{ type: 'string' }, {}, true].map((additionalProperties) => {
		const map = { type: 'object', additionalProperties };
		const schema = { type: 'object', properties: { map, other: text } };
		const says = JSON.stringify(additionalProperties);
		return [`what a map holds: ${says}`, schema, { parametersJsonSchema: schema }];
	}),
	[
		'a tool that is only a map has parameters',
		{
			$schema: 'x',
			type: 'object',
			additionalProperties: { ...text, additionalProperties: false },
		},
		{ parametersJsonSchema: { type: 'object', additionalProperties: text } },
	],
	[
		'so has one that only has choices',
		{ type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] },
		{
			parametersJsonSchema: { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] },
		},
	],
	...[false, true, {}].map((additionalProperties) => {
		const named = { type: 'object', properties: { a: text } };
		const schema = { ...named, additionalProperties };
		return [
			`more beside what is named says nothing: ${JSON.stringify(additionalProperties)}`,
			schema,
			{ parameters: named },
		];
	}),
	[
		'nothing but a ban on more is none',
		{ type: 'object', properties: {}, additionalProperties: false },
		{},
	],
	['an object without properties is none', { type: 'object', properties: {} }, {}],
	['no schema is none', undefined, {}],
] as Array<[string, unknown, object]>)('parameters: %s', (_what, schema, wanted) => {
	expect(declare(schema)).toEqual({
		tools: [{ functionDeclarations: [{ name: 'look', description: 'Looks', ...wanted }] }],
	});
});
