import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import type { EngineNode } from '../../support/engine';
import {
	MODES,
	planned,
	plannedRows,
	to,
	toInput,
	videoStatus,
	useStage,
	videoGenerate,
} from '../../support/stage';
import { hurry, until } from '../../support/clock';
import { always, RETRY_ON_FAIL, times } from './play';
import { CLICK, END, sendBack, toVideo } from './sendBack';

// Submissions made = videos wanted, whatever moves, is edited, fails or comes back.

const MOVING: Array<[what: string, parameters: IDataObject]> = [
	['the time in the prompt', { prompt: '={{ $now.toMillis() }} {{ $json.prompt }}' }],
	['a random number in the prompt', { prompt: '={{ Math.random() }} {{ $json.prompt }}' }],
	['a random seed', { options: { seed: '={{ Math.floor(Math.random() * 1e6) }}' } }],
	[
		'the execution in Additional Fields',
		{ options: { additionalFields: '={{ { id: $execution.id + Math.random() } }}' } },
	],
];
const [, , [, MOVING_SEED]] = MOVING;

const stage = useStage();

const run = async (node: EngineNode, ...plans: Plan[]) =>
	await stage.run(node, plannedRows(...plans));
const counts = () => ({
	submitted: stage.sandbox.submissions().length,
	paid: stage.sandbox.tasks().length,
});
const submittedOfFirst = () =>
	stage.sandbox.submissions().filter(({ body }) => body?.prompt?.includes('video 0')).length;

describe.each(MOVING)('%s', (_what, parameters) => {
	it.each(MODES)('%s: three tries of each kind of end', async (onError) => {
		// The refused one comes first: n8n tries a node again where its first item has failed.
		const node = videoGenerate(parameters, { ...RETRY_ON_FAIL, onError });
		await run(node, { submit: always('badRequest') }, {}, {});
		expect(counts()).toEqual({ submitted: 5, paid: 2 });
		stage.sandbox.reset();
		await run(node, { poll: always('unauthorized') }, {});
		expect(counts()).toEqual({ submitted: 2, paid: 2 });
		stage.sandbox.reset();
		await run(node, { submit: 'acceptThen500' });
		expect(counts()).toEqual({ submitted: 1, paid: 1 });
	});

	it('"Retry execution" picks up what was paid for', async () => {
		let last = await run(videoGenerate(parameters), {}, { submit: always('forbidden') });
		for (let time = 0; time < 2; time++) last = await stage.engine.retry(last);
		expect(last.error?.message).toMatch(/was not submitted/);
		expect([submittedOfFirst(), counts().paid]).toEqual([1, 1]);
	});

	it('"Retry execution" leaves an unclear one alone, beside one that has failed', async () => {
		const node = videoGenerate(parameters);
		let last = await run(node, { submit: 'acceptThen500' }, { submit: ['forbidden'] });
		for (let time = 0; time < 2; time++) last = await stage.engine.retry(last);
		expect(last.error?.message).toMatch(/may or may not have been accepted/);
		expect(submittedOfFirst()).toBe(1);
	});
});

it('"Retry execution" of equal items keeps them apart, whichever retry paid', async () => {
	const plan: Plan = { submit: ['forbidden', {}, 'forbidden'] };
	const node = videoGenerate({ options: { polling: { concurrency: 1 } } });
	const items = toInput(...Array<IDataObject>(3).fill({ prompt: planned('the same', plan) }));
	const failed = await stage.run(node, items);
	let last = failed;
	for (const from of ['first', 'last', 'first', 'last']) {
		if (last.status === 'success') break;
		last = await stage.engine.retry(from === 'first' ? failed : last);
	}
	expect(last.status).toBe('success');
	const ids = last.outputs()[0].map(({ json }) => json.task_id);
	expect(new Set(ids).size).toBe(3);
	expect(counts().paid).toBe(3);
});

/** Retries an execution of two videos that are done and one that was refused. */
async function retryEdited(parameters: IDataObject, edited: IDataObject) {
	const failed = await run(videoGenerate(parameters), {}, {}, { submit: ['forbidden', 'ok'] });
	const node = videoGenerate({ ...parameters, ...edited });
	const last = await stage.engine.retry(failed, { node, credentials: stage.credentials });
	expect(last.status).toBe('success');
	return counts().paid;
}
const isFirst = '$itemIndex === 0';
it.each<[what: string, parameters: IDataObject, edited: IDataObject, paid: number]>([
	['unchanged', {}, {}, 3],
	['with the seed edited', { options: { seed: 1 } }, { options: { seed: 2 } }, 3],
	[
		'with $now in Additional Fields, and a prompt in other words',
		{ options: { additionalFields: '={{ { at: $now.toMillis() } }}' } },
		{ prompt: '={{ $json["prompt"] }}' },
		3,
	],
	['with one prompt edited', {}, { prompt: `={{ $json.prompt + (${isFirst} ? "!" : "") }}` }, 4],
	[
		'with $now in the prompt that was edited',
		{},
		{ prompt: `={{ $json.prompt + (${isFirst} ? $now : "") }}` },
		4,
	],
])('"Retry execution" of two that are done and one that was refused, %s', async (...row) => {
	const [, parameters, edited, paid] = row;
	expect(await retryEdited(parameters, edited)).toBe(paid);
});

