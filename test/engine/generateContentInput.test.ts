import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { byId } from '../support/stage';
import { useTextStage, type TextRun } from '../support/textStage';

const { run, asked } = useTextStage();

const file = (bytes: number, mimeType: string): INodeExecutionData['binary'] => ({
	data: { data: Buffer.alloc(bytes, 'a').toString('base64'), mimeType },
});

const ANYTHING = /./s;

describe('bad input costs nothing and says what to do', () => {
	const rows: Array<[string, TextRun, RegExp, RegExp]> = [
		[
			'no prompt',
			{ parameters: { prompt: ' ' } },
			/^Prompt is empty \[item 0\]$/,
			/Fill in Prompt/,
		],
		[
			'a prompt from a field that is not there',
			{ parameters: { prompt: '={{ $json.missing }}' } },
			/^Prompt is empty/,
			/check that the incoming item has the field/,
		],
		[
			'no prompt behind a turn of the model',
			{ parameters: { conversation: { turns: [{ role: 'model', text: 'Hi' }] } } },
			/^Prompt is empty and the conversation ends with a turn of the model/,
			ANYTHING,
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
			'no model but its prefix',
			{ parameters: { prompt: 'Hi', model: byId('models/') } },
			/^Model is empty/,
			ANYTHING,
		],
		[
			'a wrong role',
			{
				parameters: { prompt: 'Hi', conversation: { turns: [{ role: 'assistant', text: 'Hi' }] } },
			},
			/^Conversation, turn 1 has the role "assistant"/,
			/A role is user or model/,
		],
		[
			'an empty turn',
			{
				parameters: {
					prompt: 'Hi',
					conversation: {
						turns: [
							{ role: 'user', text: 'Hi' },
							{ role: 'model', text: ' ' },
						],
					},
				},
			},
			/^Conversation, turn 2 has no text/,
			ANYTHING,
		],
		[
			'a conversation that is no list',
			{ parameters: { prompt: 'Hi', options: { conversationJson: '{"role":"user"}' } } },
			/^Conversation \(JSON\) must be a JSON list of turns/,
			ANYTHING,
		],
		[
			'null as a turn',
			{ parameters: { prompt: 'Hi', options: { conversationJson: '[null]' } } },
			/^Conversation \(JSON\), turn 1 has the role ""/,
			ANYTHING,
		],
		[
			'a binary field that is not there',
			{
				parameters: { prompt: 'Hi', images: 'data, photo' },
				items: [{ json: {}, binary: file(9, 'text/plain') }],
			},
			/^The item has no binary field "photo" \(Input Binary Fields\)/,
			/correct the name/,
		],
		[
			'a binary field on an item without any',
			{ parameters: { prompt: 'Hi', images: 'data' } },
			/^The item has no binary field "data"/,
			ANYTHING,
		],
		[
			'a file that the protocol does not take',
			{ parameters: { images: 'data' }, items: [{ json: {}, binary: file(9, 'application/zip') }] },
			/^The binary field "data" \(Input Binary Fields\) is of the type application\/zip/,
			/takes images, audio, video, PDF and text/,
		],
		[
			'a file of no known type',
			{ parameters: { images: 'data' }, items: [{ json: {}, binary: file(9, '') }] },
			/does not say what kind of file it holds/,
			ANYTHING,
		],
		[
			'an image that is none',
			{ parameters: { images: 'data' }, items: [{ json: {}, binary: file(9, 'image/png') }] },
			/^The binary field "data" \(Input Binary Fields\) holds no image/,
			ANYTHING,
		],
		[
			'an empty file',
			{ parameters: { images: 'data' }, items: [{ json: {}, binary: file(0, 'text/plain') }] },
			/^The binary field "data" \(Input Binary Fields\) is empty/,
			ANYTHING,
		],
		[
			'files of more than 15 MB',
			{
				parameters: { images: 'data,data' },
				items: [{ json: {}, binary: file(8_000_000, 'audio/mpeg') }],
			},
			/^The files to send along are larger than 15 MB in all/,
			/Make them smaller/,
		],
		[
			'broken JSON in extra fields',
			{ parameters: { prompt: 'Hi', options: { extraFields: '{"a":' } } },
			/^Extra Fields is not valid JSON/,
			ANYTHING,
		],
		[
			'a text as generationConfig',
			{ parameters: { prompt: 'Hi', options: { extraFields: '{"generationConfig":"hot"}' } } },
			/^generationConfig in Extra Fields is not valid JSON/,
			ANYTHING,
		],
		[
			'broken JSON as schema',
			{ parameters: { prompt: 'Hi', jsonOutput: true, jsonSchema: '{"type"' } },
			/^JSON Schema is not valid JSON/,
			ANYTHING,
		],
		[
			'an example as schema',
			{ parameters: { prompt: 'Hi', jsonOutput: true, jsonSchema: '{"city":"Paris"}' } },
			/^JSON Schema is not a schema: the schema has no "type"/,
			/not an example of it/,
		],
		[
			'a temperature of 3',
			{ parameters: { prompt: 'Hi', options: { temperature: 3 } } },
			/^Temperature must be a number, from 0 to 2 \[item 0\]/,
			ANYTHING,
		],
		[
			'a token and a half',
			{ parameters: { prompt: 'Hi', options: { maxOutputTokens: 1.5 } } },
			/^Max Output Tokens must be a whole number, 1 or more/,
			ANYTHING,
		],
		[
			'a seed of words',
			{ parameters: { prompt: 'Hi', options: { seed: '={{ "abc" }}' } } },
			/^Seed must be a whole number/,
			ANYTHING,
		],
		[
			'both thinking options',
			{ parameters: { prompt: 'Hi', options: { thinkingBudget: 0, thinkingLevel: 'low' } } },
			/^Thinking Budget and Thinking Level exclude each other/,
			ANYTHING,
		],
		[
			'two settings for one category',
			{
				parameters: {
					prompt: 'Hi',
					options: {
						safetySettings: {
							settings: [
								{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' },
								{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' },
							],
						},
					},
				},
			},
			/^Safety Settings have two settings for HARM_CATEGORY_HARASSMENT/,
			ANYTHING,
		],
		[
			'a concurrency of 0',
			{ parameters: { prompt: 'Hi', options: { concurrency: 0 } } },
			/^Batch Concurrency must be a number above 0/,
			ANYTHING,
		],
		[
			'a base URL that is none',
			{ parameters: { prompt: 'Hi' }, credential: { baseUrl: 'sk-not-an-address' } },
			/^The Base URL in the credential is not a web address/,
			/Open the credential/,
		],
	];

	it.each(rows)('%s', async (_what, request, message, description) => {
		const result = await run({ ...request, onError: 'continueErrorOutput' });
		const [good, failed] = result.outputs();
		expect(good).toEqual([]);
		expect(failed).toHaveLength(1);
		const { error } = failed[0].json as { error: IDataObject };
		expect(error.message).toMatch(message);
		expect(String(error.description)).toMatch(description);
		expect(error).toMatchObject({ retryable: false });
		expect(asked()).toHaveLength(0);
		const stopped = await run(request);
		expect(stopped.error).toMatchObject({ name: 'NodeOperationError' });
		expect(stopped.error?.message).toMatch(message);
	});
});
