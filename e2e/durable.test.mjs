import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { itemsOf } from '../sandbox/n8n/api.mjs';
import { openSandbox } from './support/sandbox.mjs';
import {
	chain,
	createStudio,
	items,
	lookBack,
	node,
	planned,
	respond,
	to,
	until,
	videoGenerate,
	webhook,
} from './support/workflows.mjs';

// Durable waiting in a real n8n. A look comes after 65 s of sleep at the earliest, so all workflows
// are started first and sleep side by side; then each test looks at the end of its own.

const WITHIN_MS = 6 * 60_000;
const SLEEPS_WITHIN_MS = 30_000;
const DURABLE = { waitMode: 'durable' };
const GOOD = { prompt: planned('good', { renderMs: 5_000 }), n: 'good' };
const BAD = {
	prompt: planned('bad', { renderMs: 5_000, outcome: 'FAILURE', failReason: 'too dark' }),
	n: 'bad',
};
const BATCH_MS = [90_000, 20_000, 80_000];
const noOp = (name) => node(name, 'n8n-nodes-base.noOp', 1);

let sandbox;
let studio;
const runs = {};

/** Publishes, calls the webhook, and keeps what it takes to look at the end. */
async function begin(name, nodes, connections, settings) {
	const workflow = await studio.publish(name, nodes, connections, settings);
	const answer = sandbox.api.callWebhook(workflow.path);
	answer.catch(() => undefined);
	runs[name] = { ...workflow, answer };
	return workflow;
}

const straight = (name, rows, parameters = {}, rest = {}, settings = {}, hook = {}) =>
	begin(
		name,
		[
			webhook(hook),
			items(rows),
			videoGenerate(studio.credentials, { ...DURABLE, ...parameters }, rest),
			lookBack(),
		],
		chain('Webhook', 'Prompts', 'Video Generate', 'After'),
		settings,
	);

const endOf = async (name) => await studio.ended(runs[name].id, WITHIN_MS);
const json = (execution, name, output) => itemsOf(execution, name, output).map((item) => item.json);
const submissionsOf = (n) =>
	sandbox.service.tasks().filter(({ prompt }) => prompt.startsWith(`${n} `)).length;

