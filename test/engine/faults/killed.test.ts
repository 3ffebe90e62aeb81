import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import type { EngineNode, KillDetails, RunRequest } from '../../support/engine';
import {
	CONTINUE,
	inARow,
	planned,
	plannedRows,
	to,
	useStage,
	videoGenerate,
} from '../../support/stage';
import { RETRY_ON_FAIL } from './support/faults';

// An execution that was killed or stopped has not stored what it had paid for. Its retry must not
// pay again; a retry of one that ended by itself goes on.

const VIDEO = 'Video Generate';
const stage = useStage();

const START = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };
const EARLIER = { name: 'Earlier', type: 'n8n-nodes-base.noOp' };
const WAIT = { name: 'Wait', type: 'n8n-nodes-base.wait', parameters: { amount: 70 } };
const LOOP = { name: 'Loop', type: 'n8n-nodes-base.splitInBatches' };
/** Fails once: its submit is refused. */
const flaky = {
	...videoGenerate({ prompt: planned('elsewhere', { submit: ['forbidden'] }), wait: 'none' }),
	name: 'Earlier',
};

type Shape = Pick<RunRequest, 'nodes' | 'connections'>;
const SHAPES: Record<string, (video: EngineNode) => Shape> = {
	'behind a trigger': (video) => inARow(START, EARLIER, video),
	'behind a Wait': (video) => inARow(START, WAIT, video),
	'behind a node that has failed': (video) => inARow(START, flaky, video),
	'in a loop': (video) => ({
		nodes: [START, LOOP, video],
		connections: {
			Start: { main: [to('Loop')] },
			Loop: { main: [[], to(VIDEO)] },
			[VIDEO]: { main: [to('Loop')] },
		},
	}),
};

const toVideo = (parameters: IDataObject = {}, settings: Partial<EngineNode> = {}): EngineNode => ({
	// In a loop, or behind a node that gives something else.
	...videoGenerate(
		{ prompt: "={{ $json.prompt ?? $('Start').item.json.prompt }}", ...parameters },
		settings,
	),
	name: VIDEO,
});
const submitted = () =>
	stage.sandbox.submissions().filter(({ body }) => body?.prompt?.startsWith('video ')).length;

type Request = Partial<RunRequest> & { shape?: string; video?: EngineNode; plans?: Plan[] };

/** Runs to the end, over its sleep and over a node that fails at first. */
async function run(request: Request) {
	const { shape = 'behind a trigger', video = toVideo(), plans = [{}, {}], ...more } = request;
	const { engine, credentials } = stage;
	const items = plannedRows(...plans);
	const whole = { ...SHAPES[shape](video), items, credentials, resultNode: VIDEO, ...more };
	let result = await engine.run(whole as RunRequest);
	if (result.status === 'waiting') result = await engine.wake(result);
	if (result.lastNodeExecuted === 'Earlier') result = await engine.retry(result);
	return result;
}

const PROGRESS = { settings: { saveExecutionProgress: true } };
const RETRIED = { shape: 'behind a node that has failed' };

const words = (message: RegExp) => expect.stringMatching(message) as string;

/** Both videos are paid for, and n8n does not know it. */
async function die(request: Request = {}, how: Partial<KillDetails> = {}) {
	const ended = await run(request);
	expect([ended.status, submitted()]).toEqual(['success', 2]);
	return stage.engine.kill(ended, { inNode: VIDEO, ...how });
}

it.each<[what: string, request: Request, how?: Partial<KillDetails>]>([
	['killed', {}],
	['killed, and no event log', {}, { eventLog: false }],
	['killed, progress saved', PROGRESS],
	['killed, progress saved, no event log', PROGRESS, { eventLog: false }],
	['stopped', {}, { stopped: true }],
	['killed behind a Wait', { shape: 'behind a Wait' }],
	['killed in a loop, progress saved', { shape: 'in a loop', ...PROGRESS }],
	['a retry is killed', RETRIED],
	['a retry is killed, progress saved', { ...RETRIED, ...PROGRESS }],
])('%s: a retry pays nothing, and says where to look', async (_what, request, how = {}) => {
	let last = await die({ video: toVideo({}, RETRY_ON_FAIL), ...request }, how);
	for (let time = 0; time < 2; time++) {
		last = await stage.engine.retry(last);
		expect(last.error?.message).toMatch(/retries one that was killed or stopped/);
	}
	expect(last.error?.description).toMatch(/Video Tasks.*n8n's log.*a new execution/);
	expect(submitted()).toBe(2);
});

it('in a loop, runs that had not begun are paid for', async () => {
	const video = toVideo({}, CONTINUE);
	const ended = await run({ shape: 'in a loop', video, plans: [{}], ...PROGRESS });
	const dead = stage.engine.kill(ended, { inNode: VIDEO });
	const { contextData } = dead.saved.data.executionData!;
	(contextData['node:Loop'] as { waiting: unknown[] }).waiting = plannedRows({}, {}).slice(1);
	await stage.engine.retry(dead);
	expect(submitted()).toBe(2);
});

describe('an ordinary retry goes on', () => {
	it.each<[what: string, request: Request]>([
		['the node has failed, progress saved', PROGRESS],
		['the node has failed behind a Wait', { shape: 'behind a Wait' }],
		['the node has failed in a loop, progress saved', { shape: 'in a loop', ...PROGRESS }],
	])('%s', async (_what, request) => {
		// The account is out of credit twice.
		let last = await run({ ...request, plans: [{}, { submit: ['forbidden', 'forbidden'] }] });
		expect(last.status).toBe('error');
		for (let time = 0; time < 2; time++) last = await stage.engine.retry(last);
		expect([last.status, stage.sandbox.tasks().length]).toEqual(['success', 2]);
	});

	it('an earlier node has failed', async () => {
		const ended = await run(RETRIED);
		expect([ended.status, submitted()]).toEqual(['success', 2]);
	});

	it('n8n died before the node had begun', async () => {
		const dead = stage.engine.kill(await run({}), { inNode: 'Earlier' });
		const before = submitted();
		expect((await stage.engine.retry(dead)).status).toBe('success');
		expect(submitted()).toBe(2 * before);
	});
});

it('a retry that pays and is killed: the next retry pays for nothing', async () => {
	const failed = await run({ plans: [{}, { submit: ['forbidden'] }] });
	const second = await stage.engine.retry(failed);
	expect([second.status, stage.sandbox.tasks().length]).toEqual(['success', 2]);
	const count = submitted();
	const third = await stage.engine.retry(stage.engine.kill(second, { inNode: VIDEO }));
	expect([third.status, submitted()]).toEqual(['error', count]);
	expect(third.error?.message).toMatch(/\[item 1\]$/);
});

it('of many retries at once, one of each execution pays; later ones pay nothing', async () => {
	const plans = [{ submit: Array<'forbidden'>(3).fill('forbidden') }];
	const failed = [await run({ plans }), await run({ plans }), await run({ plans })];
	const retry = async (twice: typeof failed) => {
		const ended = await Promise.all(twice.map(async (one) => await stage.engine.retry(one)));
		return ended.map(({ status, error }) => error?.message ?? status).sort();
	};
	const refused = words(/retries one that was killed or stopped/);
	expect(await retry([...failed, ...failed])).toEqual([
		...[refused, refused, refused],
		...['success', 'success', 'success'],
	]);
	expect(await retry(failed)).toEqual([refused, refused, refused]);
	expect(stage.sandbox.tasks()).toHaveLength(3);
});
