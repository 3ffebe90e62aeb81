import type { INodeExecutionData, StructuredChunk } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { Plan } from '../../sandbox/service';
import { byId, KEY, planned, toInput } from '../support/stage';
import { onlyFailure, onlyItem, STREAMING, useTextStage, type TextRun } from '../support/textStage';

jest.setTimeout(20_000);

const { stage, run, ask, asked, toRequest } = useTextStage();
const CONTINUE = { onError: 'continueRegularOutput' } as const;
const SAID = 'You asked: "Name a colour". The sandbox answers in the place of a model.';

const listen = async (plan: Plan, more: TextRun = {}) => await ask(plan, { ...STREAMING, ...more });

const actions = () => asked().map(({ path }) => path.split(':').at(-1));
const wordsOf = (chunks: StructuredChunk[], itemIndex = 0) =>
	chunks
		.filter(({ type, metadata }) => type === 'item' && metadata.itemIndex === itemIndex)
		.map(({ content }) => content)
		.join('');
/** Such as `begin item end`. */
const orderOf = (chunks: StructuredChunk[]) =>
	chunks
		.map(({ type }) => type)
		.join(' ')
		.replace(/item( item)+/g, 'item');
/** A body of these events, with status 200. */
const events = (...values: unknown[]): Plan => ({
	text: {
		status: 200,
		headers: { 'content-type': 'text/event-stream' },
		text: values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join(''),
	},
});
const saying = (text: string, finishReason?: string) => ({
	candidates: [{ content: { parts: [{ text }] }, finishReason }],
});

/** Without what n8n makes anew each time. */
const comparable = ({ json, binary }: INodeExecutionData) => ({
	json,
	binary: Object.entries(binary ?? {}).map(([name, { data, fileName, mimeType }]) => [
		name,
		data,
		fileName,
		mimeType,
	]),
});

describe('the item is the same as without streaming', () => {
	const UNICODE = { prompt: 'Grüße 😀 – 你好', options: { temperature: 0 } };
	const rows: Array<[string, Plan, TextRun?]> = [
		['as events', {}],
		['as a list', { streamForm: 'array' }],
		['as one object', { streamForm: 'object' }],
		['as lines', { streamForm: 'lines' }],
		['in one chunk', { chunks: 1 }],
		['in fifty chunks', { chunks: 50 }],
		['as events with keep-alives', { keepAlive: true }],
		['as a list with keep-alives', { keepAlive: true, streamForm: 'array' }],
		['as lines with keep-alives', { keepAlive: true, streamForm: 'lines' }],
		['as events cut into bytes', { pieceBytes: 1 }],
		['as a list cut into pieces of 7 bytes', { pieceBytes: 7, streamForm: 'array' }],
		['labelled text/plain', { text: 'wrongContentType' }],
		['without a length', { text: 'noLength' }],
		['with thoughts', { thoughts: 'Hm', chunks: 3 }],
		['with an image', { image: true }],
		['with two candidates', { candidates: 2 }],
		['with zeros and nulls for usage', { nullUsage: true }],
		['with a reason of another word', { finishReason: 'length' }],
		['cut off by the token limit', {}, { parameters: { options: { maxOutputTokens: 3 } } }],
		['as JSON', {}, { parameters: { jsonOutput: true } }],
	];

	it.each(rows)('%s', async (_what, plan, more = {}) => {
		const whole = await ask(plan, more);
		const streamed = await listen(plan, more);
		expect(actions()).toEqual(['generateContent', 'streamGenerateContent']);
		expect(comparable(onlyItem(streamed))).toEqual(comparable(onlyItem(whole)));
		expect(wordsOf(streamed.chunks)).toBe(onlyItem(whole).json.text);
		expect(orderOf(streamed.chunks)).toBe('begin item end');
		expect(streamed.hints()).toEqual(whole.hints());
	});

	it.each([1, 2, 3, 5])('in any script, in pieces of %i bytes', async (pieceBytes) => {
		stage.sandbox.set({ plan: { pieceBytes, chunks: 9 } });
		const result = await run({ ...STREAMING, parameters: UNICODE });
		expect(onlyItem(result).json.text).toContain(UNICODE.prompt);
		expect(wordsOf(result.chunks)).toBe(onlyItem(result).json.text);
	});

	it('in response and in the token count of n8n, too', async () => {
		const plan = { thoughts: 'Hm', chunks: 6 };
		const parameters = { simplify: false };
		const [whole, streamed] = [await ask(plan, { parameters }), await listen(plan, { parameters })];
		expect(onlyItem(streamed).json.response).toEqual(onlyItem(whole).json.response);
		const [own, expected] = [streamed, whole].map((result) => result.runs()[0].metadata);
		expect(own?.tokenUsage).toEqual(expected?.tokenUsage);
	});
});

