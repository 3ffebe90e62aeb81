import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Plan } from '../../sandbox/service';
import { projectVersion, type EngineNode, type RunResult } from '../support/engine';
import {
	describeSleep,
	durable,
	errorOf,
	jsonOf,
	SLEEPS,
	useDurableStage,
} from '../support/durableStage';
import { planned, toInput } from '../support/stage';

const stage = useDurableStage();

/** Three looks: after 65, 130 and 195 s. */
const SLOW: Plan = { renderMs: 180_000 };
const FAILS: Plan = { outcome: 'FAILURE', failReason: 'Not allowed' };

/** `null` is a prompt that somebody forgot. */
const rows = (...plans: Array<Plan | null>) =>
	toInput(...plans.map((plan, n) => ({ prompt: plan ? planned(`video ${n}`, plan) : '', n })));
const to = (node: string) => ({ node, type: 'main' as const, index: 0 });
const promptsOf = (items: INodeExecutionData[]) => {
	const prompts = new Map(stage.sandbox.tasks().map((task) => [task.task_id, task.prompt]));
	return items.map(({ json }) => prompts.get(json.task_id as string));
};
const ledgerOf = ({ contextData }: RunResult) =>
	contextData['node:Node Under Test'].paidTasks as Record<string, IDataObject>;

describeSleep(stage, 'while it sleeps', () => {
	it('shows the tasks in its items, the custom data and the ledger, and has paid once', async () => {
		const { sandbox } = stage;
		const sleeping = await stage.begin({ node: durable(), items: rows(SLOW, SLOW, SLOW) });
		const ids = stage.taskIds();
		expect(sleeping.status).toBe('waiting');
		expect(sleeping.saved.status).toBe('waiting');
		const saved = sleeping.saved.data.resultData.runData['Node Under Test'][0].data!.main[0]!;
		expect(saved).toEqual(
			ids.map((task_id, item) => ({
				json: expect.objectContaining({ task_id, status: 'queued', poll_count: 0 }),
				pairedItem: { item },
			})),
		);
		expect(sleeping.customData).toEqual({ video_task_ids: ids.join(',') });
		const kept = Object.values(ledgerOf(sleeping)).map(({ task_id }) => task_id);
		expect(kept).toEqual(ids);
		expect(sandbox.submissions()).toHaveLength(3);
		expect(sandbox.polls()).toHaveLength(0);
	});

	it('has two sub-executions of its own workflow, the inner one asleep in the database', async () => {
		const startedMs = Date.now();
		const sleeping = await stage.begin({ node: durable(), items: rows(SLOW) });
		const [keeper, worker] = stage.subExecutions();
		expect([keeper, worker].map(({ workflowData }) => workflowData)).toMatchObject([
			{ name: 'Node Under Test: wait for videos', id: sleeping.workflowData.id },
			{ name: 'Wait for Renders: sleep and look', id: sleeping.workflowData.id },
		]);
		expect([keeper.status, worker.status]).toEqual(['waiting', 'waiting']);
		expect(worker.waitTill!.getTime() - startedMs).toBeGreaterThanOrEqual(65_000);
		const [[item]] = worker.outputs('Submitted Videos');
		expect(item.json).toMatchObject({ task_id: stage.taskIds()[0], ended: false });
	});

	it('looks once a sleep, and shows each look in the executions list', async () => {
		const { sandbox } = stage;
		const sleeping = await stage.begin({ node: durable(), items: rows(SLOW) });
		const stillAsleep = await stage.lookOnce(sleeping);
		expect(stillAsleep.status).toBe('waiting');
		expect(sandbox.polls()).toHaveLength(1);
		const result = await stage.toEnd(stillAsleep);
		expect(result.status).toBe('success');
		expect(sandbox.polls()).toHaveLength(3);
		expect(jsonOf(result.outputs()[0])).toMatchObject([{ status: 'SUCCESS', poll_count: 3 }]);
		const looks = stage.subExecutions()[1].runs('Look at Videos');
		expect(looks.map(({ data }) => data!.main.flat()[0]!.json)).toMatchObject([
			{ status: 'IN_PROGRESS', poll_count: 1, ended: false },
			{ status: 'IN_PROGRESS', poll_count: 2, ended: false },
			{ status: 'SUCCESS', ended: true },
		]);
	});

	it('gives up at the end of Max Wait, after a last look', async () => {
		const { sandbox } = stage;
		const result = await stage.runThrough({
			node: durable({ options: { maxWait: 3 } }),
			items: rows({ outcome: 'never' }),
		});
		expect(result.error?.message).toMatch(/not ready within 3 minutes \(Max Wait\) .*\[item 0\]$/);
		const polls = sandbox.polls().map(({ at }) => at);
		expect(polls).toHaveLength(2);
		expect(polls[1] - sandbox.submissions()[0].at).toBeGreaterThanOrEqual(180_000);
	});
});

