import { buildRequest, type TextWish } from '../../../../nodes/shared/text/request';

const WISH: TextWish = {
	prompt: 'Hi',
	systemInstruction: '',
	turns: [],
	fileUrls: [],
	generationConfig: {},
	safetySettings: [],
	tools: [],
	toolConfig: {},
	extraFields: {},
};

const build = (wish: Partial<TextWish>, files: object[] = []) =>
	buildRequest({ ...WISH, ...wish }, files as never);

const FILE = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
const ASKED = { role: 'user' as const, parts: [{ text: 'What is it?' }] };
const ANSWERED = { role: 'model' as const, parts: [{ text: 'A cat' }] };

describe('buildRequest', () => {
	it('holds nothing that was not set', () => {
		expect(build({})).toEqual({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] });
	});

	it.each([
		['files before the prompt', { turns: [] }, [{ role: 'user', parts: [FILE, { text: 'Hi' }] }]],
		['files alone', { prompt: '' }, [{ role: 'user', parts: [FILE] }]],
		[
			'files in the last turn of the user',
			{ prompt: '', turns: [ANSWERED, ASKED] },
			[ANSWERED, { role: 'user', parts: [FILE, { text: 'What is it?' }] }],
		],
		[
			'files behind the last turn of the model',
			{ prompt: '', turns: [ASKED, ANSWERED] },
			[ASKED, ANSWERED, { role: 'user', parts: [FILE] }],
		],
		[
			'files with the prompt behind a turn of the user',
			{ turns: [ASKED] },
			[ASKED, { role: 'user', parts: [FILE, { text: 'Hi' }] }],
		],
	])('puts %s', (_what, wish, contents) => {
		expect(build(wish, [FILE]).contents).toEqual(contents);
	});

	it('leaves the turns it was given as they are', () => {
		const turns = [{ ...ASKED, parts: [...ASKED.parts] }];
		build({ prompt: '', turns }, [FILE]);
		expect(turns).toEqual([ASKED]);
	});

	it('takes what extra fields set where nothing else does', () => {
		const extraFields = {
			systemInstruction: { parts: [{ text: 'Extra' }] },
			safetySettings: [{ category: 'A' }],
			generationConfig: { topK: 1, seed: 1 },
			tools: [{ urlContext: {} }],
			toolConfig: { functionCallingConfig: { mode: 'NONE' } },
			cachedContent: 'x',
		};
		expect(build({ extraFields })).toMatchObject(extraFields);
		expect(
			build({
				extraFields,
				systemInstruction: 'Own',
				safetySettings: [{ category: 'B' }],
				generationConfig: { seed: 2 },
				tools: [{ googleSearch: {} }],
				toolConfig: { retrievalConfig: { latLng: { latitude: 1, longitude: 2 } } },
			}),
		).toEqual({
			systemInstruction: { parts: [{ text: 'Own' }] },
			safetySettings: [{ category: 'B' }, { category: 'A' }],
			generationConfig: { topK: 1, seed: 2 },
			tools: [{ googleSearch: {} }, { urlContext: {} }],
			toolConfig: {
				functionCallingConfig: { mode: 'NONE' },
				retrievalConfig: { latLng: { latitude: 1, longitude: 2 } },
			},
			cachedContent: 'x',
			contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
		});
	});

	it('sends one schema, in one of its two fields', () => {
		const [native, json] = [{ type: 'string' }, { const: 'a' }];
		const extraFields = { generationConfig: { responseJsonSchema: json, seed: 1 } };
		const { generationConfig } = build({
			extraFields,
			generationConfig: { responseSchema: native },
		});
		expect(generationConfig).toEqual({ responseSchema: native, seed: 1 });
		expect(build({ extraFields }).generationConfig).toEqual(extraFields.generationConfig);
	});

	it('puts files by address behind the others, and before the prompt', () => {
		const fileUrls = [{ fileData: { fileUri: 'gs://a/b.pdf', mimeType: 'application/pdf' } }];
		const [{ parts }] = build({ fileUrls }, [FILE]).contents;
		expect(parts).toEqual([FILE, ...fileUrls, { text: 'Hi' }]);
	});
});
