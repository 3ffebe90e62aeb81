import Ajv from 'ajv';
import type { IDataObject } from 'n8n-workflow';

import { readJson } from '../../../package/support/files';

/** What n8n's editor shows of an item before a node has run. */
interface OutputSchema {
	type: 'object';
	properties: Record<string, IDataObject>;
	required: string[];
	version: number;
}

/** The schema that is published with a node, e.g. `VideoGenerate`. */
export const schemaOf = (node: string) =>
	readJson<OutputSchema>(`dist/nodes/${node}/__schema__/v1.0.0.json`);

/**
 * What is not as the schema says, in words; a field that it does not name is, too, unless `beside`
 * names it: the fields that come only where an option asks for them.
 */
export function deviations(node: string, json: IDataObject, beside: string[] = []): string[] {
	const ajv = new Ajv({ allErrors: true });
	const free = Object.fromEntries(beside.map((name) => [name, {}]));
	const { properties, ...schema } = schemaOf(node);
	const isValid = ajv.compile({
		...schema,
		properties: { ...properties, ...free },
		additionalProperties: false,
	});
	if (isValid(json)) return [];
	return isValid.errors!.map(({ dataPath, message, params }) =>
		[dataPath, message, JSON.stringify(params)].filter(Boolean).join(' '),
	);
}
