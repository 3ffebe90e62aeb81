import type { Plan } from '../../sandbox/service';
import { tone } from '../../sandbox/service/textAnswer';
import { ask, prompt, until } from './support/client';
import { usePublishersClient } from './support/publishersClient';
import { useSandbox } from './support/stage';

// Streams of the native text protocol, judged by the client that its inventor publishes.

const stage = useSandbox();
const { generate, openStream } = usePublishersClient(stage);
beforeEach(() => stage.sandbox.reset());

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

	it('sees sources in one chunk, spread over them, or growing', async () => {
		const sources: Plan['sources'] = ['search', 'maps', 'url'];
		const counts = async (sourcesIn: Plan['sourcesIn']) =>
			(await stream(prompt('Cite', { sources, sourcesIn, chunks: 4 }))).map(
				({ candidates }) => candidates![0].groundingMetadata?.groundingChunks?.length ?? 0,
			);
		expect(await counts('last')).toEqual([0, 0, 0, 2]);
		expect(await counts('spread')).toEqual([1, 1, 0, 0]);
		expect(await counts('growing')).toEqual([1, 2, 2, 2]);
	});

	it('sees a reason in each chunk, and a block in the middle', async () => {
		const reasons = await stream(prompt('End', { chunks: 3, reasonInEveryChunk: true }));
		expect(reasons.map(({ candidates }) => candidates![0].finishReason)).toEqual(
			Array(3).fill('STOP'),
		);
		const blocked = await stream(prompt('End', { blocked: 'SAFETY', blockAfterChunks: 2 }));
		expect(blocked.map(({ promptFeedback }) => promptFeedback?.blockReason)).toEqual([
			...[undefined, undefined, 'SAFETY'],
		]);
	});

	it('gets sound in as many pieces as chunks', async () => {
		const chunks = await stream(prompt('Speak', { audio: true, chunks: 7 }));
		const pieces = chunks.flatMap(({ candidates }) => candidates![0].content!.parts!.slice(1));
		expect(pieces).toHaveLength(7);
		const bytes = pieces.map(({ inlineData }) => Buffer.from(inlineData!.data!, 'base64'));
		expect(Buffer.concat(bytes).equals(tone())).toBe(true);
		expect(bytes.some(({ length }) => length % 2 === 1)).toBe(true);
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
		await until(() => (stage.sandbox.requests[0]?.sentBytes ?? 0) > 0);
		const { json } = await stage.client.at('/_sandbox/release', { method: 'POST' });
		expect(json).toEqual({ ok: true });
		expect((await held).json).toHaveLength(2);
	});

	it('can be cut in the middle of a chunk', async () => {
		const reply = await stream({ text: [{ cutAfterBytes: 300 }], chunks: 5 }, '?alt=sse');
		expect([reply.end, reply.bytes.length]).toEqual(['cut', 300]);
	});
});
