import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import type { EngineNode, RunResult } from '../../support/engine';
import {
	byId,
	CONTINUE,
	inLoop,
	MODES,
	planned,
	plannedRows,
	toInput,
	useStage,
	videoGenerate,
} from '../../support/stage';
import {
	always,
	LATER,
	RETRY_ON_FAIL,
	row,
	searchable,
	testFaults,
	times,
	type End,
	type More,
	type NamedApi,
} from './support/faults';

// Submissions made = videos wanted, in a further try and in a further execution, whatever moves or is edited.
// When two orders are the same is in test/nodes/shared/task/asked.test.ts and ledger.test.ts.

const stage = useStage();

const run = async (node: EngineNode, ...plans: Plan[]) =>
	await stage.run(node, plannedRows(...plans));
const retry = async (result: RunResult, node?: EngineNode) =>
	await stage.engine.retry(result, node && { node, credentials: stage.credentials });
const taskIds = () => stage.sandbox.tasks().map(({ task_id }) => task_id);
const jsonOf = (result: RunResult) => result.outputs()[0].map(({ json }) => json);
const counts = () => ({
	submitted: stage.sandbox.submissions().length,
	paid: stage.sandbox.tasks().length,
});
const submittedOfFirst = () =>
	stage.sandbox.submissions().filter(({ body }) => body?.prompt?.includes('video 0')).length;

/** Five in a row end a try. */
const refusedFor = (tries: number): Plan => ({ poll: times('unauthorized', 5 * tries) });
const FAILURE: Plan = { outcome: 'FAILURE', renderMs: 0 };
const WAN = 'wavespeed-ai/wan-2.2/t2v-480p-ultra-fast';
/** fal's answer to a fetch of the result. */
const DIED = {
	status: 503,
	json: { detail: 'Runner disconnected unexpectedly', error_type: 'runner_disconnected' },
};
/** As expressions give another value at each try. */
const MOVING = {
	prompt: '={{ $now.toMillis() }} {{ $json.prompt }}',
	options: {
		seed: '={{ Math.floor(Math.random() * 1e6) }}',
		additionalFields: '={{ { id: $execution.id + Math.random() } }}',
	},
};

const retried = (what: string, plan: Plan, end: End, more?: More) =>
	row(`Retry On Fail: ${what}`, plan, end, { settings: RETRY_ON_FAIL, ...more });

testFaults(stage, [
	retried('a render outlasts the first try', { renderMs: 450 }, 'SUCCESS', {
		parameters: { options: { maxWait: 0.005 } },
	}),
	retried('a download fails until the second try', { content: times('html502', 12) }, 'SUCCESS', {
		parameters: { downloadVideo: true },
		hurry: 200,
	}),
]);

it.each(MODES)('Retry On Fail, %s: three tries of each kind of end', async (onError) => {
	// The refused one comes first: n8n tries a node again where its first item has failed.
	const node = videoGenerate(MOVING, { ...RETRY_ON_FAIL, onError });
	await run(node, { submit: always('chineseMessage') }, {}, {});
	expect(counts()).toEqual({ submitted: 5, paid: 2 });
	stage.sandbox.reset();
	const result = await run(node, refusedFor(2), {});
	expect(counts()).toEqual({ submitted: 2, paid: 2 });
	expect(jsonOf(result).map(({ reused }) => reused)).toEqual([true, true]);
	stage.sandbox.reset();
	await run(node, { submit: 'acceptThen500' });
	expect(counts()).toEqual({ submitted: 1, paid: 1 });
	stage.sandbox.reset();
	const { customData } = await run(node, FAILURE, { renderMs: 0 });
	expect(counts()).toEqual({ submitted: 4, paid: 4 });
	// No item tells of the tries before the last one.
	expect(searchable(customData).sort()).toEqual(taskIds().sort());
});

it.each<[what: string, api: NamedApi, model: string, broken: Plan, billed: string]>([
	['WaveSpeed', 'wavespeed', WAN, { ...FAILURE, failCode: 5000, failReason: 'Internal' }, 'no'],
	['fal', 'fal', 'fal-ai/veo3.1', { renderMs: 0, content: always(DIED) }, 'no'],
	[
		"Replicate's words, through kie.ai",
		...(['kie', 'veo-3-1'] as const),
		{ ...FAILURE, failCode: 422, failReason: 'Director: unexpected error (E6716)' },
		'unknown',
	],
])(
	'Retry On Fail: what broke off at the vendor is ordered again for each try: %s',
	async (...row) => {
		const [, api, model, broken, billed] = row;
		stage.sandbox.set({ profile: api });
		const access = { ...stage.credentials.videoGenerationApi, api, proxyUrl: stage.sandbox.url };
		const result = await stage.run(
			videoGenerate({ model: byId(model) }, { ...RETRY_ON_FAIL, onError: 'continueErrorOutput' }),
			plannedRows(broken),
			{ credentials: { videoGenerationApi: access } },
		);
		expect(counts()).toEqual({ submitted: 3, paid: 3 });
		const [first, second, third] = stage.sandbox.submissions().map(({ body }) => body);
		expect([second, third]).toEqual([first, first]);
		const [, [{ json }]] = result.outputs();
		expect(json.error).toMatchObject({ next: 'retry', retryable: true, billed });
		expect(searchable(result.customData).sort()).toEqual(taskIds().sort());
	},
);

