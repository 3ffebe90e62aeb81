import { prompt, TEXT_MODEL, ask } from './support/client';
import { usePublishersClient } from './support/publishersClient';
import { useSandbox } from './support/stage';

// The Gemini protocol, judged by the client that its inventor publishes.

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

	it.each([
		['a union', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, 1],
		['a reference', { $defs: { n: { type: 'number', maximum: 0.5 } }, $ref: '#/$defs/n' }, 0.5],
		['a tuple', { type: 'array', items: { type: 'boolean' }, maxItems: 1 }, [true]],
		[
			'a storyboard',
			{
				type: 'array',
				items: {
					type: 'object',
					properties: { shot: { type: 'string' }, seconds: { type: 'integer', minimum: 4 } },
				},
			},
			[1, 2, 3].map((number) => ({ shot: `Name (shot ${number})`, seconds: 4 })),
		],
		['an endless reference', { $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }, null],
	])('plain JSON Schema with %s', async (_name, schema, value) => {
		const config = { responseMimeType: 'application/json', responseJsonSchema: schema };
		expect(JSON.parse(textOf(await answerTo('Name', config)))).toEqual(value);
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

	it.each([{ pieceBytes: 5, keepAlive: true }])(
		'puts the same text together of %j',
		async (plan) => {
			const chunks = await stream(prompt('Grüße 😀', plan));
			expect(chunks.map((chunk) => chunk.text).join('')).toContain('"Grüße 😀"');
			expect(chunks).toHaveLength(4);
		},
	);

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

describe('a model with a tool for videos', () => {
	const videoTool = {
		name: 'Make_a_Film',
		parametersJsonSchema: {
			type: 'object',
			properties: { prompt: { type: 'string' }, seconds: { type: 'integer' }, seed: {} },
			required: ['prompt', 'seconds'],
		},
	};
	const config = { tools: [{ functionDeclarations: [{ name: 'Video_Status' }, videoTool] }] };
	const asked = { role: 'user', parts: [{ text: 'Make a video of my cat' }] };

	it('calls it for whoever asks for one, with what it requires', async () => {
		const { functionCalls } = await generate([asked], config);
		const args = { prompt: 'Make a video of my cat', seconds: 1 };
		expect(functionCalls).toEqual([{ name: 'Make_a_Film', args }]);
	});

	it.each([
		['the link', { message: 'Ready: [cat.mp4](http://a.test/1)' }, '[cat.mp4](http://a.test/1)'],
		['the task ID', { task_id: 'task_1', message: 'Still rendering.' }, 'task_1'],
		['the refusal', { error: 'The account is empty' }, 'The account is empty'],
	])('then tells %s', async (_name, said, told) => {
		const response = { result: JSON.stringify([said]) };
		const call = { role: 'model', parts: [{ functionCall: { name: 'Make_a_Film', args: {} } }] };
		const back = { role: 'user', parts: [{ functionResponse: { name: 'Make_a_Film', response } }] };
		const { functionCalls, text } = await generate([asked, call, back], config);
		expect(functionCalls).toBeUndefined();
		expect(text).toContain(told);
	});

	it.each(['Tell me a joke', prompt('Make a video', { thoughts: false })])(
		'only says something to %j',
		async (words) => {
			const { functionCalls, text } = await generate(words, config);
			expect(functionCalls).toBeUndefined();
			expect(text).toContain('You asked');
		},
	);
});
