import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import { CONTINUE, orderOf, planned, toInput } from '../../support/stage';
import { ANSWER, events, fileOf, withParts } from './support/answers';
import {
	onlyFailure,
	onlyItem,
	STREAMING,
	type TextRun,
	useTextStage,
	wordsOf,
} from './support/stage';

const { stage, run, ask, requests, listen, actions } = useTextStage();
const PICTURE = fileOf('picture', 'image/png');

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
		const types = result.chunks.map(({ type }) => type).join(' ');
		expect(types).toBe('begin item item item item item item end');
		expect(wordsOf(result.chunks)).toBe(ANSWER);
	});

	it('without thoughts, in any script, cut in any place, and the item is the same', async () => {
		const plan: Plan = {
			...{ says: 'Grüße. Es ist 😀. Ende.', thoughts: 'Hm', image: true, chunks: 7 },
			sources: ['search', 'maps', 'url', 'failedUrl', 'citation'],
		};
		const parameters = { options: { rawResponse: true } };
		// A plan of the deployment: that of a prompt would be counted as tokens of it.
		stage.sandbox.set({ plan: { ...plan, pieceBytes: 1 } });
		const streamed = await listen({}, { parameters });
		stage.sandbox.set({ plan: { ...plan, wholeForm: 'array' } });
		const whole = onlyItem(await ask({}, { parameters }));
		expect(actions()).toEqual(['streamGenerateContent', 'generateContent']);
		expect(onlyItem(streamed)).toEqual(whole);
		expect(wordsOf(streamed.chunks)).toBe(plan.says);
	});

	// A chat that hears nothing guesses that the workflow is set up wrongly.
	it.each<[string, object[], string]>([
		['of files', [PICTURE, fileOf('a', 'video/mp4')], '(a file: image.png, a file: video_1.mp4)'],
		['of a call', [{ functionCall: { name: 'light', args: {} } }], '(a call of light)'],
		['of markup', [{ functionCall: { name: '[a](b)', args: {} } }], '(a call of \\[a\\](b))'],
	])('%s where the answer has none', async (_what, parts, words) => {
		const { chunks } = await listen(withParts(...parts));
		expect([orderOf(chunks), wordsOf(chunks)]).toEqual(['begin item end', words]);
	});
});

it.each<[string, TextRun]>([
	['where nobody listens', { mode: 'webhook' }],
	['in a production run of another trigger', { mode: 'trigger', streaming: true }],
	['for an agent', { ...STREAMING, node: { rewireOutputLogTo: 'ai_tool' } }],
])('nothing is streamed %s: the answer comes whole', async (_what, request) => {
	const result = await ask({}, request);
	const { main, ai_tool } = result.runs()[0].data!;
	expect((main ?? ai_tool)[0]?.[0].json.text).toBe(ANSWER);
	expect([result.chunks, actions()]).toEqual([[], ['generateContent']]);
});

describe('before the first word', () => {
	it('a refusal inside the stream that passes is tried again', async () => {
		const result = await listen(events({ error: { code: 429, message: 'Slow down' } }));
		expect(onlyItem(result).json.text).toBe(ANSWER);
		expect(actions()).toEqual(['streamGenerateContent', 'streamGenerateContent']);
		expect(orderOf(result.chunks)).toBe('begin item end');
	});

	it.each(['unauthorized', 'html200', 'reset'])(
		'%s is the same failing item as without streaming, and asked for once',
		async (fault) => {
			const plan = { text: { always: fault } } as Plan;
			const whole = onlyFailure(await ask(plan, CONTINUE));
			const result = await listen(plan, CONTINUE);
			expect(onlyFailure(result)).toEqual(whole);
			expect(requests()).toHaveLength(2);
			expect(orderOf(result.chunks)).toBe('begin error');
			expect(result.chunks[1].content).toBe(whole.message);
		},
	);
});

it('of a failure that ends the node before the first word, n8n says the message, too', async () => {
	const { chunks, error } = await listen({ text: { always: 'forbidden' } });
	expect(orderOf(chunks)).toBe('error');
	expect(chunks.at(-1)?.content).toContain(error!.message);
});

describe('an answer that breaks off', () => {
	it.each<[string, Plan, IDataObject]>([
		['by a cut', { text: { cutAfterBytes: 500 } }, {}],
		['in silence', { text: { stallAfterBytes: 500 } }, { timeout: 1 }],
	])('%s keeps what came and is not asked for again', async (_what, plan, options) => {
		const result = await listen({ chunks: 3, ...plan }, { ...CONTINUE, parameters: { options } });
		const failure = onlyFailure(result);
		const text = ANSWER.slice(0, 24);
		expect(failure.message).toMatch(/^Only a part of the answer arrived: /);
		expect(failure).toMatchObject({ retryable: false, text });
		expect(requests()).toHaveLength(1);
		// What the failure says is a paragraph of its own in a chat.
		expect(wordsOf(result.chunks)).toBe(`${text}\n\n`);
		expect(orderOf(result.chunks)).toBe('begin item error');
		expect(result.chunks.at(-1)?.content).toBe(failure.message);
	});

	it('stops the node in the default mode, where n8n tells who listens', async () => {
		const result = await listen({ chunks: 5, errorAfterChunks: 2 });
		expect(result.error).toMatchObject({ name: 'NodeApiError', httpCode: '503' });
		expect(result.error?.description).toContain(`The model wrote: "${ANSWER.slice(0, 30)}"`);
		expect(orderOf(result.chunks)).toBe('begin item error error');
		expect(result.chunks.at(-1)?.content).toBe(result.error?.description);
	});
});

// A chat takes what a node says as one message, so only the first item speaks.
describe('of several items', () => {
	const saying = (...rows: Array<[text: string, plan: Plan]>): TextRun => ({
		...STREAMING,
		parameters: { prompt: '={{ $json.prompt }}' },
		items: toInput(...rows.map(([text, plan]) => ({ prompt: planned(text, plan) }))),
	});
	const PARIS: [string, Plan] = ['one', { says: 'Paris', chunks: 3 }];

	it('the first is said word by word, and the others not at all', async () => {
		const result = await run(saying(PARIS, ['other', { says: 'Rome', chunks: 3 }]));
		expect([orderOf(result.chunks), wordsOf(result.chunks)]).toEqual(['begin item end', 'Paris']);
		expect(result.outputs()[0].map(({ json }) => json.text)).toEqual(['Paris', 'Rome']);
		expect(actions().sort()).toEqual(['generateContent', 'streamGenerateContent']);
	});

	it('one that ends the node is told by n8n', async () => {
		const { chunks, error } = await run(saying(PARIS, ['no', { text: { always: 'forbidden' } }]));
		expect(wordsOf(chunks)).toBe('Paris');
		const errors = chunks.filter(({ type }) => type === 'error');
		expect(errors.map(({ content }) => content)).toEqual([error?.description]);
	});
});
