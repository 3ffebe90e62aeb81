import type { INodeExecutionData } from 'n8n-workflow';

import type { RequestBody } from '../../sandbox/service';
import type { BinaryMode } from '../support/engine';
import { byId, KEY } from '../support/stage';
import { onlyItem, TEXT_MODEL, TYPE, useTextStage, type TextRun } from '../support/textStage';

const PNG =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

const base64 = (text: string) => Buffer.from(text).toString('base64');

const withFiles = (binary: INodeExecutionData['binary']): INodeExecutionData[] => [
	{ json: {}, binary },
];

const { stage, run, asked } = useTextStage();

type Sent = RequestBody & Required<Pick<RequestBody, 'contents'>>;

/** The body of the only request that a run makes. */
async function bodyOf(request: TextRun) {
	onlyItem(await run(request));
	expect(asked()).toHaveLength(1);
	return asked()[0].body as Sent;
}

describe('the request', () => {
	it('is the documented one and nothing else', async () => {
		expect(await bodyOf({ parameters: { prompt: 'Name a colour' } })).toEqual({
			contents: [{ role: 'user', parts: [{ text: 'Name a colour' }] }],
		});
		const [{ method, url }] = asked();
		expect(`${method} ${url}`).toBe(`POST /v1beta/models/${TEXT_MODEL}:generateContent`);
	});

	it('leaves out options that are there but empty', async () => {
		const options = {
			temperature: '',
			thinkingBudget: null,
			thinkingLevel: '',
			stopSequences: [],
			tools: [],
			responseModalities: [],
			safetySettings: {},
			extraFields: '{}',
			conversationJson: '[]',
		};
		const parameters = { prompt: 'Hi', systemInstruction: '  ', images: ' , ', options };
		expect(await bodyOf({ parameters })).toEqual({
			contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
		});
	});

	it('carries instruction, conversation and prompt in order', async () => {
		const turns = [
			{ role: 'user', text: 'One' },
			{ role: 'model', text: 'Two' },
		];
		const conversationJson = JSON.stringify([
			{ role: 'user', parts: [{ text: 'Minus one' }] },
			{ role: 'model', text: 'Zero' },
		]);
		const parameters = {
			prompt: ' Three\n',
			systemInstruction: 'Count',
			conversation: { turns },
			options: { conversationJson },
		};
		expect(await bodyOf({ parameters })).toEqual({
			systemInstruction: { parts: [{ text: 'Count' }] },
			contents: [
				{ role: 'user', parts: [{ text: 'Minus one' }] },
				{ role: 'model', parts: [{ text: 'Zero' }] },
				{ role: 'user', parts: [{ text: 'One' }] },
				{ role: 'model', parts: [{ text: 'Two' }] },
				{ role: 'user', parts: [{ text: ' Three\n' }] },
			],
		});
	});

	it('takes a conversation that ends with the user as the question', async () => {
		const conversation = { turns: [{ role: 'user', text: 'One' }] };
		const { contents } = await bodyOf({ parameters: { conversation } });
		expect(contents).toEqual([{ role: 'user', parts: [{ text: 'One' }] }]);
	});

	it('takes a conversation from an expression', async () => {
		const history = [
			{ role: 'user', text: 'One' },
			{ role: 'model', text: 'Two' },
		];
		const options = { conversationJson: '={{ $json.history }}' };
		const parameters = { prompt: 'Three', options };
		const { contents } = await bodyOf({ parameters, items: [{ json: { history } }] });
		expect(contents).toHaveLength(3);
	});

	it('carries every option in the spelling of the protocol', async () => {
		const options = {
			candidateCount: 2,
			frequencyPenalty: 0.5,
			maxOutputTokens: 200,
			presencePenalty: -0.5,
			seed: 7,
			temperature: 0,
			thinkingBudget: 0,
			topK: 20,
			topP: 0.9,
			stopSequences: ['END', ''],
			responseModalities: ['TEXT', 'IMAGE'],
			safetySettings: {
				settings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
			},
			tools: ['googleSearch', 'codeExecution'],
		};
		expect(await bodyOf({ parameters: { prompt: 'Hi', options } })).toEqual({
			contents: expect.anything(),
			generationConfig: {
				candidateCount: 2,
				frequencyPenalty: 0.5,
				maxOutputTokens: 200,
				presencePenalty: -0.5,
				seed: 7,
				temperature: 0,
				thinkingConfig: { thinkingBudget: 0 },
				topK: 20,
				topP: 0.9,
				stopSequences: ['END'],
				responseModalities: ['TEXT', 'IMAGE'],
			},
			safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
			tools: [{ googleSearch: {} }, { codeExecution: {} }],
		});
	});

	it('takes extra fields along, but never in the place of what was set', async () => {
		const extraFields = JSON.stringify({
			labels: { team: 'a' },
			contents: [],
			tools: [{ urlContext: {} }],
			generationConfig: { temperature: 2, mediaResolution: 'MEDIA_RESOLUTION_LOW' },
		});
		const options = { temperature: 0.5, tools: ['googleSearch'], extraFields };
		expect(await bodyOf({ parameters: { prompt: 'Hi', options } })).toEqual({
			labels: { team: 'a' },
			contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
			tools: [{ googleSearch: {} }, { urlContext: {} }],
			generationConfig: { temperature: 0.5, mediaResolution: 'MEDIA_RESOLUTION_LOW' },
		});
	});

	const NATIVE = { type: 'OBJECT', properties: { city: { type: 'STRING' } } };
	const WIDER = { type: 'object', properties: {}, additionalProperties: false };

	it.each([
		['no schema', '', {}],
		['a schema in native words', JSON.stringify(NATIVE), { responseSchema: NATIVE }],
		['a schema in wider words', JSON.stringify(WIDER), { responseJsonSchema: WIDER }],
	])('asks for JSON with %s', async (_what, jsonSchema, fields) => {
		const parameters = { prompt: 'Hi', jsonOutput: true, jsonSchema };
		expect((await bodyOf({ parameters })).generationConfig).toEqual({
			responseMimeType: 'application/json',
			...fields,
		});
	});

	it.each([
		[`models/${TEXT_MODEL}`, `/v1beta/models/${TEXT_MODEL}:generateContent`],
		['my model/v1?', '/v1beta/models/my%20model%2Fv1%3F:generateContent'],
	])('asks the model %s at its address', async (value, path) => {
		stage.sandbox.set({ models: { text: [TEXT_MODEL, 'my model/v1?'] } });
		await bodyOf({ parameters: { prompt: 'Hi', model: byId(value) } });
		expect(asked()[0].path).toBe(path);
	});
});

