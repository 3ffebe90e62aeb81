import type { IDataObject } from 'n8n-workflow';

import type { Reader } from '../shared/item/reader';
import { isObject } from '../shared/lib/json';
import { whyNotSchema } from '../shared/text/schema';

const NOT_AN_EXAMPLE =
	'It must be a description of the JSON, such as { "type": "object", "properties": { "city": { "type": "string" } } }, not an example of it. Nothing was sent for this item.';

/** The JSON Schema of the answer; `undefined` where it says nothing: nothing set, `{}` or `true`. */
export function readSchema(read: Reader): IDataObject | undefined {
	if (!read.isSet('jsonSchema')) return undefined;
	const schema = parse(read, read.value('jsonSchema'));
	if (schema === true || (isObject(schema) && Object.keys(schema).length === 0)) return undefined;
	const why = schema === false ? 'false allows no answer at all' : whyNotSchema(schema);
	if (why === undefined) return schema as IDataObject;
	return read.refuse(`JSON Schema is not a valid schema: ${why}`, NOT_AN_EXAMPLE);
}

function parse({ refuse }: Reader, value: unknown): unknown {
	if (typeof value !== 'string') return value;
	if (value.trim() === '') return {};
	try {
		return JSON.parse(value);
	} catch (error) {
		return refuse('JSON Schema is not valid JSON', (error as Error).message);
	}
}