it('"Retry execution" submits a failed video anew, once', async () => {
	let last = await run(videoGenerate(), {}, { outcome: 'FAILURE', renderMs: 0 });
	for (let time = 1; time <= 2; time++) {
		last = await stage.engine.retry(last);
		expect(counts().paid).toBe(2 + time);
	}
});

const FAILURE = { outcome: 'FAILURE', renderMs: 0 } as const;
const LOST: Plan = { poll: times('unauthorized', 5) };
const NUMBERED = '=Shot {{ $json.pass ?? 0 }}: {{ $json.prompt }}';

const loop = async (parameters: IDataObject, plan: Plan, more?: Parameters<typeof sendBack>[3]) =>
	await sendBack(stage, plannedRows(plan), parameters, more);

describe('a failing item that is sent back to the node', () => {
	it('follows its task', async () => {
		// Five polls in a row that are refused end the wait; the next pass finds it ready.
		const result = await loop({}, LOST);
		expect(counts().submitted).toBe(1);
		const items = result.outputs('End')[0].map(({ json }) => json);
		expect(items).toMatchObject([{ status: 'SUCCESS', reused: true }]);
	});

	it.each<[what: string, plan: Plan, parameters: IDataObject]>([
		['lost', { poll: always('unauthorized') }, {}],
		['lost, and its prompt counts', { poll: always('unauthorized') }, { prompt: NUMBERED }],
		['unclear', { submit: always('acceptThen500') }, {}],
		['unclear, and its prompt counts', { submit: always('acceptThen500') }, { prompt: NUMBERED }],
		['failed', FAILURE, {}],
		['failed, and its seed moves', FAILURE, MOVING_SEED],
	])('is not paid for again: %s', async (_what, plan, parameters) => {
		await loop(parameters, plan);
		expect(counts()).toEqual({ submitted: 1, paid: 1 });
	});

	it('is submitted anew after FAILURE where somebody has changed it, once for each change', async () => {
		await loop({}, FAILURE, { edited: planned('changed to 2', FAILURE) });
		expect(counts()).toEqual({ submitted: 2, paid: 2 });
	});

	it('is followed where its place moves', async () => {
		const result = await sendBack(stage, plannedRows({}, LOST), {});
		expect(counts()).toEqual({ submitted: 2, paid: 2 });
		expect(result.runs('End').flatMap(({ data }) => data!.main[0] ?? [])).toHaveLength(2);
	});

	it('is not paid for twice after a pass in which it could not be read', async () => {
		const prompt = `={{ $runIndex === 1 ? '' : ${JSON.stringify(planned('video 0', LOST))} }}`;
		await loop({ prompt }, LOST);
		expect(counts()).toEqual({ submitted: 1, paid: 1 });
	});
});

it('an item that still renders is followed where it is led back', async () => {
	const polling = { pollInterval: 0.02, onTimeout: 'returnTask' };
	const video = videoGenerate({ options: { maxWait: 0.002, polling } });
	const execution = stage.engine.start({
		nodes: [CLICK, { ...video, name: 'Video' }],
		connections: { Click: { main: [to('Video')] }, Video: { main: [to('Video')] } },
		items: plannedRows({ renderMs: 60_000 }),
		credentials: stage.credentials,
	});
	await until(() => stage.sandbox.requests.filter(({ method }) => method === 'GET').length > 20);
	await execution.stop();
	await execution.done;
	expect(counts().submitted).toBe(1);
});

it('a failed render that Video Status leads back is paid for once', async () => {
	const haste = hurry(1_000);
	const status = videoStatus({ taskId: '={{ $json.error?.task_id || $json.task_id }}' });
	const execution = stage.engine.start({
		nodes: [CLICK, toVideo(), { ...status, name: 'Status' }],
		connections: {
			Click: { main: [to('Video')] },
			Video: { main: [[], to('Status')] },
			Status: { main: [to('Video'), to('Video'), to('Video')] },
		},
		items: plannedRows(FAILURE),
		credentials: stage.credentials,
	});
	await until(() => stage.sandbox.requests.filter(({ method }) => method === 'GET').length > 100);
	await execution.stop();
	haste.restore();
	const result = await execution.done;
	expect(result.runs('Video').length).toBeGreaterThan(2);
	expect(counts().submitted).toBe(1);
});

it('an unclear item of another node is submitted, whatever is unclear here', async () => {
	const other = planned('other', { submit: always('acceptThen500') });
	await stage.engine.run({
		nodes: [CLICK, toVideo(), toVideo({ prompt: other }, 'Other'), END],
		connections: {
			Click: { main: [to('Video', 'Other')] },
			Other: { main: [to('End'), to('Video')] },
		},
		items: plannedRows({ submit: ['acceptThen500'] }),
		credentials: stage.credentials,
	});
	expect(submittedOfFirst()).toBe(2);
});

it('a render that fails lets no further submit begin', async () => {
	const node = videoGenerate({ options: { polling: { concurrency: 1 } } });
	await run(node, { outcome: 'FAILURE', renderMs: 0 }, { submit: ['rateLimited'] });
	expect(counts().paid).toBe(1);
});