describe('words go out', () => {
	it('as they come, and not at the end', async () => {
		let heard = 0;
		const result = await listen(
			{ chunks: 6, holdAfterChunks: 2 },
			{
				onChunk: ({ type }) => {
					// The service goes on only now: without the first two chunks it would wait for ever.
					if (type === 'item' && ++heard === 2) stage.sandbox.release();
				},
			},
		);
		expect(result.chunks.map(({ type }) => type)).toEqual([
			'begin',
			...Array<string>(6).fill('item'),
			'end',
		]);
		expect(wordsOf(result.chunks)).toBe(SAID);
	});

	it('without thoughts, and without other candidates', async () => {
		const { chunks } = await listen({ thoughts: 'A secret thought', candidates: 3, chunks: 5 });
		expect(wordsOf(chunks)).toBe(SAID);
		expect(JSON.stringify(chunks)).not.toContain('secret thought');
	});

	it('with the index of their item', async () => {
		const prompts = Array.from({ length: 5 }, (_, i) => planned(`item ${i}`, { chunks: 4 }));
		const result = await run({
			...STREAMING,
			parameters: { prompt: '={{ $json.prompt }}', options: { concurrency: 2 } },
			items: toInput(...prompts.map((prompt) => ({ prompt }))),
		});
		const [items] = result.outputs();
		items.forEach(({ json, pairedItem }, i) => {
			expect(json.text).toContain(`"item ${i}"`);
			expect(pairedItem).toEqual({ item: i });
			const own = result.chunks.filter(({ metadata }) => metadata.itemIndex === i);
			expect([orderOf(own), wordsOf(own, i)]).toEqual(['begin item end', json.text]);
		});
	});

	it('of an answer that has none: it begins and ends', async () => {
		const inlineData = { mimeType: 'image/png', data: 'AAAA' };
		const candidates = [{ content: { parts: [{ inlineData }] }, finishReason: 'STOP' }];
		const result = await listen(events({ candidates }));
		expect(Object.keys(onlyItem(result).binary!)).toEqual(['data']);
		expect(orderOf(result.chunks)).toBe('begin end');
	});
});

describe('nothing is streamed', () => {
	it.each<[string, TextRun]>([
		['where nobody listens', { mode: 'webhook' }],
		['in a production run of another trigger', { mode: 'trigger', streaming: true }],
		['for an agent', { ...STREAMING, node: { rewireOutputLogTo: 'ai_tool' } }],
		['where Stream Response is off', { ...STREAMING, parameters: { streamResponse: false } }],
	])('%s: the answer comes whole', async (_what, request) => {
		const result = await ask({}, request);
		const { main, ai_tool } = result.runs()[0].data!;
		expect((main ?? ai_tool)[0]?.[0].json.text).toBe(SAID);
		expect(result.chunks).toEqual([]);
		expect(actions()).toEqual(['generateContent']);
		expect(asked()[0].query).toEqual({});
	});
});

