import type { IConnections, IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import type { KillDetails, RunRequest, RunResult } from '../../support/engine';
import { planned, toInput, useStage, videoGenerate } from '../../support/stage';
import { MODES } from './play';

// An execution that was killed or stopped has not stored what it had paid for. Its retry must not
// pay again; a retry of one that ended by itself goes on.

const VIDEO = 'Video Generate';
const stage = useStage();

const to = (...names: string[]) => ({
	main: [names.map((node) => ({ node, type: 'main' as const, index: 0 }))],
});
const chain = (...names: string[]): IConnections =>
	Object.fromEntries(names.slice(0, -1).map((name, i) => [name, to(names[i + 1])]));

const START = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };
const EARLIER = { name: 'Earlier', type: 'n8n-nodes-base.noOp' };
const WAIT = { name: 'Wait', type: 'n8n-nodes-base.wait', parameters: { amount: 70 } };
const LOOP = { name: 'Loop', type: 'n8n-nodes-base.splitInBatches' };
/** Fails as long as the sandbox does, which is once: a chat that is refused. */
const flaky = (name: string) => ({
	...videoGenerate({
		prompt: planned('elsewhere', { submit: ['forbidden'] } as Plan),
		wait: 'none',
	}),
	name,
});

const SHAPES: Record<string, (video: object) => Pick<RunRequest, 'nodes' | 'connections'>> = {
	'behind a trigger': (video) => ({
		nodes: [START, EARLIER, video as never],
		connections: chain('Start', 'Earlier', VIDEO),
	}),
	'behind a Wait': (video) => ({
		nodes: [START, WAIT, video as never],
		connections: chain('Start', 'Wait', VIDEO),
	}),
	'in a loop': (video) => ({
		nodes: [START, LOOP, video as never],
		connections: {
			...chain('Start', 'Loop'),
			Loop: { main: [[], to(VIDEO).main[0]] },
			[VIDEO]: to('Loop'),
		},
	}),
	'behind a node that has failed': (video) => ({
		nodes: [START, flaky('Earlier'), { ...(video as IDataObject), name: VIDEO } as never],
		connections: chain('Start', 'Earlier', VIDEO),
	}),
};

/** In a loop, or behind a node that gives something else. */
const PROMPT = { prompt: "={{ $json.prompt ?? $('Start').item.json.prompt }}" };
const toVideo = (parameters: IDataObject = {}, settings: object = {}) => ({
	...videoGenerate({ ...PROMPT, ...parameters }, settings),
	name: VIDEO,
});
const rows = (...plans: Plan[]) =>
	toInput(...plans.map((plan, i) => ({ prompt: planned(`video ${i}`, plan) })));
const submitted = () =>
	stage.sandbox.submissions().filter(({ body }) => JSON.stringify(body).includes('video ')).length;

type Request = Partial<RunRequest> & { shape?: string; video?: object; plans?: Plan[] };

/** Runs to the end, over its sleep and over a node that fails at first. */
async function run({
	shape = 'behind a trigger',
	video = toVideo(),
	plans = [{}, {}],
	...more
}: Request) {
	const { engine, credentials } = stage;
	const request = { ...SHAPES[shape](video), items: rows(...plans), credentials, ...more };
	let result = await engine.run({ ...request, resultNode: VIDEO } as RunRequest);
	if (result.status === 'waiting') result = await engine.wake(result);
	if (result.lastNodeExecuted === 'Earlier') result = await engine.retry(result);
	return result;
}

const PROGRESS = { settings: { saveExecutionProgress: true } };
const DEATHS: Array<[what: string, request: Request, how: Partial<KillDetails>]> = [
	['killed', {}, {}],
	['killed, and no event log', {}, { eventLog: false }],
	['killed, progress saved', PROGRESS, {}],
	['killed, progress saved, no event log', PROGRESS, { eventLog: false }],
	['stopped', {}, { stopped: true }],
	['stopped, progress saved', PROGRESS, { stopped: true }],
	['killed behind a Wait', { shape: 'behind a Wait' }, {}],
	['killed in a loop', { shape: 'in a loop' }, {}],
	['killed in a loop, progress saved', { shape: 'in a loop', ...PROGRESS }, {}],
	['a retry is killed', { shape: 'behind a node that has failed' }, {}],
	[
		'a retry is killed, progress saved',
		{ shape: 'behind a node that has failed', ...PROGRESS },
		{},
	],
];

/** Both videos are paid for, and n8n does not know it. */
async function die({ how, ...request }: Request & { how?: Partial<KillDetails> } = {}) {
	const ended = await run(request);
	expect([ended.status, submitted()]).toEqual(['success', 2]);
	return stage.engine.kill(ended, { inNode: VIDEO, ...how });
}

