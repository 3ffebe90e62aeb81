import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../shared/lib/json';
import { mapParts } from '../shared/text/schema';
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

/** All that an object may say without naming or allowing a single property. */
const EMPTY_WORDS = new Set(['description', 'properties', 'required', 'title', 'type']);

const isEmptyObject = (schema: IDataObject) =>
	schema.type === 'object' &&
	Object.keys(schema).every((word) => EMPTY_WORDS.has(word)) &&
	Object.keys(schema.properties ?? {}).length === 0;

/** A copy without the words that n8n writes into the schema of each tool, and that ask nothing. */
function withoutNotes<Schema>(schema: Schema): Schema {
	if (!isObject(schema)) return schema;
	const entries = Object.entries(schema).filter(
		([word, value]) =>
			word !== '$schema' &&
			(word !== 'additionalProperties' || isMap(value, Object.hasOwn(schema, 'properties'))),
	);
	return mapParts(Object.fromEntries(entries), withoutNotes) as Schema;
}

/** Whether it says what a map holds, and not just that there may be more than is named. */
function isMap(additional: unknown, hasProperties: boolean): boolean {
	if (isObject(additional) && Object.keys(additional).length > 0) return true;
	return additional !== false && !hasProperties;
}
