import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import type { EngineNode } from '../../support/engine';
import { inLoop, planned, toInput } from '../../support/stage';
import { MODES } from '../faults/play';
import { useTextStage, type TextRun } from './support/stage';

// An answer is paid for once, however often n8n tries.

const { stage, run, asked, toRequest } = useTextStage();

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const REFUSED: Plan = { text: { always: 'forbidden' } };
const refusedFor = (tries: number): Plan => ({ text: Array(tries).fill('forbidden') as string[] });

const of = (plans: Plan[], parameters: IDataObject = {}, more: TextRun = {}): TextRun => ({
	parameters: { prompt: '={{ $json.prompt }}', ...parameters },
	items: toInput(...plans.map((plan, i) => ({ prompt: planned(`question ${i}`, plan) }))),
	...more,
});
const askedFor = (i: number) =>
	asked().filter(({ body }) => JSON.stringify(body).includes(`question ${i}`)).length;
const textsOf = (items: INodeExecutionData[]) => items.map(({ json }) => String(json.text));

/** An expression that gives something else at each try. */
const MOVING = { prompt: '={{ $now.toMillis() }} {{ Math.random() }} {{ $json.prompt }}' };

describe.each(MODES)('Retry On Fail, %s', (onError) => {
	it.each<[string, IDataObject]>([
		['the same prompt', {}],
		['a time and a random number in the prompt', MOVING],
	])('%s: two good items beside one that is refused, three tries', async (_what, parameters) => {
		// The refused one comes first: n8n tries a node again where its first item has failed.
		await run(of([REFUSED, {}, {}], parameters, { node: RETRY, onError }));
		expect([askedFor(0), askedFor(1), askedFor(2)]).toEqual([3, 1, 1]);
	});

	it('gives the answers of the first try in the last one', async () => {
		const result = await run(of([refusedFor(2), {}, {}], {}, { node: RETRY, onError }));
		expect(result.status).toBe('success');
		const [items] = result.outputs();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		expect(textsOf(items).map((text) => /question \d/.exec(text)?.[0])).toEqual([
			'question 0',
			'question 1',
			'question 2',
		]);
		expect(asked()).toHaveLength(5);
		expect(result.hints().at(-1)?.message).toMatch(
			/^3 answers, \d+ tokens\. 2 picked up from an earlier try\.$/,
		);
	});

	it('an answer that was blocked or no JSON is asked for anew, and none at its limit', async () => {
		const options = { options: { maxOutputTokens: 3 } };
		await run(of([{ blocked: true }, {}], options, { node: RETRY, onError }));
		expect([askedFor(0), askedFor(1)]).toEqual([3, 1]);
		stage.sandbox.reset();
		const prose = { says: 'No JSON at all' };
		await run(of([prose, {}], { outputFormat: 'json' }, { node: RETRY, onError }));
		expect([askedFor(0), askedFor(1)]).toEqual([3, 1]);
	});
});

describe('in a loop, each run of the node has answers of its own', () => {
	const loopOver = async (plans: Plan[], batchSize: number, more: TextRun = {}) => {
		const { node } = toRequest(of([], {}, { node: RETRY, ...more }));
		const result = await stage.engine.run({
			...inLoop(node as EngineNode, batchSize),
			items: of(plans).items,
			credentials: stage.credentials,
		});
		const items = result.runs('Node').flatMap(({ data }) => data?.main[0] ?? []);
		return textsOf(items).map((text) => /question \d/.exec(text)?.[0]);
	};

	it('where one run needs several tries', async () => {
		expect(await loopOver([{}, refusedFor(2), {}], 1)).toEqual([
			'question 0',
			'question 1',
			'question 2',
		]);
		expect([askedFor(0), askedFor(1), askedFor(2)]).toEqual([1, 3, 1]);
	});

	it('where one run leaves answers that nobody comes back for', async () => {
		// The first item went well, so n8n tries nothing again.
		const texts = await loopOver([{}, REFUSED, {}, {}], 2, { onError: 'continueRegularOutput' });
		expect(texts).toEqual(['question 0', undefined, 'question 2', 'question 3']);
	});
});

it('nothing is stored with the execution, so "Retry execution" asks for all', async () => {
	const failed = await run(of([{}, refusedFor(1)]));
	expect(failed.status).toBe('error');
	expect(failed.contextData).toEqual({ 'node:Node Under Test': {} });
	expect((await stage.engine.retry(failed)).status).toBe('success');
	expect([askedFor(0), askedFor(1)]).toEqual([2, 2]);
});

it("an agent's tool asks each time", async () => {
	const node = { ...RETRY, rewireOutputLogTo: 'ai_tool' };
	await run(of([refusedFor(1), {}], {}, { node }));
	expect(askedFor(1)).toBe(2);
});
