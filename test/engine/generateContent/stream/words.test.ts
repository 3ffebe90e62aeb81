import { ANSWER } from '../support/answers';
import { STREAMING, type TextRun, useTextStage, wordsOf } from '../support/stage';

const { stage, ask, requests, listen, actions } = useTextStage();

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
		expect(wordsOf(result.chunks)).toBe(ANSWER);
	});

	it('without thoughts', async () => {
		const { chunks } = await listen({ thoughts: 'A secret thought', chunks: 5 });
		expect(wordsOf(chunks)).toBe(ANSWER);
		expect(JSON.stringify(chunks)).not.toContain('secret thought');
	});
});

describe('nothing is streamed', () => {
	it.each<[string, TextRun]>([
		['where nobody listens', { mode: 'webhook' }],
		['in a production run of another trigger', { mode: 'trigger', streaming: true }],
		['for an agent', { ...STREAMING, node: { rewireOutputLogTo: 'ai_tool' } }],
	])('%s: the answer comes whole', async (_what, request) => {
		const result = await ask({}, request);
		const { main, ai_tool } = result.runs()[0].data!;
		expect((main ?? ai_tool)[0]?.[0].json.text).toBe(ANSWER);
		expect(result.chunks).toEqual([]);
		expect(actions()).toEqual(['generateContent']);
		expect(requests()[0].query).toEqual({});
	});
});