describe('files', () => {
	it('go along with the prompt', async () => {
		const binary = {
			data: { data: PNG, mimeType: 'application/octet-stream' },
			report: { data: base64('%PDF-1.7'), mimeType: 'application/pdf' },
			list: { data: base64('{"a":1}'), mimeType: 'application/json; charset=utf-8' },
		};
		const parameters = { prompt: 'Compare', images: 'data, report,list' };
		const { contents } = await bodyOf({ parameters, items: withFiles(binary) });
		expect(contents[0].parts).toEqual([
			{ inlineData: { mimeType: 'image/png', data: PNG } },
			{ inlineData: { mimeType: 'application/pdf', data: base64('%PDF-1.7') } },
			{ inlineData: { mimeType: 'text/plain', data: base64('{"a":1}') } },
			{ text: 'Compare' },
		]);
	});

	it('of another type than they say go under their own', async () => {
		const binary = { data: { data: PNG, mimeType: 'image/jpeg' } };
		const { contents } = await bodyOf({
			parameters: { images: '={{ Object.keys($binary) }}' },
			items: withFiles(binary),
		});
		expect(contents[0].parts).toEqual([{ inlineData: { mimeType: 'image/png', data: PNG } }]);
	});

	it('may go along without a prompt, with the last turn of the user', async () => {
		const binary = { data: { data: PNG, mimeType: 'image/png' } };
		const conversation = { turns: [{ role: 'user', text: 'What is it?' }] };
		const { contents } = await bodyOf({
			parameters: { images: 'data', conversation },
			items: withFiles(binary),
		});
		expect(contents).toEqual([
			{ role: 'user', parts: [{ inlineData: expect.anything() }, { text: 'What is it?' }] },
		]);
	});

	/** One node makes files, which n8n stores; the next one sends them along. */
	const passOn = async (bytes: number[], binaryMode: BinaryMode) => {
		const { createHash } = await import('node:crypto');
		const parts = bytes.map((length) => {
			const data = Buffer.alloc(length, 'audio').toString('base64');
			return { inlineData: { mimeType: 'audio/mpeg', data } };
		});
		const plan = { text: { status: 200, json: { candidates: [{ content: { parts } }] } } };
		const node = (name: string, parameters: object) => ({
			name,
			type: TYPE,
			parameters: { model: byId(TEXT_MODEL), prompt: name, ...parameters } as never,
			onError: 'continueErrorOutput' as const,
		});
		stage.sandbox.set({ plan });
		const result = await stage.engine.run({
			nodes: [node('Make', {}), node('Pass On', { images: 'data, data_1' })],
			connections: { Make: { main: [[{ node: 'Pass On', type: 'main', index: 0 }]] } },
			credentials: { nativeTextApi: stage.credentials.nativeTextApi as never },
			binaryMode,
		});
		const sent = parts.map(({ inlineData: { mimeType, data } }) => {
			const sha256 = createHash('sha256').update(data).digest('hex');
			return { inlineData: { mimeType, data: { length: data.length, sha256 } } };
		});
		return { result, sent };
	};

	it.each(['default', 'filesystem'] as const)(
		'come from where n8n keeps them: %s',
		async (mode) => {
			const { sent } = await passOn([3_000_001, 2_000_000], mode);
			expect(asked()[1].body?.contents?.[0].parts).toEqual([...sent, { text: 'Pass On' }]);
		},
	);

	it.each(['default', 'filesystem'] as const)('of 16 MB are refused: %s', async (mode) => {
		const { result } = await passOn([8_000_000, 8_000_000], mode);
		expect(asked()).toHaveLength(1);
		const [, [failed]] = result.outputs();
		expect(failed.json.error).toMatchObject({
			message:
				'The files to send along are larger than 15 MB in all, counted up to the binary field "data_1" [item 0]',
			description: expect.stringContaining('Make them smaller'),
		});
	});
});