/** What a workflow gets, without what is another one each time. */
function whatCameOf({ status, error, ...result }: RunResult) {
	const plain = { submitted_at: 'time', finished_at: 'time', poll_count: 'count' };
	const items = result.outputs().map((output) =>
		output.map(({ json, binary, pairedItem }) => ({
			json: Object.entries(json).map(([key, value]) => {
				if (key === 'response') return [key, Object.keys(value as IDataObject)];
				return [key, plain[key as keyof typeof plain] ?? value];
			}),
			file: Object.entries(binary ?? {}).map(([key, { mimeType, fileSize, fileName }]) => ({
				...{ key, mimeType, fileSize, fileName },
			})),
			pairedItem,
		})),
	);
	const { message, description, context } = (error ?? {}) as unknown as IDataObject;
	let text = JSON.stringify({ status, message, description, context, items });
	stage.taskIds().forEach((id, i) => {
		for (const form of [id, encodeURIComponent(id)]) text = text.replaceAll(form, `task ${i}`);
	});
	return JSON.parse(text) as unknown;
}

const MODES = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
const cases: Array<[string, Array<Plan | null>, IDataObject]> = [
	['a batch', [{ renderMs: 60 }, { renderMs: 5 }, { renderMs: 30 }], {}],
	['a render that fails', [{}, FAILS, {}], {}],
	['a render that fails for no reason', [{ outcome: 'FAILURE', failReason: null }, {}], {}],
	['a filtered prompt', [{ outcome: 'filtered' }, {}], {}],
	['an empty prompt beside good ones', [{}, null, {}], {}],
	['Simplify off', [{}, FAILS], { simplify: false }],
	['files', [{}, {}, FAILS], { downloadVideo: true, options: { binaryProperty: 'film' } }],
	['a file that is refused', [{ content: { always: 'forbidden' } }, {}], { downloadVideo: true }],
	['a time-out', [{ outcome: 'never' }], { options: { maxWait: 0.01 } }],
	[
		'a time-out that gives the task',
		[{ outcome: 'never' }],
		{ simplify: false, options: { maxWait: 0.01, onTimeout: 'returnTask' } },
	],
	['a vendor that speaks otherwise', [{ shape: 'vendor' }, { shape: 'oldest' }], {}],
	['ids that have to be encoded', [{ oddId: true }, { idOnly: true }], {}],
];

/** n8n does not run a node again that failed after a sleep, so there is nothing to promise. */
const withoutRetryAdvice = <T>(value: T): T =>
	JSON.parse(
		JSON.stringify(value).replace(/ A retry of this execution picks the task up[^.]*\./g, ''),
	) as T;

describe.each(cases)('gives what a wait in process gives: %s', (_name, plans, parameters) => {
	const items = rows(...plans);
	it.each(MODES)('%s', async (onError) => {
		const sleeps = await stage.runThrough({ node: durable(parameters, { onError }), items });
		const slept = whatCameOf(sleeps);
		const count = stage.sandbox.submissions().length;
		stage.sandbox.reset();
		const inProcess = { ...parameters, waitMode: 'inProcess' };
		const waits = await stage.runThrough({ node: durable(inProcess, { onError }), items });
		expect(withoutRetryAdvice(slept)).toEqual(withoutRetryAdvice(whatCameOf(waits)));
		expect(stage.sandbox.submissions()).toHaveLength(count);
	});
});

