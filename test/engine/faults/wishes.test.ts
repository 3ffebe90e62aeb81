import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import type { EngineNode } from '../../support/engine';
import { hurry, until } from '../../support/clock';
import { MODEL, planned, toInput, useStage, videoGenerate } from '../../support/stage';
import { MODES } from './play';

// Whose wish is it? Expressions that give something else at each try must not pay for a video twice.

const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

const MOVING: Array<[what: string, parameters: IDataObject]> = [
	['the time in the prompt', { prompt: '={{ $now.toMillis() }} {{ $json.prompt }}' }],
	['a random number in the prompt', { prompt: '={{ Math.random() }} {{ $json.prompt }}' }],
	['a random seed', { options: { seed: '={{ Math.floor(Math.random() * 1e6) }}' } }],
	[
		'the execution in Metadata',
		{ options: { metadata: '={{ { id: $execution.id + Math.random() } }}' } },
	],
];

const stage = useStage();

const toRows = (...plans: Plan[]) =>
	toInput(...plans.map((plan, i) => ({ prompt: planned(`video ${i}`, plan) })));
const run = async (node: EngineNode, ...plans: Plan[]) =>
	await stage.engine.run({ node, items: toRows(...plans), credentials: stage.credentials });
const paid = () => stage.sandbox.tasks().length;

describe.each(MOVING)('%s', (_what, parameters) => {
	it.each(MODES)('%s: three tries, two good items beside one that is refused', async (onError) => {
		// The refused one comes first: n8n tries a node again where its first item has failed.
		const node = videoGenerate(parameters, { ...RETRY_ON_FAIL, onError });
		await run(node, { submit: { always: 'badRequest' } }, {}, {});
		expect(paid()).toBe(2);
		expect(stage.sandbox.submissions()).toHaveLength(5);
	});

	it.each(MODES)('%s: three tries of a task that cannot be followed', async (onError) => {
		const node = videoGenerate(parameters, { ...RETRY_ON_FAIL, onError });
		await run(node, { poll: { always: 'unauthorized' } }, {});
		expect(stage.sandbox.submissions()).toHaveLength(2);
	});

	it.each(MODES)('%s: three tries after an unclear answer', async (onError) => {
		await run(
			videoGenerate(parameters, { ...RETRY_ON_FAIL, onError }),
			...[{ submit: 'acceptThen500' } as Plan],
		);
		expect([paid(), stage.sandbox.submissions().length]).toEqual([1, 1]);
	});

	it('"Retry execution" picks up what was paid for', async () => {
		const node = videoGenerate(parameters);
		let last = await run(node, {}, { submit: { always: 'forbidden' } });
		for (let time = 0; time < 2; time++) last = await stage.engine.retry(last);
		expect(last.error?.message).toMatch(/was not submitted/);
		expect(stage.sandbox.submissions().filter(({ body }) => isFirst(body))).toHaveLength(1);
		expect(paid()).toBe(1);
	});

	it('"Retry execution" leaves an unclear one alone, beside one that has failed', async () => {
		const failed = await run(
			videoGenerate(parameters),
			...[{ submit: 'acceptThen500' } as Plan, { submit: ['forbidden'] } as Plan],
		);
		let last = failed;
		for (let time = 0; time < 2; time++) last = await stage.engine.retry(last);
		expect(last.error?.message).toMatch(/may or may not have been accepted/);
		const ofFirst = stage.sandbox.submissions().filter(({ body }) => isFirst(body));
		expect(ofFirst).toHaveLength(1);
	});
});

it('"Retry execution" of equal items keeps them apart, whichever retry paid', async () => {
	const plan: Plan = { submit: ['forbidden', {}, 'forbidden'] as Plan['submit'] };
	const node = videoGenerate({ options: { concurrency: 1, pollInterval: 0.02 } });
	const items = toInput(...Array<IDataObject>(3).fill({ prompt: planned('the same', plan) }));
	const failed = await stage.engine.run({ node, items, credentials: stage.credentials });
	let last = failed;
	for (const from of ['first', 'last', 'first', 'last']) {
		if (last.status === 'success') break;
		last = await stage.engine.retry(from === 'first' ? failed : last);
	}
	expect(last.status).toBe('success');
	const ids = last.outputs()[0].map(({ json }) => json.task_id);
	expect(new Set(ids).size).toBe(3);
	expect(paid()).toBe(3);
});

it('how a model was chosen is no other wish', async () => {
	const options = { seed: '={{ Math.floor(Math.random() * 1e6) }}' };
	const failed = await run(videoGenerate({ options }), {}, { submit: ['forbidden'] });
	const model = { __rl: true, mode: 'list', value: MODEL, cachedResultName: 'Veo' };
	const node = videoGenerate({ options, model });
	await stage.engine.retry(failed, { node, credentials: stage.credentials });
	expect(paid()).toBe(2);
});

const isFirst = (body: unknown) => JSON.stringify(body).includes('video 0');