describe('before the first word', () => {
	it.each(['rateLimited', 'rateLimitedEmpty', 'json503', 'retryAfter'])(
		'%s is tried again',
		async (fault) => {
			const result = await listen({ text: fault });
			expect(onlyItem(result).json.text).toBe(SAID);
			expect(actions()).toEqual(['streamGenerateContent', 'streamGenerateContent']);
			expect(orderOf(result.chunks)).toBe('begin item end');
		},
	);

	it('a report of 429 inside the stream is tried again', async () => {
		const slow = events({ error: { code: 429, message: 'Slow down' } });
		expect(onlyItem(await listen(slow)).json.text).toBe(SAID);
		expect(asked()).toHaveLength(2);
	});

	it('with its files', async () => {
		const parameters = { prompt: planned('Hi', { text: 'retryAfter' }), images: 'data' };
		const data = Buffer.alloc(3000, 'a').toString('base64');
		const items = [{ json: {}, binary: { data: { data, mimeType: 'audio/mpeg' } } }];
		onlyItem(await run({ ...STREAMING, parameters, items }));
		expect(asked()).toHaveLength(2);
		expect(asked()[1].body).toEqual(asked()[0].body);
	});

	const FAULTS: Array<Plan['text'] | Plan> = [
		...['unauthorized', 'forbidden', 'modelNotFound', 'tooLargeHtml413', 'nestedJsonMessage'],
		...['html200', 'codeFailWith200', 'json500', 'empty500', 'html502', 'html504', 'empty200'],
		...['truncatedJson', 'wrongTypes', 'arrayBody', 'numberBody', 'stringBody', 'reset'],
		{ redirect: 302, to: 'foreign' },
	];
	it.each(FAULTS)('%j is the same failing item as without streaming', async (fault) => {
		const plan = { text: { always: fault } } as Plan;
		const whole = onlyFailure(await ask(plan, CONTINUE));
		const result = await listen(plan, CONTINUE);
		expect(onlyFailure(result)).toEqual(whole);
		expect(asked()).toHaveLength(2);
		// Nobody heard a word that would have to be taken back.
		expect(result.chunks).toEqual([]);
		expect(stage.sandbox.count({ origin: 'foreign' })).toBe(0);
	});

	it.each<[string, Plan]>([
		['a blocked prompt', { blocked: true }],
		['no candidates', { candidates: 0 }],
		['a reason and no parts', { noParts: true, finishReason: 'SAFETY' }],
	])('%s is the same failing item as without streaming', async (_what, plan) => {
		const result = await listen(plan, CONTINUE);
		expect(onlyFailure(result)).toEqual(onlyFailure(await ask(plan, CONTINUE)));
		expect(result.chunks).toEqual([]);
	});
});

describe('an answer that breaks off', () => {
	const rows: Array<[string, Plan, RegExp, string]> = [
		[
			'with a report of the service',
			{ chunks: 5, errorAfterChunks: 2 },
			/^The answer broke off: the service is not available \(HTTP 503\) \[item 0\]$/,
			SAID.slice(0, 30),
		],
		[
			'because the connection is cut',
			{ chunks: 3, text: { cutAfterBytes: 500 } },
			/^The answer broke off: the connection was cut before the whole answer had come \[item 0\]$/,
			SAID.slice(0, 24),
		],
		[
			'without a sign of it',
			events(saying('Light '), saying('blue')),
			/^The answer broke off: the stream ended before the answer did \[item 0\]$/,
			'Light blue',
		],
		[
			'in a list without its end',
			{ text: { status: 200, text: `[${JSON.stringify(saying('Blue'))},` } },
			/^The answer broke off: a part of what the service sent cannot be read \[item 0\]$/,
			'Blue',
		],
		[
			'because the service falls silent',
			{ chunks: 3, text: { stallAfterBytes: 500 } },
			/^The answer broke off: the service sent nothing more for 1 s \(Timeout\) \[item 0\]$/,
			SAID.slice(0, 24),
		],
	];

	it.each(rows)('%s keeps what came and is not asked again', async (_what, plan, message, text) => {
		const stalls = JSON.stringify(plan).includes('stall');
		const parameters = { options: stalls ? { timeout: 1 } : {} };
		const result = await listen(plan, { ...CONTINUE, parameters });
		const failure = onlyFailure(result);
		expect(failure.message).toMatch(message);
		expect(failure.description).toContain('It may have been charged, so it was not sent again.');
		expect(failure.description).toContain(`What came: "${text}"`);
		expect(failure).toMatchObject({ retryable: false });
		expect(asked()).toHaveLength(1);
		expect(wordsOf(result.chunks)).toBe(text);
		expect(orderOf(result.chunks)).toBe('begin item error');
		expect(result.chunks.at(-1)?.content).toBe(failure.message);
	});

	it('stops the node in the default mode, where n8n tells who listens', async () => {
		const result = await listen({ chunks: 5, errorAfterChunks: 2 });
		expect(result.error).toMatchObject({ name: 'NodeApiError', httpCode: '503' });
		expect(result.error?.description).toContain(`What came: "${SAID.slice(0, 30)}"`);
		expect(orderOf(result.chunks)).toBe('begin item error');
		expect(result.chunks.at(-1)?.content).toBe(result.error?.description);
	});

	it('before its first chunk is lost', async () => {
		const failure = onlyFailure(await listen({ errorAfterChunks: 0 }, CONTINUE));
		expect(failure.message).toBe(
			'The answer to the prompt is lost: the service is not available (HTTP 503) [item 0]',
		);
		expect(asked()).toHaveLength(1);
	});

	it.each<[string, Plan, string]>([
		['as half a JSON', events(saying('{"a":', 'MAX_TOKENS')), 'The JSON of the answer is cut off'],
		['by a filter', events(saying('Bl'), saying('', 'SAFETY')), 'The model stopped within its'],
	])('%s fails as without streaming', async (_what, plan, message) => {
		const request = { ...CONTINUE, parameters: { jsonOutput: true } };
		const result = await listen(plan, request);
		expect(onlyFailure(result).message).toContain(message);
		expect(orderOf(result.chunks)).toBe('begin item error');
	});
});

