import type { StructuredChunk } from 'n8n-workflow';

import type { Plan } from '../../../../sandbox/service';
import { until } from '../../../support/clock';
import { planned, toInput } from '../../../support/stage';
import { events } from '../support/answers';
import { CONTINUE, STREAMING, type TextRun } from '../support/stage';
import { orderOf, useStreamStage, wordsOf } from '../support/streamStage';

// Items are asked at once, and a chat takes what a node says as one message until it begins anew.

const { stage, run, asked, toRequest } = useStreamStage();

const saying = (...rows: Array<[text: string, plan?: Plan]>): TextRun => ({
	...STREAMING,
	parameters: { prompt: '={{ $json.prompt }}' },
	items: toInput(...rows.map(([text, plan]) => ({ prompt: text && planned(text, plan ?? {}) }))),
});
const says = (text: string, more: Plan = {}): [string, Plan] => [
	text,
	{ says: text, chunks: 3, ...more },
];
const inlineData = { mimeType: 'image/png', data: 'AAAA' };
const PICTURE = events({
	candidates: [{ content: { parts: [{ inlineData }] }, finishReason: 'STOP' }],
});
const refused: Plan = { text: { always: 'forbidden' } };
/** Item by item, such as `0 begin item end` and `1 begin error`. */
const told = (chunks: StructuredChunk[]) => {
	const runs: Array<{ itemIndex: number; own: StructuredChunk[] }> = [];
	for (const chunk of chunks) {
		const { itemIndex } = chunk.metadata;
		if (runs.at(-1)?.itemIndex !== itemIndex) runs.push({ itemIndex, own: [] });
		runs.at(-1)!.own.push(chunk);
	}
	return runs.map(({ itemIndex, own }) => `${itemIndex} ${orderOf(own)}`);
};
const errorsIn = (chunks: StructuredChunk[]) =>
	chunks.filter(({ type }) => type === 'error').map(({ content }) => content);

/** Three items, two at a time, of which the first one is held until the third one is asked for. */
const HELD = saying(
	says('Paris is the capital', { holdAfterChunks: 1 }),
	says('Rome is the capital'),
	says('Madrid is the capital'),
);
const twoAtOnce = { ...HELD.parameters, options: { concurrency: 2 } };

it('one item speaks at a time, and none waits for its turn with its request', async () => {
	const heard: number[] = [];
	const { done } = stage.engine.start(
		toRequest({
			...HELD,
			parameters: twoAtOnce,
			onChunk: ({ type, metadata }) => type === 'item' && heard.push(metadata.itemIndex),
		}),
	);
	// The second answer has come to its end while the first one speaks.
	await until(() => asked().length === 3 && heard.length === 1);
	stage.sandbox.release();
	const { chunks } = await done;
	expect(told(chunks)).toEqual(['0 begin item end', '1 begin item end', '2 begin item end']);
	expect([0, 1, 2].map((i) => wordsOf(chunks, i))).toEqual([
		'Paris is the capital',
		'Rome is the capital',
		'Madrid is the capital',
	]);
	// What was held comes at once.
	expect(heard.filter((itemIndex) => itemIndex === 1)).toHaveLength(1);
});

it('behind a Stop nothing more is said', async () => {
	const { done, stop } = stage.engine.start(toRequest({ ...HELD, parameters: twoAtOnce }));
	await until(() => asked().length === 3);
	await stop();
	const { status, chunks } = await done;
	expect(status).toBe('canceled');
	expect(chunks.filter(({ metadata }) => metadata.itemIndex > 0)).toEqual([]);
});

describe('passes the turn on', () => {
	it.each<[string, [string, Plan?], TextRun['parameters'], string]>([
		['that cannot be read', [''], {}, '0 begin error'],
		['that is refused before its first word', ['no', refused], {}, '0 begin error'],
		['that has no words', ['picture', PICTURE], {}, '0 begin item end'],
		[
			'that is for nobody to hear',
			['hush'],
			{ streamResponse: '={{ $json.prompt.startsWith("say") }}' },
			'',
		],
		[
			'that is for nobody to hear and fails',
			['no', refused],
			{ streamResponse: '={{ $json.prompt.startsWith("say") }}' },
			'',
		],
	])('an item %s', async (_what, first, parameters, order) => {
		const request = saying(first, says('say this'));
		const result = await run({
			...request,
			...CONTINUE,
			parameters: { ...request.parameters, ...parameters },
		});
		expect(told(result.chunks)).toEqual([order, '1 begin item end'].filter(Boolean));
	});
});