describe('a batch that waits durably', () => {
	it('keeps order and pairing, whichever ends first', async () => {
		const plans = [200_000, 10, 150_000, 5, 100_000].map((renderMs) => ({
			renderMs: SLEEPS ? renderMs : renderMs / 1000,
		}));
		const { outputs, status } = await stage.runThrough({ node: durable(), items: rows(...plans) });
		expect(status).toBe('success');
		expect(promptsOf(outputs()[0])).toEqual(rows(...plans).map(({ json }) => json.prompt));
		expect(outputs()[0].map(({ pairedItem }) => pairedItem)).toEqual(
			plans.map((_, item) => ({ item })),
		);
		expect(stage.sandbox.submissions()).toHaveLength(plans.length);
	});

	it('may choose how to wait for each item', async () => {
		const { sandbox } = stage;
		const items = ['durable', 'inProcess', 'durable'].map((mode, i) => ({
			json: { prompt: planned(`video ${i}`, {}), mode },
		}));
		const begun = await stage.begin({ node: durable({ waitMode: '={{ $json.mode }}' }), items });
		const ids = stage.taskIds();
		const states = jsonOf(begun.outputs()[0]).map(({ status }) => status);
		const looks = sandbox.polls(ids[1]).length;
		expect(looks).toBeGreaterThan(0);
		const waiting = SLEEPS ? 'queued' : 'SUCCESS';
		expect(states).toEqual([waiting, 'SUCCESS', waiting]);
		const { outputs } = await stage.toEnd(begun);
		expect(promptsOf(outputs()[0])).toEqual(items.map(({ json }) => json.prompt));
		expect(jsonOf(outputs()[0]).every(({ status }) => status === 'SUCCESS')).toBe(true);
		expect(sandbox.polls(ids[1])).toHaveLength(looks);
		expect(sandbox.submissions()).toHaveLength(3);
	});

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'with refused and unclear submits: each item once (%s)',
		async (onError) => {
			const items = rows({}, { submit: 'forbidden' }, { submit: 'acceptThen500' }, {});
			const result = await stage.runThrough({ node: durable({}, { onError }), items });
			const all = result.outputs().flat();
			const failed = all.filter(({ json }) => json.error);
			expect(all).toHaveLength(4);
			expect(failed.map(errorOf)).toEqual([
				expect.objectContaining({
					message: expect.stringMatching(/was not submitted.*\[item 1\]/),
				}),
				expect.objectContaining({
					message: expect.stringMatching(/may have been accepted.*\[item 2\]/),
					retryable: false,
				}),
			]);
			expect(promptsOf(all.filter(({ json }) => !json.error))).toEqual(
				[0, 3].map((i) => items[i].json.prompt),
			);
			expect(stage.sandbox.submissions()).toHaveLength(4);
		},
	);

	it('does not go to sleep after a refusal in the default mode, and names the tasks', async () => {
		const items = rows(SLOW, { submit: 'forbidden' });
		const result = await stage.begin({ node: durable(), items });
		expect(result.status).toBe('error');
		expect(result.error?.message).toMatch(/was not submitted/);
		expect(result.error?.description).toContain(stage.taskIds()[0]);
		expect(stage.subExecutions()).toEqual([]);
	});
});

describe('a head start', () => {
	it('that is long enough ends it without a sleep', async () => {
		const node = durable({ options: { headStart: 60 } });
		const result = await stage.begin({ node, items: rows({ renderMs: 300 }, {}) });
		expect(result.status).toBe('success');
		expect(stage.subExecutions()).toEqual([]);
	});

	it('that is not takes its looks along', async () => {
		const node = durable({ options: { headStart: 0.2 } });
		const begun = await stage.begin({ node, items: rows({ renderMs: 1000 }) });
		const [{ poll_count }] = jsonOf(begun.outputs()[0]);
		const result = await stage.toEnd(begun);
		expect(result.status).toBe('success');
		expect(poll_count).toBeGreaterThan(0);
		expect(jsonOf(result.outputs()[0])[0].poll_count).toBe(stage.sandbox.polls().length);
	});
});

describe('files', () => {
	const offered = (['default', 'filesystem', 'database'] as const).slice(0, SLEEPS ? 3 : 2);
	it.each(offered)('can be read after the sleep (%s mode)', async (binaryMode) => {
		const { engine, sandbox } = stage;
		const node = durable({ downloadVideo: true, options: { binaryProperty: 'film' } });
		const result = await stage.runThrough({ node, items: rows({}, {}), binaryMode });
		const [items] = result.outputs();
		for (const { json, binary } of items) {
			expect(binary?.film).toMatchObject({ fileName: `${json.task_id}.mp4` });
			const bytes = await engine.readBinary(binary!.film);
			expect(bytes.subarray(4, 8).toString()).toBe('ftyp');
		}
		expect(sandbox.count({ path: /content$/ })).toBe(2);
	});
});