describe('"Retry execution"', () => {
	it('picks up what was paid for, and leaves an unclear one alone', async () => {
		for (const first of [{}, { submit: 'acceptThen500' }]) {
			stage.sandbox.reset();
			let last = await run(videoGenerate(MOVING), first, { submit: always('forbidden') });
			for (let time = 0; time < 2; time++) last = await retry(last);
			expect(last.status).toBe('error');
			expect([submittedOfFirst(), counts().paid]).toEqual([1, 1]);
		}
	});

	it('tells what was submitted when, and submits the rest', async () => {
		// The last one still waits for its second try when the run ends.
		const failed = await run(videoGenerate(), {}, refusedFor(1), { submit: [LATER] });
		expect([failed.status, taskIds().length]).toEqual(['error', 2]);
		const paid = failed.contextData['node:Node Under Test'].paid as IDataObject[];
		const last = await retry(failed);
		expect(jsonOf(last)).toMatchObject([
			...paid.map(({ submittedAtMs }) => ({
				reused: true,
				submitted_at: new Date(submittedAtMs as number).toISOString(),
			})),
			{ reused: false },
		]);
		expect(searchable(last.customData)).toEqual(taskIds());
	});

	const isFirst = '$itemIndex === 0';
	it.each<[what: string, parameters: IDataObject, edited: IDataObject, paid: number]>([
		['the seed edited', { options: { seed: 1 } }, { options: { seed: 2 } }, 3],
		[
			'$now in Additional Fields, and a prompt in other words',
			{ options: { additionalFields: '={{ { at: $now.toMillis() } }}' } },
			{ prompt: '={{ $json["prompt"] }}' },
			3,
		],
		['one prompt edited', {}, { prompt: `={{ $json.prompt + (${isFirst} ? "!" : "") }}` }, 4],
		[
			'$now in the prompt that was edited',
			{},
			{ prompt: `={{ $json.prompt + (${isFirst} ? $now : "") }}` },
			4,
		],
	])('of two that are done and one that was refused, with %s', async (...row) => {
		const [, parameters, edited, paid] = row;
		const failed = await run(videoGenerate(parameters), {}, {}, { submit: ['forbidden', 'ok'] });
		const last = await retry(failed, videoGenerate({ ...parameters, ...edited }));
		expect([last.status, counts().paid]).toEqual(['success', paid]);
	});

	it('brings a finished video though its record says FAILURE by now', async () => {
		// As New API of Veo once Google has forgotten a task that it had finished.
		const forgotten: Plan = {
			renderMs: 0,
			poll: ['ok', always({ status: 200, json: { code: 'success', data: { status: 'FAILURE' } } })],
		};
		const last = await retry(
			await run(videoGenerate({ downloadVideo: true }), forgotten, refusedFor(1)),
		);
		expect(jsonOf(last).map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS']);
		expect(last.outputs()[0][0].binary).toBeDefined();
		expect(taskIds()).toHaveLength(2);
	});

	it.each<[what: string, options: IDataObject, access: IDataObject]>([
		['the credential is broken', {}, { baseUrl: 'not an address' }],
		['the item can no longer be read', { maxWait: 'soon' }, {}],
	])('tells an earlier task though %s', async (_what, options, access) => {
		const failed = await run(videoGenerate(), refusedFor(1));
		const { videoGenerationApi } = stage.credentials;
		const last = await stage.engine.retry(failed, {
			node: videoGenerate({ options }, CONTINUE),
			credentials: { videoGenerationApi: { ...videoGenerationApi, ...access } as never },
		});
		expect(jsonOf(last)[0].error).toMatchObject({ task_id: taskIds()[0], next: 'followTask' });
		expect(counts().submitted).toBe(1);
	});
});

it('the passes of a loop are separate videos, and a failed loop goes on where it failed', async () => {
	const refused = planned('refused', refusedFor(1));
	const failed = await stage.engine.run({
		...inLoop(videoGenerate()),
		items: toInput({ prompt: 'the same' }, { prompt: refused }, { prompt: 'the same' }),
		credentials: stage.credentials,
	});
	const items = (await retry(failed)).outputs('End')[0].map(({ json }) => json);
	expect(items.map(({ reused }) => reused)).toEqual([false, true, false]);
	expect(items.map(({ task_id }) => task_id)).toEqual(taskIds());
	expect(new Set(taskIds()).size).toBe(3);
});

it('a render that fails lets no further submit begin', async () => {
	const node = videoGenerate({ options: { polling: { concurrency: 1 } } });
	await run(node, FAILURE, { submit: ['rateLimited'] });
	expect(counts().paid).toBe(1);
});
