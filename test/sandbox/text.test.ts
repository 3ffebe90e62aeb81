import { GoogleGenAI, Type, type GenerateContentParameters } from '@google/genai';
import { createSandbox, type Plan, type Sandbox } from '../../sandbox/service';
import { ask, clientOf, prompt, TEXT_MODEL, until } from './support/client';

// The native text protocol, judged by the client that its inventor publishes.

let sandbox: Sandbox;
let client: ReturnType<typeof clientOf>;
let ai: GoogleGenAI;

beforeAll(async () => {
	sandbox = await createSandbox();
	client = clientOf(sandbox);
	ai = new GoogleGenAI({ apiKey: 'sandbox-key', httpOptions: { baseUrl: sandbox.url } });
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

type Config = GenerateContentParameters['config'];

const generate = async (contents: GenerateContentParameters['contents'], config?: Config) =>
	await ai.models.generateContent({ model: TEXT_MODEL, contents, config });

describe("the publisher's client", () => {
	it('reads an answer', async () => {
		const answer = await generate('Name a colour');
		expect(answer.text).toBe(
			'You asked: "Name a colour". The sandbox answers in the place of a model.',
		);
		expect(answer.candidates?.[0].finishReason).toBe('STOP');
		expect(answer.modelVersion).toBe(TEXT_MODEL);
		expect(sandbox.requests[0]).toMatchObject({ key: 'header', status: 200 });
	});

	it('gets the instruction, earlier turns and pictures through', async () => {
		const turns = [
			{ role: 'user', parts: [{ text: 'First' }] },
			{ role: 'model', parts: [{ text: 'Answer' }] },
			{
				role: 'user',
				parts: [
					{ text: 'Second' },
					{ inlineData: { mimeType: 'image/png', data: 'aGVsbG8=' } },
					{ fileData: { fileUri: 'https://files.test/a.mp4', mimeType: 'video/mp4' } },
				],
			},
		];
		const { text } = await generate(turns, { systemInstruction: 'Be kind' });
		expect(text).toContain('You asked: "Second"');
		expect(text).toContain('turn 2 of our conversation');
		expect(text).toContain('I was told: "Be kind"');
		expect(text).toContain('image/png (5 bytes), https://files.test/a.mp4');
	});

	it('gets JSON that fits the schema', async () => {
		const { text } = await generate('A bicycle', {
			responseMimeType: 'application/json',
			responseSchema: {
				type: Type.OBJECT,
				properties: {
					title: { type: Type.STRING },
					colour: { type: Type.STRING, enum: ['red', 'blue'] },
					wheels: { type: Type.INTEGER, minimum: 2 },
					price: { type: Type.NUMBER },
					sold: { type: Type.BOOLEAN },
					parts: {
						type: Type.ARRAY,
						minItems: '3',
						items: { type: Type.OBJECT, properties: { name: { type: Type.STRING } } },
					},
				},
			},
		});
		expect(JSON.parse(text ?? '')).toEqual({
			title: 'title: A bicycle',
			colour: 'red',
			wheels: 2,
			price: 1,
			sold: true,
			parts: Array(3).fill({ name: 'name: A bicycle' }),
		});
	});

	it('sees a blocked prompt', async () => {
		const answer = await generate(prompt('Bad words', { blocked: true }));
		expect(answer.promptFeedback?.blockReason).toBe('PROHIBITED_CONTENT');
		expect(answer.candidates).toBeUndefined();
		expect(answer.text).toBeUndefined();
		const other = await generate(prompt('Bad words', { blocked: 'SAFETY' }));
		expect(other.promptFeedback?.blockReason).toBe('SAFETY');
	});

	it('keeps thoughts apart from the answer', async () => {
		const answer = await generate(prompt('Think', { thoughts: 'Hmm.' }));
		expect(answer.candidates?.[0].content?.parts?.[0]).toEqual({ text: 'Hmm.', thought: true });
		expect(answer.text).toMatch(/^You asked: "Think"/);
		expect(answer.usageMetadata?.thoughtsTokenCount).toBe(1);
	});

	it('finds a picture in the answer', async () => {
		const answer = await generate(prompt('Draw', { image: true }));
		const part = answer.candidates?.[0].content?.parts?.at(-1);
		const png = Buffer.from(part?.inlineData?.data ?? '', 'base64');
		expect(png.toString('latin1', 1, 4)).toBe('PNG');
		expect(png.subarray(-8, -4).toString('latin1')).toBe('IEND');
	});

	it('gets errors with their status', async () => {
		await expect(generate(prompt('Wait', { text: ['rateLimited'] }))).rejects.toMatchObject({
			name: 'ApiError',
			status: 429,
		});
		await expect(
			ai.models.generateContent({ model: 'no-such-model', contents: 'Hello' }),
		).rejects.toMatchObject({ status: 503 });
	});
});

describe("the publisher's client, streaming", () => {
	const stream = async (contents: string) => {
		const parts = [];
		const chunks = await ai.models.generateContentStream({ model: TEXT_MODEL, contents });
		for await (const chunk of chunks) parts.push(chunk);
		return parts;
	};

	it('puts the same text together', async () => {
		const asked = prompt('Name a colour', { chunks: 7, chunkDelayMs: 1 });
		const chunks = await stream(asked);
		expect(chunks).toHaveLength(7);
		const { text, usageMetadata } = await generate(asked);
		expect(chunks.map((chunk) => chunk.text).join('')).toBe(text);
		const reasons = chunks.map(({ candidates }) => candidates?.[0].finishReason);
		expect(reasons).toEqual([...Array(6).fill(undefined), 'STOP']);
		const counts = chunks.map((chunk) => chunk.usageMetadata?.candidatesTokenCount ?? 0);
		expect(counts).toEqual([...counts].sort((a, b) => a - b));
		expect(new Set(counts).size).toBe(7);
		expect(chunks.at(-1)?.usageMetadata).toEqual(usageMetadata);
		expect(sandbox.requests[0]).toMatchObject({ query: { alt: 'sse' }, status: 200 });
	});

	it('has thoughts in the first chunk and the picture in the last', async () => {
		const chunks = await stream(prompt('Draw', { thoughts: true, image: true, chunks: 3 }));
		expect(chunks[0].candidates?.[0].content?.parts?.[0].thought).toBe(true);
		expect(chunks[1].candidates?.[0].content?.parts).toHaveLength(1);
		const last = chunks[2].candidates?.[0].content?.parts?.at(-1);
		expect(last?.inlineData).toMatchObject({ mimeType: 'image/png' });
	});

	it('sees a blocked prompt', async () => {
		const chunks = await stream(prompt('Bad words', { blocked: true }));
		expect(chunks).toHaveLength(1);
		expect(chunks[0].promptFeedback?.blockReason).toBe('PROHIBITED_CONTENT');
	});

	it.each([{ keepAlive: true }, { pieceBytes: 1 }, { pieceBytes: 5, keepAlive: true }])(
		'puts the same text together of %j',
		async (plan) => {
			const chunks = await stream(prompt('Grüße 😀', plan));
			expect(chunks.map((chunk) => chunk.text).join('')).toContain('"Grüße 😀"');
			expect(chunks).toHaveLength(4);
		},
	);

	it('gets the first pieces while the others are held', async () => {
		const contents = prompt('Hold', { chunks: 3, holdAfterChunks: 1 });
		const chunks = await ai.models.generateContentStream({ model: TEXT_MODEL, contents });
		const { value: first } = await chunks.next();
		expect(first.text).toMatch(/^You asked/);
		expect(sandbox.requests[0]).toMatchObject({ status: 200, aborted: false });
		const { sentBytes } = sandbox.requests[0];
		sandbox.release();
		const rest = [];
		for await (const chunk of chunks) rest.push(chunk);
		expect(rest.map(({ candidates }) => candidates?.[0].finishReason)).toEqual([undefined, 'STOP']);
		expect(sandbox.requests[0].sentBytes).toBeGreaterThan(sentBytes);
	});

	it('meets an error in the middle', async () => {
		const asked = prompt('Break', { chunks: 5, errorAfterChunks: 2 });
		const chunks = await stream(asked);
		expect(chunks.map(({ candidates }) => candidates?.length)).toEqual([1, 1, undefined]);
		const options = { action: 'streamGenerateContent', query: '?alt=sse' };
		const { text } = await client.generate(ask(asked), options);
		const last = text.trim().split('\r\n\r\n').at(-1) ?? '';
		expect(JSON.parse(last.replace('data: ', '')).error).toMatchObject({ code: 503 });
	});
});

describe('what the request limits', () => {
	const answerTo = async (text: string, generationConfig: object) =>
		(await client.generate({ ...ask(text), generationConfig })).json;
	const textOf = (answer: { candidates: Array<{ content: { parts: Array<{ text: string }> } }> }) =>
		answer.candidates[0].content.parts[0].text;

	it('maxOutputTokens cuts the text and says so', async () => {
		const answer = await answerTo('Name a colour', { maxOutputTokens: 3 });
		expect(textOf(answer)).toBe('You asked: "');
		expect(answer.candidates[0].finishReason).toBe('MAX_TOKENS');
		expect(answer.usageMetadata.candidatesTokenCount).toBe(3);
	});

	it('stopSequences end it', async () => {
		const answer = await answerTo('Name a colour', { stopSequences: ['colour', ' a c'] });
		expect(textOf(answer)).toBe('You asked: "Name');
		expect(answer.candidates[0].finishReason).toBe('STOP');
	});

	it('snake_case is understood', async () => {
		const answer = await client.generate({
			...ask('Name a colour'),
			system_instruction: { parts: [{ text: 'Be kind' }] },
			generation_config: { max_output_tokens: 30, response_mime_type: 'application/json' },
		});
		expect(JSON.parse(textOf(answer.json)).answer).toContain('Be kind');
	});

	it.each([
		['a union', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, 1],
		['a type with null', { type: ['string', 'null'], maxLength: 3 }, 'Nam'],
		['a reference', { $defs: { n: { type: 'number', maximum: 0.5 } }, $ref: '#/$defs/n' }, 0.5],
		['a constant', { const: 'fixed' }, 'fixed'],
		['a date', { type: 'string', format: 'date' }, '2026-01-01'],
		['a tuple', { type: 'array', items: { type: 'boolean' }, maxItems: 1 }, [true]],
		['an endless reference', { $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }, null],
	])('plain JSON Schema with %s', async (_name, schema, value) => {
		const config = { responseMimeType: 'application/json', responseJsonSchema: schema };
		expect(JSON.parse(textOf(await answerTo('Name', config)))).toEqual(value);
	});

	it('text/x.enum answers with one of the words', async () => {
		const responseSchema = { type: 'STRING', enum: ['yes', 'no'] };
		const config = { responseMimeType: 'text/x.enum', responseSchema };
		expect(textOf(await answerTo('Well?', config))).toBe('yes');
	});
});

describe('a plan for text', () => {
	const planned = async (plan: Plan) => (await client.generate(ask(prompt('Planned', plan)))).json;

	it('ends for another reason, also without parts', async () => {
		const answer = await planned({ finishReason: 'SAFETY', noParts: true });
		expect(answer.candidates[0]).toEqual({
			content: { role: 'model' },
			finishReason: 'SAFETY',
			index: 0,
		});
	});

	it('says what it is told, streamed or not', async () => {
		const answer = await planned({ says: 'Blue.' });
		expect(answer.candidates[0].content.parts).toEqual([{ text: 'Blue.' }]);
		expect((await generate(prompt('Planned', { says: 'Blue.' }))).text).toBe('Blue.');
	});

	it('has several candidates, or none', async () => {
		const { candidates } = await planned({ candidates: 3 });
		expect(candidates.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2]);
		expect((await planned({ candidates: 0 })).candidates).toEqual([]);
	});

	it('has usage with zeros and nulls', async () => {
		expect((await planned({ nullUsage: true })).usageMetadata).toEqual({
			promptTokenCount: null,
			candidatesTokenCount: 0,
			totalTokenCount: null,
		});
	});

	it('is read from the last user text only', async () => {
		const contents = [
			{ role: 'user', parts: [{ text: prompt('First', { blocked: true }) }] },
			{ role: 'model', parts: [{ text: 'Answer' }] },
			{ role: 'user', parts: [{ text: 'Second' }] },
			{ role: 'model', parts: [{ text: prompt('Mine', { blocked: true }) }] },
		];
		const { json } = await client.generate({ contents });
		expect(json.candidates[0].content.parts[0].text).toContain('"Second"');
	});

	it('is refused in the error shape where it is wrong', async () => {
		const { status, json } = await client.generate(ask('Hello sandbox:{"chunks":0}'));
		expect([status, json.error.code]).toEqual([400, 'invalid_request']);
		expect(json.error.message).toContain('"chunks": is a whole number from 1 up');
	});
});

describe('the form of a stream', () => {
	const stream = async (plan: Plan, query = '') =>
		await client.generate(ask(prompt('Stream', plan)), { action: 'streamGenerateContent', query });

	it('is a JSON array where nobody asks for events', async () => {
		const { headers, json } = await stream({ chunks: 3 });
		expect(headers['content-type']).toMatch(/^application\/json/);
		expect(json).toHaveLength(3);
		expect(json[2].candidates[0].finishReason).toBe('STOP');
	});

	it('is one object, or events unasked, where the plan says so', async () => {
		const object = await stream({ streamForm: 'object' }, '?alt=sse');
		expect(object.headers['content-type']).toMatch(/^application\/json/);
		expect(object.json.candidates[0].content.parts[0].text).toContain('"Stream"');
		const events = await stream({ streamForm: 'sse', chunks: 2 });
		expect(events.headers['content-type']).toBe('text/event-stream');
		expect(events.text.match(/^data: \{.*\}\r\n\r\n/gm)).toHaveLength(2);
	});

	it('is one object a line where the plan says so', async () => {
		const { headers, text } = await stream({ streamForm: 'lines', chunks: 3, keepAlive: true });
		expect(headers['content-type']).toBe('application/x-ndjson');
		const lines = text.split('\n').filter((line) => line !== '');
		expect(lines.map((line) => Object.keys(JSON.parse(line) as object)[0])).toEqual(
			Array(3).fill('candidates'),
		);
		expect(text.split('\n')).toHaveLength(7);
	});

	it('that is held goes on where somebody asks for it over HTTP', async () => {
		const held = stream({ chunks: 2, holdAfterChunks: 1 });
		await until(() => (sandbox.requests[0]?.sentBytes ?? 0) > 0);
		const { json } = await client.at('/_sandbox/release', { method: 'POST' });
		expect(json).toEqual({ ok: true });
		expect((await held).json).toHaveLength(2);
	});

	it('can be cut in the middle of a chunk', async () => {
		const reply = await stream({ text: [{ cutAfterBytes: 300 }], chunks: 5 }, '?alt=sse');
		expect([reply.end, reply.bytes.length]).toEqual(['cut', 300]);
	});
});
