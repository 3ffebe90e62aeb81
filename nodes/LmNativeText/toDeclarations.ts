import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../shared/lib/json';
import { toSchemaField } from '../shared/text/schemaField';
import type { Tool } from './protocol';
import type { Sdk } from './sdk';

/** Tools as the protocol's `tools`; nothing where there are none. */
export function toTools(tools: Tool[], { getParametersJsonSchema }: Sdk): IDataObject {
	const functions = tools.filter(({ type }) => type === 'function');
	if (functions.length === 0) return {};
	const functionDeclarations = functions.map((tool) => ({
		name: tool.name,
		...(tool.description && { description: tool.description }),
		...toParameters(getParametersJsonSchema(tool)),
	}));
	return { tools: [{ functionDeclarations }] };
}

/**
 * `parameters` takes the protocol's own kind of schema, which every deployment knows, and
 * `parametersJsonSchema` any. A tool without parameters has neither: an empty object is refused.
 */
function toParameters(given: unknown): IDataObject {
	if (!isObject(given)) return {};
	const schema = withoutNotes(given);
	if (isEmptyObject(schema)) return {};
	const { responseSchema, responseJsonSchema } = toSchemaField(schema);
	return responseSchema
		? { parameters: responseSchema }
		: { parametersJsonSchema: responseJsonSchema };
}

const isEmptyObject = ({ type, properties }: IDataObject) =>
	type === 'object' && (!isObject(properties) || Object.keys(properties).length === 0);

/** Words that n8n writes into the schema of each tool, and that ask nothing of a model. */
const NOTES = new Set(['$schema', 'additionalProperties']);

function withoutNotes(schema: IDataObject): IDataObject {
	const entries = Object.entries(schema).filter(([word]) => !NOTES.has(word));
	return Object.fromEntries(
		entries.map(([word, value]) => [word, clean(word, value)]),
	) as IDataObject;
}

/** Schemas stand in schemas; what stands under a name in `properties` is one, and no word. */
function clean(word: string, value: unknown): unknown {
	if (word === 'properties' && isObject(value)) {
		const named = Object.entries(value).map(([name, part]) => [name, clean('items', part)]);
		return Object.fromEntries(named) as IDataObject;
	}
	if (word === 'items' && isObject(value)) return withoutNotes(value);
	const isChoice = ['anyOf', 'oneOf', 'allOf'].includes(word) && Array.isArray(value);
	return isChoice ? (value as unknown[]).map((part) => clean('items', part)) : value;
}