it('another prompt in the saved workflow is another wish', async () => {
	const moving = { prompt: '={{ $now.toMillis() }} {{ $json.prompt }}' };
	const failed = await run(videoGenerate(moving), {}, { submit: { always: 'forbidden' } });
	expect(paid()).toBe(1);
	const node = videoGenerate({ prompt: '={{ "Another boat" + $now.toMillis() }}' });
	const retried = await stage.engine.retry(failed, { node, credentials: stage.credentials });
	expect(retried.outputs()[0].map(({ json }) => json.reused)).toEqual([false, false]);
	expect(paid()).toBe(3);
});

const to = (...names: string[]) => names.map((node) => ({ node, type: 'main' as const, index: 0 }));
const CLICK = { name: 'Click', type: 'n8n-nodes-base.manualTrigger' };
const END = { name: 'End', type: 'n8n-nodes-base.noOp' };

/** Items whose failures are wired back to the node; a loop without an end is stopped after a while. */
async function loop(parameters: IDataObject, plan: Plan) {
	const haste = hurry(1_000);
	const execution = stage.engine.start({
		nodes: [
			CLICK,
			{ ...videoGenerate(parameters, { onError: 'continueErrorOutput' }), name: 'Video' },
			END,
			{ ...END, name: 'Passes' },
		],
		connections: {
			Click: { main: [to('Video')] },
			Video: { main: [to('End'), to('Passes')] },
			Passes: { main: [to('Video')] },
		},
		items: toRows(plan),
		credentials: stage.credentials,
	});
	let over = false;
	void execution.done.then(() => (over = true));
	// Each time that it comes back it is held a moment, so that n8n has one to stop the loop.
	const holds = () => haste.asked.filter((ms) => ms === 10_000).length;
	await until(() => over || holds() > 3);
	await execution.stop();
	haste.restore();
	return await execution.done;
}

describe('a failing item that is sent back to the node', () => {
	it('follows its task', async () => {
		// Five polls in a row that are refused end the wait; the next pass finds it ready.
		const result = await loop({}, { poll: Array(5).fill('unauthorized') });
		expect(stage.sandbox.submissions()).toHaveLength(1);
		const items = result.outputs('End')[0].map(({ json }) => json);
		expect(items).toMatchObject([{ status: 'SUCCESS', reused: true }]);
	});

	it('is submitted once more after FAILURE, and no third time', async () => {
		await loop({}, { outcome: 'FAILURE', renderMs: 0 });
		expect(stage.sandbox.submissions()).toHaveLength(2);
	});

	it.each([...MOVING, ['nothing that moves', {}] as const])(
		'is not submitted again where it is unclear: %s',
		async (_what, parameters) => {
			await loop(parameters, { submit: { always: 'acceptThen500' } });
			expect([paid(), stage.sandbox.submissions().length]).toEqual([1, 1]);
		},
	);
});

it('an unclear item of another node is submitted, whatever is unclear here', async () => {
	const onError = 'continueErrorOutput' as const;
	const other = planned('other', { submit: { always: 'acceptThen500' } });
	const nodes = [
		CLICK,
		{ ...videoGenerate({}, { onError }), name: 'Video' },
		{ ...videoGenerate({ prompt: other }, { onError }), name: 'Other' },
		END,
	];
	await stage.engine.run({
		nodes,
		connections: {
			Click: { main: [to('Video', 'Other')] },
			Other: { main: [to('End'), to('Video')] },
		},
		items: toRows({ submit: ['acceptThen500'] }),
		credentials: stage.credentials,
	});
	const prompts = stage.sandbox.submissions().map(({ body }) => JSON.stringify(body).slice(0, 200));
	expect(prompts.filter((prompt) => prompt.includes('video 0'))).toHaveLength(2);
});

it('a render that fails lets no further submit begin', async () => {
	const node = videoGenerate({ options: { concurrency: 1, pollInterval: 0.02 } });
	await run(node, { outcome: 'FAILURE', renderMs: 0 }, { submit: ['rateLimited'] });
	expect(paid()).toBe(1);
});

it('what to do next is said of each failing item', async () => {
	const node = videoGenerate(
		{ options: { maxWait: 0.005, pollInterval: 0.1 } },
		{ onError: 'continueRegularOutput' },
	);
	const result = await run(
		node,
		...([
			{ submit: { always: 'badRequest' } },
			{ submit: 'acceptThen500' },
			{ outcome: 'FAILURE', renderMs: 0 },
			{ renderMs: 60_000 },
			{ outcome: 'SUCCESS', renderMs: 0, resultUrl: '', content: { always: 'notFound404' } },
		] as Plan[]),
	);
	const told = result.outputs()[0].map(({ json }) => json.error as IDataObject);
	expect(told.map(({ next, retryable }) => [next, retryable])).toEqual([
		['changeRequest', false],
		['checkUsage', false],
		['changeRequest', false],
		['followTask', false],
		['followTask', false],
	]);
});