describe('the key', () => {
	const parameters = { prompt: 'Hi' };

	it('goes in the usual header', async () => {
		await bodyOf({ parameters });
		const [{ headers, query, key }] = asked();
		expect(key).toBe('header');
		expect(headers['x-goog-api-key']).toBe(KEY);
		expect(headers).not.toHaveProperty('authorization');
		expect(query).toEqual({});
	});

	it('goes in a header of any name', async () => {
		await bodyOf({ parameters, credential: { headerName: 'x-vendor-api-key' } });
		const [{ headers, key }] = asked();
		expect(key).toBe('header');
		expect(headers['x-vendor-api-key']).toBe(KEY);
		expect(headers).not.toHaveProperty('x-goog-api-key');
	});

	it('goes in the query, and nowhere else', async () => {
		await bodyOf({ parameters, credential: { keyLocation: 'query' } });
		const [{ query, headers, key }] = asked();
		expect(key).toBe('query');
		expect(query).toEqual({ key: KEY });
		expect(JSON.stringify(headers)).not.toContain(KEY);
	});

	it.each(['/', '/v1', '/v1beta/', '/v1beta/models'])(
		'goes to a base URL that ends with %s',
		async (tail) => {
			await bodyOf({ parameters, credential: { baseUrl: ` ${stage.sandbox.url}${tail} ` } });
			expect(asked()[0].path).toBe(`/v1beta/models/${TEXT_MODEL}:generateContent`);
		},
	);

	it.each(['header', 'query'])(
		'in the %s shows nowhere, whatever the service says',
		async (place) => {
			const said = `No key ${KEY} here, nor ${encodeURIComponent('secret/key+1')}`;
			for (const apiKey of [KEY, 'secret/key+1']) {
				stage.sandbox.set({ outage: { status: 400, json: { error: { message: said } } } });
				const result = await run({
					parameters,
					credential: { apiKey, keyLocation: place },
					onError: 'continueErrorOutput',
				});
				const seen = JSON.stringify([result.outputs(), result.logs, result.run, result.uiMessages]);
				expect(seen).toContain('[API key]');
				for (const form of [apiKey, encodeURIComponent(apiKey)]) expect(seen).not.toContain(form);
			}
		},
	);
});

describe('the list of models', () => {
	const list = async () =>
		await stage.engine.listSearch({ type: TYPE }, 'searchTextModels', {
			credentials: { nativeTextApi: stage.credentials.nativeTextApi as never },
			filter: '2.5-FLASH',
		});

	it.each([true, false])(
		'is there whether or not the service lists models (%s)',
		async (listings) => {
			stage.sandbox.set({ listings });
			expect(await list()).toEqual({ results: [{ name: TEXT_MODEL, value: TEXT_MODEL }] });
		},
	);
});