describe('a failing item says so, in one sentence', () => {
	it('in its turn, where the node goes on', async () => {
		const request = saying([''], says('say this'), ['no', refused], says('and this'));
		const { chunks } = await run({ ...request, ...CONTINUE });
		expect(told(chunks)).toEqual([
			'0 begin error',
			'1 begin item end',
			'2 begin error',
			'3 begin item end',
		]);
		expect(errorsIn(chunks)).toEqual([
			'Prompt is empty [item 0]',
			'No text was generated: the account is out of credit [item 2]',
		]);
	});

	it('in a paragraph of its own behind its words', async () => {
		const request = saying(says('say this', { errorAfterChunks: 2 }));
		const { chunks } = await run({ ...request, ...CONTINUE });
		expect(told(chunks)).toEqual(['0 begin item error']);
		expect(wordsOf(chunks)).toMatch(/^say.*[^\n]\n\n$/);
	});

	it('once for all, where it is of all items', async () => {
		const credential = { baseUrl: 'nowhere' };
		const request = saying(says('a'), says('b'), says('c'));
		const { chunks } = await run({ ...request, ...CONTINUE, credential });
		expect(told(chunks)).toEqual(['0 begin error']);
	});

	it('n8n says it where it ends the node, and says it once', async () => {
		const { chunks, error } = await run(saying(says('say this'), ['no', refused]));
		expect(told(chunks)).toEqual(['0 begin item end begin error']);
		const [only] = errorsIn(chunks);
		expect(only).toMatch(/^No text was generated: the account is out of credit \[item 1\]\. ./);
		expect(only).toBe(error?.description);
	});

	it('n8n says it where nothing was sent', async () => {
		const { chunks } = await run(saying(says('say this'), ['']));
		expect(errorsIn(chunks)).toEqual([
			expect.stringMatching(/^Prompt is empty \[item 1\]\. Fill in Prompt\./),
		]);
	});

	it('n8n says the details of what broke off', async () => {
		const { chunks } = await run(saying(says('say this', { errorAfterChunks: 2 })));
		expect(told(chunks)).toEqual(['0 begin item error begin error']);
		expect(errorsIn(chunks)).toEqual([
			'The answer was interrupted: the service is not available (HTTP 503) [item 0]\n\n',
			expect.stringMatching(/^(?!The answer was interrupted).*may have been billed/),
		]);
	});
});

describe('with Retry On Fail', () => {
	const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

	it('an answer is said once, and n8n says the failure once', async () => {
		const { chunks } = await run({ ...saying(says('say this'), ['no', refused]), node: RETRY });
		// What begins last is n8n's.
		expect(told(chunks)).toEqual(['0 begin item end begin error']);
		expect(wordsOf(chunks)).toBe('say this');
	});

	it('what breaks off is closed before it begins anew', async () => {
		const request = saying(says('say this', { errorAfterChunks: 2 }));
		const { chunks } = await run({ ...request, node: RETRY });
		const types = chunks.map(({ type }) => type).filter((type) => type !== 'item');
		expect(types.join(' ')).toBe('begin error begin error begin error begin error');
	});

	const refusedFor = (tries: number): Plan => ({
		text: Array(tries).fill('forbidden') as string[],
	});
	const goOn = { ...CONTINUE, node: RETRY };
	const SENTENCE = 'No text was generated: the account is out of credit';

	it('an item that fails to the end says so once', async () => {
		const request = saying(['no', refused], says('say this'), ['not', refused], ['', refused]);
		const { chunks } = await run({ ...request, ...goOn });
		expect(errorsIn(chunks)).toEqual([
			`${SENTENCE} [item 0]`,
			`${SENTENCE} [item 2]`,
			'Prompt is empty [item 3]',
		]);
		expect(wordsOf(chunks, 1)).toBe('say this');
	});

	it.each([1, 2])('one that succeeds behind try %i says nothing of it', async (tries) => {
		const { chunks } = await run({ ...saying(['no', refusedFor(tries)], says('this')), ...goOn });
		expect(errorsIn(chunks)).toEqual([]);
	});

	it('n8n tries again only if the first item has failed, so others say it at once', async () => {
		const { chunks } = await run({ ...saying(says('say this'), ['no', refused]), ...goOn });
		expect(errorsIn(chunks)).toEqual([`${SENTENCE} [item 1]`]);
	});

	it('nor does it matter whether somebody may hear the first one', async () => {
		const request = saying(['no', refused], ['say no', refused]);
		const streamResponse = '={{ $json.prompt.startsWith("say") }}';
		const parameters = { ...request.parameters, streamResponse };
		const { chunks } = await run({ ...request, ...goOn, parameters });
		expect(errorsIn(chunks)).toEqual([`${SENTENCE} [item 1]`]);
	});

	it('each run of the node has tries of its own', async () => {
		const request = toRequest({ ...saying(['no', refused]), ...goOn });
		const results = [await stage.engine.run(request), await stage.engine.run(request)];
		expect(results.map(({ chunks }) => errorsIn(chunks))).toEqual([
			[`${SENTENCE} [item 0]`],
			[`${SENTENCE} [item 0]`],
		]);
	});
});