describe('inside other workflows', () => {
	it('sleeps in each pass of a loop, and pays for each once', async () => {
		const result = await stage.runThrough({
			nodes: [
				{ name: 'Click', type: 'n8n-nodes-base.manualTrigger' },
				{ name: 'Loop', type: 'n8n-nodes-base.splitInBatches' },
				{ ...durable(), name: 'Video Generate' },
				{ name: 'End', type: 'n8n-nodes-base.noOp' },
			],
			connections: {
				Click: { main: [[to('Loop')]] },
				Loop: { main: [[to('End')], [to('Video Generate')]] },
				'Video Generate': { main: [[to('Loop')]] },
			},
			items: rows({}, {}, {}),
		});
		expect(result.status).toBe('success');
		expect(promptsOf(result.outputs('End')[0])).toEqual(
			rows({}, {}, {}).map(({ json }) => json.prompt),
		);
		expect(result.runs('Video Generate')).toHaveLength(3);
		expect(stage.sandbox.submissions()).toHaveLength(3);
		expect(stage.subExecutions()).toHaveLength(SLEEPS ? 6 : 0);
	});

	it('lets a workflow that called it as a sub-workflow wait, too', async () => {
		const credentials = { videoGenerationApi: { id: 'id-videoGenerationApi', name: 'Video' } };
		const start = { name: 'Start', type: 'n8n-nodes-base.executeWorkflowTrigger' };
		const node: EngineNode = { ...durable(), name: 'Video Generate', credentials };
		const at = { typeVersion: 1, position: [0, 0] };
		const called = {
			nodes: [
				{ id: '1', parameters: {}, ...start, ...at },
				{ id: '2', ...node, ...at },
			],
			connections: { Start: { main: [[to('Video Generate')]] } },
		};
		const begun = await stage.begin({
			nodes: [
				{ name: 'Click', type: 'n8n-nodes-base.manualTrigger' },
				{
					name: 'Call',
					type: 'n8n-nodes-base.executeWorkflow',
					parameters: { workflowJson: JSON.stringify(called) },
				},
				{ name: 'End', type: 'n8n-nodes-base.noOp' },
			],
			connections: { Click: { main: [[to('Call')]] }, Call: { main: [[to('End')]] } },
			items: rows({}, {}),
		});
		expect(begun.status).toBe(SLEEPS ? 'waiting' : 'success');
		const result = await stage.toEnd(begun);
		expect(result.status).toBe('success');
		expect(jsonOf(result.outputs('End')[0]).map(({ status }) => status)).toEqual([
			'SUCCESS',
			'SUCCESS',
		]);
		expect(promptsOf(result.outputs('End')[0])).toEqual(
			rows({}, {}).map(({ json }) => json.prompt),
		);
		expect(stage.sandbox.submissions()).toHaveLength(2);
	});
});

describe('Retry execution', () => {
	/** The second submit is refused once, which ends the execution before it sleeps. */
	const failed = async (first: Plan, options: IDataObject = {}) =>
		await stage.begin({
			node: durable({ options }),
			items: rows(first, { submit: ['forbidden'] }),
		});
	const submissionsOf = (i: number) =>
		stage.sandbox.tasks().filter(({ prompt }) => prompt.startsWith(`video ${i}`)).length;

	it('picks up what was paid for, and waits for it durably', async () => {
		const first = await failed({});
		expect(first.status).toBe('error');
		const result = await stage.toEnd(await stage.engine.retry(first));
		expect(result.status).toBe('success');
		expect(jsonOf(result.outputs()[0])).toMatchObject([
			{ status: 'SUCCESS', reused: true },
			{ status: 'SUCCESS', reused: false },
		]);
		expect([0, 1].map(submissionsOf)).toEqual([1, 1]);
		expect(result.customData.video_task_ids.split(',').sort()).toEqual(stage.taskIds().sort());
	});

	it('submits a task that ended in FAILURE anew', async () => {
		const first = await failed({ ...FAILS, renderMs: 0 });
		const result = await stage.toEnd(await stage.engine.retry(first));
		expect(result.error?.message).toMatch(/could not be rendered .*\[item 0\]/);
		// In process, this retry finds the failure and the next one submits anew.
		expect([0, 1].map(submissionsOf)).toEqual(projectVersion() === '1' ? [1, 1] : [2, 1]);
	});

	it('submits all anew without Reuse Paid Task on Retry', async () => {
		const first = await failed({}, { reuseTask: false });
		const result = await stage.toEnd(await stage.engine.retry(first));
		expect(jsonOf(result.outputs()[0])).toMatchObject([{ reused: false }, { reused: false }]);
		expect([0, 1].map(submissionsOf)).toEqual([2, 1]);
	});

	it('costs nothing after a sleep: n8n says the same again without running the node', async () => {
		const first = await stage.runThrough({ node: durable(), items: rows({}, FAILS) });
		const again = await stage.toEnd(await stage.engine.retry(first));
		expect(again.status).toBe('error');
		expect(again.error?.message).toMatch(/could not be rendered/);
		const anew = SLEEPS ? 0 : 1;
		expect(stage.sandbox.submissions()).toHaveLength(2 + anew);
	});
});
