import { itCostsNothing, NO_MORE, type BadInput } from '../support/badInput';
import { useTextStage } from '../support/stage';

const textStage = useTextStage();

describe('bad input costs nothing and says what to do', () => {
	const rows: BadInput[] = [
		[
			'broken JSON in extra fields',
			{ parameters: { prompt: 'Hi', options: { extraFields: '{"a":' } } },
			/^Extra Fields \(JSON\) is not valid JSON/,
			/^Unexpected end of JSON input/,
		],
		[
			'a text as generationConfig',
			{ parameters: { prompt: 'Hi', options: { extraFields: '{"generationConfig":"hot"}' } } },
			/^generationConfig in Extra Fields \(JSON\) is not valid JSON/,
			/"hot" is not valid JSON/,
		],
		[
			'an object as contents',
			{ parameters: { prompt: 'Hi', options: { extraFields: '{"contents":{"parts":[]}}' } } },
			/^contents in Extra Fields \(JSON\) must be a list/,
			/^Write it as \{ "contents": \[\.\.\.\] \}\. Nothing was sent/,
		],
		[
			'a file URL that does not tell its type',
			{ parameters: { options: { fileUrls: { files: [{ url: 'https://a.example/b' }] } } } },
			/^File URLs, row 1: The address "https:\/\/a\.example\/b" does not say what type/,
			/^Choose its Media Type\. Nothing was sent/,
		],
		[
			'half a place',
			{ parameters: { prompt: 'Hi', options: { latitude: 52.5 } } },
			/^Location Latitude and Location Longitude must be set together/,
			/^Add the other one, or remove both\. Nothing was sent/,
		],
		[
			'a voice that there is not',
			{ parameters: { prompt: 'Hi', options: { voice: 'Nobody' } } },
			/^Voice must be one of: Achernar, Achird, .*Zubenelgenubi/,
			/^It is "Nobody"/,
		],
		[
			'a schema that allows nothing',
			{ parameters: { prompt: 'Hi', jsonOutput: true, jsonSchema: 'false' } },
			/^JSON Schema is not a valid schema: false allows no answer at all/,
			/not an example of it/,
		],
		[
			'broken JSON as schema',
			{ parameters: { prompt: 'Hi', jsonOutput: true, jsonSchema: '{"type"' } },
			/^JSON Schema is not valid JSON/,
			/^Expected ':' after property name/,
		],
		[
			'an example as schema',
			{ parameters: { prompt: 'Hi', jsonOutput: true, jsonSchema: '{"city":"Paris"}' } },
			/^JSON Schema is not a valid schema: the schema has no "type"/,
			/not an example of it/,
		],
		[
			'a temperature of 3',
			{ parameters: { prompt: 'Hi', options: { temperature: 3 } } },
			/^Temperature must be a number, from 0 to 2 \[item 0\]/,
			/^It is "3"\. If it is an expression, check/,
		],
		[
			'a token and a half',
			{ parameters: { prompt: 'Hi', options: { maxOutputTokens: 1.5 } } },
			/^Max Output Tokens must be a whole number, 1 or more/,
			/^It is "1\.5"\. If it is an expression, check/,
		],
		[
			'a seed of words',
			{ parameters: { prompt: 'Hi', options: { seed: '={{ "abc" }}' } } },
			/^Seed must be a whole number/,
			/^It is "abc"\. If it is an expression, check/,
		],
		[
			'both thinking options',
			{ parameters: { prompt: 'Hi', options: { thinkingBudget: 0, thinkingLevel: 'low' } } },
			/^Thinking Budget and Thinking Level cannot be used together/,
			/^Use Thinking Level for Gemini 3 models, and Thinking Budget for older ones\.$/,
		],
		[
			'one of them in extra fields',
			{
				parameters: {
					prompt: 'Hi',
					options: {
						thinkingLevel: 'low',
						extraFields: '{"generationConfig":{"thinking_config":{"thinking_budget":0}}}',
					},
				},
			},
			/^Thinking Budget and Thinking Level cannot be used together/,
			/^Use Thinking Level for Gemini 3 models, and Thinking Budget for older ones\.$/,
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
			/^Safety Settings contains more than one setting for HARM_CATEGORY_HARASSMENT/,
			NO_MORE,
		],
		[
			'a concurrency of 0',
			{ parameters: { prompt: 'Hi', options: { concurrency: 0 } } },
			/^Batch Concurrency must be a number greater than 0/,
			/^It is "0"\. If it is an expression, check/,
		],
		[
			'a base URL that is none',
			{ parameters: { prompt: 'Hi' }, credential: { baseUrl: 'sk-not-an-address' } },
			/^The Base URL in the credential is not a web address/,
			/Open the credential/,
		],
	];

	itCostsNothing(textStage, rows);
});
