import Ajv from 'ajv';
import type { IDataObject } from 'n8n-workflow';

import { readJson } from '../../../package/support/files';

/** The schema of an item that n8n's editor shows before a node has run, e.g. of `VideoGenerate`, or of one operation. */
export const schemaOf = (node: string, operation = '') =>
	readJson<{ properties: object }>(
		`dist/nodes/${node}/__schema__/${['v1.0.0', operation].filter(Boolean).join('/')}.json`,
	);

/** What is not as the schema says, in words; a field that it does not name is, too. */
export function deviations(node: string, json: IDataObject, operation?: string): string[] {
	const ajv = new Ajv({ allErrors: true });
	const isValid = ajv.compile({ ...schemaOf(node, operation), additionalProperties: false });
	if (isValid(json)) return [];
	return isValid.errors!.map(({ dataPath, message, params }) =>
		[dataPath, message, JSON.stringify(params)].filter(Boolean).join(' '),
	);
}
