import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { byId } from '../../support/stage';
import { useTextStage, type TextRun } from './support/stage';

const { run, asked } = useTextStage();

const withFile = (bytes: number, mimeType: string, images = 'data'): TextRun => {
	const data = { data: Buffer.alloc(bytes, 'a').toString('base64'), mimeType };
	const items: INodeExecutionData[] = [{ json: {}, binary: { data } }];
	return { parameters: { images }, items };
};
const withOptions = (options: IDataObject): TextRun => ({ parameters: { prompt: 'Hi', options } });
const withSchema = (jsonSchema: string): TextRun => ({
	parameters: { prompt: 'Hi', jsonOutput: true, jsonSchema },
});
const withTurn = (role: string, text: string, prompt = 'Hi'): TextRun => ({
	parameters: { prompt, conversation: { turns: [{ role, text }] } },
});
const ONE_WAY = /^Use Thinking Level for Gemini 3 models, and Thinking Budget for older ones\.$/;

/** Bad input, the message, and the description where there is one. */
const ROWS: Array<[string, TextRun, RegExp, RegExp?]> = [
	['no prompt', { parameters: { prompt: ' ' } }, /^Prompt is empty \[item 0\]$/, /Fill in Prompt/],
	[
		'no prompt behind a turn of the model',
		withTurn('model', 'Hi', ''),
		/^Prompt is empty and the conversation ends with a model turn/,
		/^Fill in Prompt\./,
	],
	[
		'an object as prompt',
		{ parameters: { prompt: '={{ $json }}' } },
		/^Prompt must be text/,
		/JSON\.stringify/,
	],
	[
		'no model',
		{ parameters: { prompt: 'Hi', model: byId('={{ $json.missing }}') } },
		/^Model is empty/,
		/Fill in Model/,
	],
	[
		'a wrong role',
		withTurn('assistant', 'Hi'),
		/^Conversation, turn 1 has the unknown role "assistant"/,
		/The role must be user or model/,
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
	['a file of no known type', withFile(9, ''), /does not say what type of file/, /accepts/],
	['an image that is none', withFile(9, 'image/png'), /does not contain an image/, /accepts/],
	['an empty file', withFile(0, 'text/plain'), /is empty \[item 0\]$/, /accepts/],
	[
		'files of more than 15 MB',
		withFile(8_000_000, 'audio/mpeg', 'data,data'),
		/^The files are larger than 15 MB in total/,
		/Make them smaller/,
	],
	[
		'broken JSON in extra fields',
		withOptions({ extraFields: '{"a":' }),
		/^Extra Fields \(JSON\) is not valid JSON/,
		/^Unexpected end of JSON input/,
	],
	[
		'a file URL that does not tell its type',
		withOptions({ fileUrls: { files: [{ url: 'https://a.example/b' }] } }),
		/^File URLs, row 1: The address "https:\/\/a\.example\/b" does not say what type/,
		/^Choose its Media Type\. Nothing was sent/,
	],
	[
		'half a place',
		withOptions({ latitude: 52.5 }),
		/^Location Latitude and Location Longitude must be set together/,
		/^Add the other one, or remove both\. Nothing was sent/,
	],
	[
		'broken JSON as schema',
		withSchema('{"type"'),
		/^JSON Schema is not valid JSON/,
		/^Expected ':'/,
	],
	[
		'an example as schema',
		withSchema('{"city":"Paris"}'),
		/^JSON Schema is not a valid schema: the schema has no "type"/,
		/not an example of it/,
	],
	[
		'a temperature of 3',
		withOptions({ temperature: 3 }),
		/^Temperature must be a number, from 0 to 2 \[item 0\]/,
		/^It is "3"\. If it is an expression, check/,
	],
	[
		'both thinking options',
		withOptions({ thinkingBudget: 0, thinkingLevel: 'low' }),
		/^Thinking Budget and Thinking Level cannot be used together/,
		ONE_WAY,
	],
	[
		'two settings for one category',
		withOptions({
			safetySettings: {
				settings: ['OFF', 'BLOCK_NONE'].map((threshold) => ({ category: 'A', threshold })),
			},
		}),
		/^Safety Settings contains more than one setting for A/,
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
	expect(asked()).toHaveLength(0);
	const stopped = await run(request);
	expect(stopped.error).toMatchObject({ name: 'NodeOperationError' });
	expect(stopped.error?.message).toMatch(message);
});