before(async () => {
	sandbox = await openSandbox();
	studio = await createStudio(sandbox);
	await begin(
		'batch',
		[
			webhook({ responseMode: 'responseNode' }),
			items(BATCH_MS.map((renderMs, n) => ({ prompt: planned('batch', { renderMs }), n }))),
			videoGenerate(studio.credentials, { ...DURABLE, downloadVideo: true, simplify: false }),
			lookBack(),
			respond(),
		],
		chain('Webhook', 'Prompts', 'Video Generate', 'After', 'Respond'),
	);
	await straight('last node', [GOOD], {}, {}, {}, { responseMode: 'lastNode' });
	await straight('time limit', [GOOD], {}, {}, { executionTimeout: 20 });
	await straight('stop', [BAD, GOOD]);
	await straight('continue', [BAD, GOOD], {}, { onError: 'continueRegularOutput' });
	await begin(
		'branch',
		[
			webhook(),
			items([BAD, GOOD]),
			videoGenerate(studio.credentials, DURABLE, { onError: 'continueErrorOutput' }),
			noOp('Done'),
			noOp('Failed'),
		],
		{
			...chain('Webhook', 'Prompts', 'Video Generate'),
			'Video Generate': { main: [[to('Done')], [to('Failed')]] },
		},
	);
	await begin(
		'loop',
		[
			webhook(),
			items([1, 2].map((n) => ({ prompt: planned('loop', { renderMs: 5_000 }), n }))),
			node('Loop Over Items', 'n8n-nodes-base.splitInBatches', 3, {}),
			videoGenerate(studio.credentials, DURABLE),
			noOp('After'),
		],
		{
			...chain('Webhook', 'Prompts', 'Loop Over Items'),
			'Loop Over Items': { main: [[to('After')], [to('Video Generate')]] },
			...chain('Video Generate', 'Loop Over Items'),
		},
	);
	const called = await studio.publish(
		'called',
		[
			node('Start', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
			videoGenerate(studio.credentials, DURABLE),
		],
		chain('Start', 'Video Generate'),
	);
	await begin(
		'caller',
		[
			webhook(),
			items([{ prompt: planned('called', { renderMs: 5_000 }), n: 'called' }]),
			node('Call', 'n8n-nodes-base.executeWorkflow', 1.2, {
				workflowId: { __rl: true, mode: 'id', value: called.id },
				options: {},
			}),
			lookBack(),
		],
		chain('Webhook', 'Prompts', 'Call', 'After'),
	);
	await begin(
		'two nodes',
		[
			webhook(),
			items([{ prompt: planned('first', { renderMs: 5_000 }), n: 'first' }]),
			videoGenerate(studio.credentials, DURABLE),
			videoGenerate(
				studio.credentials,
				{ ...DURABLE, prompt: planned('second', { renderMs: 5_000 }) },
				{ name: 'Second' },
			),
			lookBack(),
		],
		chain('Webhook', 'Prompts', 'Video Generate', 'Second', 'After'),
	);
	const never = (n) => [{ prompt: planned(n, { outcome: 'never' }), n }];
	await straight('time-out', never('late'), { options: { maxWait: 1.2 } });
	await straight('return task', never('later'), {
		options: { maxWait: 1.2, onTimeout: 'returnTask' },
	});
	await straight('head start', [GOOD], { options: { headStart: 60 } });
	await straight('stopped', never('stopped'));
	const { id, nodes } = await sandbox.api.createWorkflow({
		name: 'manual',
		settings: { executionOrder: 'v1' },
		nodes: [
			node('Manual Trigger', 'n8n-nodes-base.manualTrigger', 1),
			items([{ prompt: planned('manual', { renderMs: 5_000 }), n: 'manual' }]),
			videoGenerate(studio.credentials, DURABLE),
			lookBack(),
		],
		connections: chain('Manual Trigger', 'Prompts', 'Video Generate', 'After'),
	});
	await sandbox.api.rest('POST', `/workflows/${id}/run`, {
		triggerToStartFrom: { name: nodes[0].name },
	});
	runs.manual = { id };
});
after(() => sandbox?.close());

test('Stop on a sleeping execution: canceled, ids kept, nobody looks any more', async () => {
	const { id } = await studio.asleep(runs.stopped.id, SLEEPS_WITHIN_MS);
	await sandbox.api.rest('POST', `/executions/${id}/stop`);
	const execution = await endOf('stopped');
	assert.equal(execution.status, 'canceled');
	const task = sandbox.service.tasks().find(({ prompt }) => prompt.startsWith('stopped '));
	assert.equal(execution.customData.video_task_ids, task.task_id);
});

test('a head start that lasts long enough ends in process, without a sub-execution', async () => {
	const execution = await endOf('head start');
	assert.equal(execution.status, 'success');
	assert.equal((await studio.executionsOf(runs['head start'].id)).length, 1);
});

test('a batch: same items in order, files, pairing, one submission each, an answer at the end', async () => {
	const execution = await endOf('batch');
	assert.equal(execution.status, 'success');
	const videos = itemsOf(execution, 'Video Generate');
	assert.deepEqual(
		videos.map(({ pairedItem }) => pairedItem),
		[{ item: 0 }, { item: 1 }, { item: 2 }],
	);
	assert.deepEqual(
		json(execution, 'After').map(({ n }) => n),
		['0', '1', '2'],
	);
	for (const { json: item, binary } of videos) {
		assert.deepEqual(Object.keys(item), [
			...['task_id', 'status', 'progress', 'model', 'result_url'],
			...['submitted_at', 'finished_at', 'poll_count', 'reused', 'response'],
		]);
		assert.equal(item.status, 'SUCCESS');
		assert.equal(binary.data.mimeType, 'video/mp4');
	}
	const tasks = sandbox.service.tasks().filter(({ prompt }) => prompt.startsWith('batch '));
	assert.equal(tasks.length, 3);
	const byId = new Map(tasks.map((task) => [task.task_id, task.prompt]));
	assert.deepEqual(
		videos.map(
			({ json: { task_id } }) => JSON.parse(byId.get(task_id).split('sandbox:')[1]).renderMs,
		),
		BATCH_MS,
	);
	const answer = await (await runs.batch.answer).json();
	assert.deepEqual(
		answer.map(({ task_id, status }) => ({ task_id, status })),
		videos.map(({ json: { task_id } }) => ({ task_id, status: 'SUCCESS' })),
	);
});

test('a webhook that answers with the last node: waits in process, and says why', async () => {
	const execution = await endOf('last node');
	assert.equal((await (await runs['last node'].answer).json()).status, 'SUCCESS');
	assert.equal((await studio.executionsOf(runs['last node'].id)).length, 1);
	const [{ hints }] = execution.data.resultData.runData['Video Generate'];
	assert.match(hints[0].message, /not possible here: its webhook answers .*Respond to Webhook/);
});

test('the sub-executions stand in the list with readable steps', async () => {
	await endOf('batch');
	const sub = (await studio.executionsOf(runs.batch.id)).filter(
		({ mode }) => mode === 'integrated',
	);
	assert.equal(sub.length, 2);
	const [keeper, worker] = await Promise.all(sub.map(({ id }) => sandbox.api.execution(id)));
	assert.equal(keeper.workflowData.name, 'Video Generate: wait for videos');
	assert.equal(worker.workflowData.name, 'Wait for Renders: sleep and look');
	const passes = worker.data.resultData.runData['Look at Videos'];
	assert.ok(passes.length >= 2);
	const [first] = passes[0].data.main[1];
	assert.equal(first.json.status, 'IN_PROGRESS');
	assert.ok(first.json.progress > 0 && first.json.progress < 100);
});

test('On Error, Stop Workflow: says what failed, with the ids of all tasks', async () => {
	const execution = await endOf('stop');
	assert.equal(execution.status, 'error');
	const { error } = execution.data.resultData;
	assert.match(error.message, /could not be rendered .*\[item 0\]/);
	assert.match(error.description, /too dark/);
	assert.ok(error.context.task_id);
	assert.equal(error.context.other_task_ids.length, 1);
});

test('On Error, Continue: the failing item holds error alone', async () => {
	const execution = await endOf('continue');
	assert.equal(execution.status, 'success');
	const [bad, good] = json(execution, 'Video Generate');
	assert.deepEqual(Object.keys(bad), ['error']);
	assert.equal(bad.error.fail_reason, 'too dark');
	assert.equal(good.status, 'SUCCESS');
});

test('On Error, error output: each item takes its branch', async () => {
	const execution = await endOf('branch');
	assert.equal(execution.status, 'success');
	assert.deepEqual(
		json(execution, 'Done').map(({ status }) => status),
		['SUCCESS'],
	);
	assert.deepEqual(
		json(execution, 'Failed').map(({ error }) => error.fail_reason),
		['too dark'],
	);
});

test('inside Loop Over Items: each pass sleeps and pays once', async () => {
	const execution = await endOf('loop');
	assert.equal(execution.status, 'success');
	assert.equal(json(execution, 'After').length, 2);
	assert.equal(submissionsOf('loop'), 2);
});

test('inside a called sub-workflow: the caller gets the videos', async () => {
	const execution = await endOf('caller');
	assert.equal(execution.status, 'success');
	const [video] = json(execution, 'After');
	assert.equal(video.status, 'SUCCESS');
	assert.equal(submissionsOf('called'), 1);
});

test('two nodes in one workflow sleep one after the other', async () => {
	const execution = await endOf('two nodes');
	assert.equal(execution.status, 'success');
	assert.deepEqual(
		json(execution, 'After').map(({ n, status }) => ({ n, status })),
		[{ n: 'first', status: 'SUCCESS' }],
	);
	assert.deepEqual([submissionsOf('first'), submissionsOf('second')], [1, 1]);
});

test('Max Wait and On Timeout hold across sleeps', async () => {
	const failed = await endOf('time-out');
	assert.equal(failed.status, 'error');
	assert.match(failed.data.resultData.error.message, /not ready within 1.2 minutes \(Max Wait\)/);
	const returned = await endOf('return task');
	assert.equal(returned.status, 'success');
	const [task] = json(returned, 'After');
	assert.equal(task.status, 'IN_PROGRESS');
	assert.equal(task.n, 'later');
});

test("a workflow's own time limit counts the sleep: canceled, the task ID kept", async () => {
	const execution = await endOf('time limit');
	assert.equal(execution.status, 'canceled');
	assert.match(execution.customData.video_task_ids, /^task_/);
});

test('a manual run from the editor', async () => {
	const execution = await endOf('manual');
	assert.equal(execution.status, 'success');
	assert.equal(execution.mode, 'manual');
	assert.deepEqual(
		json(execution, 'After').map(({ n, status }) => ({ n, status })),
		[{ n: 'manual', status: 'SUCCESS' }],
	);
});

test('after Stop the sub-executions end at their next turn, without a look', async () => {
	const { id } = runs.stopped;
	const task = sandbox.service.tasks().find(({ prompt }) => prompt.startsWith('stopped '));
	const isOver = async () =>
		(await studio.executionsOf(id)).every(({ status }) => status !== 'waiting');
	await until(isOver, 'the sub-executions to end', WITHIN_MS);
	assert.equal(sandbox.service.polls(task.task_id).length, 0);
});