describe('the key', () => {
	it.each([
		['header', { headerName: 'x-vendor-api-key' }, { alt: 'sse' }],
		['query', { keyLocation: 'query' }, { alt: 'sse', key: KEY }],
	])('goes in the %s of a stream', async (place, credential, query) => {
		onlyItem(await listen({}, { credential }));
		expect(asked()[0]).toMatchObject({ key: place, query });
		expect(JSON.stringify(asked()[0].headers).includes(KEY)).toBe(place === 'header');
	});

	it.each(['header', 'query'])('in the %s shows nowhere, whatever is streamed', async (place) => {
		const half = Math.ceil(KEY.length / 2);
		const quoted = [saying(`The key ${KEY.slice(0, half)}`), saying(`${KEY.slice(half)} is good`)];
		const credential = { keyLocation: place };
		const error = { code: 500, message: `Bad ${KEY}` };
		const plans = [
			events(...quoted, saying('.', 'STOP')),
			events(...quoted, { error }),
			{ text: { status: 400, json: { error } } },
			{ text: 'reset' },
		];
		for (const plan of plans) {
			const result = await listen(plan, { ...CONTINUE, credential });
			const seen = [result.outputs(), result.logs, result.run, result.uiMessages, result.chunks];
			expect(JSON.stringify(seen)).not.toContain(KEY);
			if (result.chunks.length > 0) expect(wordsOf(result.chunks)).toContain('key [API key] is');
		}
	});
});

it('Stop ends the request, and the items so far stay', async () => {
	const prompts = ['quick', planned('slow', { chunks: 4, holdAfterChunks: 2 })];
	let heard: () => void;
	const hasHeard = new Promise<void>((resolve) => (heard = resolve));
	const ended = new Set<number>();
	const spoken = new Set<number>();
	const { done, stop } = stage.engine.start(
		toRequest({
			...STREAMING,
			parameters: { prompt: '={{ $json.prompt }}', model: byId('gemini-2.5-flash') },
			items: toInput(...prompts.map((prompt) => ({ prompt }))),
			onChunk: ({ type, metadata: { itemIndex } }) => {
				if (type === 'item') spoken.add(itemIndex);
				if (type === 'end') ended.add(itemIndex);
				if (ended.has(0) && spoken.has(1)) heard();
			},
		}),
	);
	await hasHeard;
	await stop();
	const result = await done;
	expect(result.status).toBe('canceled');
	const [items] = result.outputs();
	expect(items.map(({ json }) => json.text)).toEqual([expect.stringContaining('"quick"')]);
	const slow = asked().find(({ body }) => JSON.stringify(body).includes('slow'));
	while (!slow?.aborted) await sleep(5);
	expect(orderOf(result.chunks.filter(({ metadata }) => metadata.itemIndex === 1))).toBe(
		'begin item',
	);
});