it.each(DEATHS)('%s: a retry pays nothing, and says where to look', async (_what, request, how) => {
	let last = await die({ ...request, how });
	for (let time = 0; time < 3; time++) {
		last = await stage.engine.retry(last);
		expect(last.error?.message).toMatch(/retries one that was killed or stopped/);
	}
	expect(last.error?.description).toMatch(/n8n's log.*start a new execution/);
	expect(submitted()).toBe(2);
});

it.each(MODES)('%s: three tries pay nothing', async (onError) => {
	const settings = { onError, retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const retried = await stage.engine.retry(await die({ video: toVideo({}, settings) }));
	expect(submitted()).toBe(2);
	expect(retried.status).toBe(onError === 'stopWorkflow' ? 'error' : 'success');
});

it('without Reuse Paid Task on Retry, what the person wants is submitted', async () => {
	const { nodes, connections } = SHAPES['behind a trigger'](
		toVideo({ options: { reuseTask: false } }),
	);
	const saved = { nodes, connections, credentials: stage.credentials };
	const retried = await stage.engine.retry(await die(), saved as never);
	expect([retried.status, submitted()]).toEqual(['success', 4]);
});

it('items say what to do: a person looks', async () => {
	const video = toVideo({}, { onError: 'continueRegularOutput' });
	const retried = await stage.engine.retry(await die({ video }));
	expect(retried.outputs(VIDEO)[0].map(({ json }) => json.error)).toEqual([
		expect.objectContaining({ next: 'checkUsage', retryable: false }),
		expect.objectContaining({ next: 'checkUsage', retryable: false }),
	]);
});

it('in a loop, runs that had not begun are paid for', async () => {
	const video = toVideo({}, { onError: 'continueRegularOutput' });
	const ended = await run({ shape: 'in a loop', video, plans: [{}], ...PROGRESS });
	const dead = stage.engine.kill(ended, { inNode: VIDEO });
	const [entry] = dead.saved.data.executionData!.nodeExecutionStack;
	expect(entry.node.name).toBe(VIDEO);
	const loop = dead.saved.data.executionData!.contextData['node:Loop'] as { waiting: unknown[] };
	loop.waiting = rows({}, {}).slice(1);
	await stage.engine.retry(dead);
	expect(submitted()).toBe(2);
});

describe('an ordinary retry goes on', () => {
	const FAILING: Array<[what: string, request: Request]> = [
		['the node has failed', {}],
		['the node has failed, progress saved', PROGRESS],
		['the node has failed behind a Wait', { shape: 'behind a Wait' }],
		['the node has failed in a loop', { shape: 'in a loop' }],
		['the node has failed in a loop, progress saved', { shape: 'in a loop', ...PROGRESS }],
	];
	it.each(FAILING)('%s', async (_what, request) => {
		// The account is out of credit twice.
		const failed = await run({ ...request, plans: [{}, { submit: ['forbidden', 'forbidden'] }] });
		expect(failed.status).toBe('error');
		let last: RunResult = failed;
		for (let time = 0; time < 2; time++) last = await stage.engine.retry(last);
		expect(last.status).toBe('success');
		expect(stage.sandbox.tasks()).toHaveLength(2);
	});

	it('an item of it cannot be read', async () => {
		const failed = await run({ video: toVideo({ prompt: "={{ '' }}" }) });
		expect([failed.status, submitted()]).toEqual(['error', 0]);
		const { nodes, connections } = SHAPES['behind a trigger'](toVideo());
		const saved = { nodes, connections, credentials: stage.credentials };
		const retried = await stage.engine.retry(failed, saved as never);
		expect([retried.status, submitted()]).toEqual(['success', 2]);
	});

	it.each([
		['', {}],
		[', progress saved', PROGRESS],
	])('an earlier node has failed%s', async (_what, more) => {
		const ended = await run({ shape: 'behind a node that has failed', ...more });
		expect([ended.status, submitted()]).toEqual(['success', 2]);
	});

	it('the first node has failed', async () => {
		const { engine, credentials } = stage;
		const request = { ...SHAPES['behind a trigger'](toVideo()), items: rows({}), credentials };
		const first = { ...flaky('Start'), onError: undefined };
		const failed = await engine.run({
			...request,
			nodes: [first, EARLIER, { ...toVideo(), ...{ name: VIDEO } }],
		} as RunRequest);
		expect(failed.lastNodeExecuted).toBe('Start');
		const retried = await engine.retry(failed);
		expect(retried.error?.message ?? '').not.toMatch(/killed or stopped/);
	});

	it('n8n died before the node had begun', async () => {
		const dead = stage.engine.kill(await run({}), { inNode: 'Earlier' });
		const before = submitted();
		expect((await stage.engine.retry(dead)).status).toBe('success');
		expect(submitted()).toBe(2 * before);
	});
});
