import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { byId } from '../../support/stage';
import { useTextStage, type TextRun } from './support/stage';

const { run, requests } = useTextStage();

const withFile = (bytes: number, mimeType: string, inputBinaryFields = 'data'): TextRun => {
	const data = { data: Buffer.alloc(bytes, 'a').toString('base64'), mimeType };
	const items: INodeExecutionData[] = [{ json: {}, binary: { data } }];
	return { parameters: { inputBinaryFields }, items };
};
const withSchema = (jsonSchema: string): TextRun => ({
	parameters: { prompt: 'Hi', outputFormat: 'json', schemaType: 'manual', jsonSchema },
});

/** Bad input, the message, and the description where there is one. */
const ROWS: Array<[string, TextRun, RegExp, RegExp?]> = [
	['no prompt', { parameters: { prompt: ' ' } }, /^Prompt is empty \[item 0\]$/, /Fill in Prompt/],
	[
		'no model',
		{ parameters: { prompt: 'Hi', model: byId('={{ $json.missing }}') } },
		/^Model is empty/,
		/Fill in Model/,
	],
	[
		'a binary field that is not there',
		withFile(9, 'text/plain', 'data, photo'),
		/^The item has no binary field "photo" \(Input Binary Fields\)/,
		/^Add a node that loads the file before this one, or correct the name\./,
	],
	[
		'a file that the protocol does not take',
		withFile(9, 'application/zip'),
		/^The binary field "data" \(Input Binary Fields\) has the unsupported type application\/zip/,
		/accepts images, audio, video, PDF and text/,
	],
	['an empty file', withFile(0, 'text/plain'), /is empty \[item 0\]$/, /accepts/],
	[
		'an example as schema',
		withSchema('{"city":"Paris"}'),
		/^JSON Schema is not a valid schema: the schema has no "type"/,
		/^To give an example of the JSON instead, set Schema Type to Generate From JSON Example\./,
	],
	[
		'a base URL that is none',
		{ parameters: { prompt: 'Hi' }, credential: { baseUrl: 'sk-not-an-address' } },
		/^The Base URL in the credential is not a web address/,
		/Open the credential/,
	],
];

const rows = ROWS.map(([what, request, message, advice]) => ({ what, request, message, advice }));

it.each(rows)('$what costs nothing, and says what to do', async ({ request, message, advice }) => {
	const result = await run({ ...request, onError: 'continueErrorOutput' });
	const [good, failed] = result.outputs();
	expect(good).toEqual([]);
	expect(failed).toHaveLength(1);
	const { error } = failed[0].json as { error: IDataObject };
	expect(error.message).toMatch(message);
	expect(error.description).toEqual(advice && expect.stringMatching(advice));
	expect(error).toMatchObject({ retryable: false });
	expect(requests()).toHaveLength(0);
	const stopped = await run(request);
	expect(stopped.error).toMatchObject({ name: 'NodeOperationError' });
	expect(stopped.error?.message).toMatch(message);
});
