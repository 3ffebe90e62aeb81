import { prompt, TEXT_MODEL, ask } from './support/client';
import { usePublishersClient } from './support/publishersClient';
import { useSandbox } from './support/stage';
import type { Plan } from '../../sandbox/service';

// The native text protocol, judged by the client that its inventor publishes.

const stage = useSandbox();
const { generate, openStream } = usePublishersClient(stage);
beforeEach(() => stage.sandbox.reset());

describe("the publisher's client", () => {
	it('reads an answer', async () => {
		const answer = await generate('Name a colour');
		expect(answer.text).toBe(
			'You asked: "Name a colour". The sandbox answers instead of a real model.',
		);
		expect(answer.candidates?.[0].finishReason).toBe('STOP');
		expect(answer.modelVersion).toBe(TEXT_MODEL);
		expect(stage.sandbox.requests[0]).toMatchObject({ key: 'header', status: 200 });
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
});

describe('what the request limits', () => {
	const answerTo = async (text: string, generationConfig: object) =>
		(await stage.client.generate({ ...ask(text), generationConfig })).json;
	const textOf = (answer: { candidates: Array<{ content: { parts: Array<{ text: string }> } }> }) =>
		answer.candidates[0].content.parts[0].text;

	it('snake_case is understood', async () => {
		const answer = await stage.client.generate({
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
});

describe('what a plan adds to an answer, as the publisher reads it', () => {
	const candidateOf = async (plan: Plan) => {
		const says = 'Grüße. Es ist 😀. Ende.';
		return (await generate(prompt('Planned', { says, ...plan }))).candidates![0];
	};

	it('names sources, with the bytes of what they support', async () => {
		const { groundingMetadata, urlContextMetadata, citationMetadata } = await candidateOf({
			sources: ['search', 'maps', 'failedUrl', 'citation'],
		});
		expect(
			groundingMetadata?.groundingChunks?.map(({ web, maps }) => (web ?? maps)?.title),
		).toEqual(['Found 0', 'Place 1']);
		const bytes = Buffer.from('Grüße. Es ist 😀. Ende.');
		for (const { segment } of groundingMetadata?.groundingSupports ?? []) {
			const { startIndex = 0, endIndex, text } = segment!;
			expect(bytes.subarray(startIndex, endIndex).toString()).toBe(text);
		}
		expect(groundingMetadata?.groundingSupports?.[1].groundingChunkIndices).toEqual([1]);
		expect(urlContextMetadata?.urlMetadata?.[0]).toMatchObject({
			urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_ERROR',
		});
		expect(citationMetadata?.citations).toHaveLength(1);
	});
});

describe('a plan changes the form of a whole answer', () => {
	const reply = async (plan: Plan) => await stage.client.generate(ask(prompt('Planned', plan)));

	it('to snake_case, but for arguments of functions', async () => {
		const plan = { calls: [[{ name: 'a', args: { isOn: true } }]] };
		const { json } = await reply({ ...plan, spelling: 'snake', thoughts: true });
		expect(json.usage_metadata.prompt_token_count).toEqual(expect.any(Number));
		expect(json.candidates[0].finish_reason).toBe('STOP');
		expect(json.candidates[0].content.parts.at(-1).function_call.args).toEqual({ isOn: true });
	});
});

describe("the publisher's client, streaming", () => {
	const stream = async (contents: string) => {
		const parts = [];
		const chunks = await openStream(contents);
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
		expect(stage.sandbox.requests[0]).toMatchObject({ query: { alt: 'sse' }, status: 200 });
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
		const chunks = await openStream(contents);
		const { value: first } = await chunks.next();
		expect(first.text).toMatch(/^You asked/);
		expect(stage.sandbox.requests[0]).toMatchObject({ status: 200, aborted: false });
		const { sentBytes } = stage.sandbox.requests[0];
		stage.sandbox.release();
		const rest = [];
		for await (const chunk of chunks) rest.push(chunk);
		expect(rest.map(({ candidates }) => candidates?.[0].finishReason)).toEqual([undefined, 'STOP']);
		expect(stage.sandbox.requests[0].sentBytes).toBeGreaterThan(sentBytes);
	});

	it('meets an error in the middle', async () => {
		const asked = prompt('Break', { chunks: 5, errorAfterChunks: 2 });
		const chunks = await stream(asked);
		expect(chunks.map(({ candidates }) => candidates?.length)).toEqual([1, 1, undefined]);
		const options = { action: 'streamGenerateContent', query: '?alt=sse' };
		const { text } = await stage.client.generate(ask(asked), options);
		const last = text.trim().split('\r\n\r\n').at(-1) ?? '';
		expect(JSON.parse(last.replace('data: ', '')).error).toMatchObject({ code: 503 });
	});
});

describe('the form of a stream', () => {
	const stream = async (plan: Plan, query = '') =>
		await stage.client.generate(ask(prompt('Stream', plan)), {
			action: 'streamGenerateContent',
			query,
		});

	it('is a JSON array where nobody asks for events', async () => {
		const { headers, json } = await stream({ chunks: 3 });
		expect(headers['content-type']).toMatch(/^application\/json/);
		expect(json).toHaveLength(3);
		expect(json[2].candidates[0].finishReason).toBe('STOP');
	});
});
