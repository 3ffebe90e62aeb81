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
	['an object without properties is none', { type: 'object', properties: {} }, {}],
	['no schema is none', undefined, {}],
])('parameters: %s', (_what, schema, wanted) => {
	expect(declare(schema)).toEqual({
		tools: [{ functionDeclarations: [{ name: 'look', description: 'Looks', ...wanted }] }],
	});
});
