import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { itemsOf } from '../sandbox/n8n/api.mjs';
import { openSandbox } from './support/sandbox.mjs';
import {
	SEEDANCE,
	chain,
	createStudio,
	items,
	lookBack,
	node,
	planned,
	rendering,
	respond,
	to,
	videoGenerate,
	webhook,
} from './support/workflows.mjs';

// Durable waiting in a real n8n. A look comes after 65 s of sleep at the earliest, so all workflows
// are started first and sleep side by side; then each test looks at the end of its own.

const DURABLE = { wait: 'durable' };

let sandbox;
let studio;
/** What was started, by name: its id, and what its webhook answers. */
const runs = {};

/** Publishes, calls the webhook, and keeps what it takes to look at the end. */
async function begin(name, nodes, connections, settings) {
	const workflow = await studio.publish(name, nodes, connections, settings);
	const answer = sandbox.api.callWebhook(workflow.path);
	answer.catch(() => undefined);
	runs[name] = { ...workflow, answer };
}

const durable = (parameters, rest) =>
	videoGenerate(studio.credentials, { ...DURABLE, ...parameters }, rest);

/** Begins Video Generate for these items, and a node behind it that looks back. */
const straight = async (name, rows, { parameters, rest, settings, hook } = {}) =>
	await begin(
		name,
		[webhook(hook), items(rows), durable(parameters, rest), lookBack()],
		chain('Webhook', 'Prompts', 'Video Generate', 'After'),
		settings,
	);

/** An item that asks for a video, by a name that its prompt begins with. */
const video = (name, plan = { renderMs: 5_000 }) => ({ prompt: planned(name, plan), n: name });
const never = (name) => [video(name, { outcome: 'never' })];

const endOf = async (name) => await studio.ended(runs[name].id);
const json = (execution, name) => itemsOf(execution, name).map((item) => item.json);
const tasksOf = (name) =>
	sandbox.service.tasks().filter(({ prompt }) => prompt.startsWith(`${name} `));

/** What the first look finds: two that are done, and one that is not. */
const BATCH = ['ok', rendering(30), 'ok'].map((poll, n) => ({
	...video(`batch ${n}`, { renderMs: 0, poll: [poll] }),
	n,
}));

const FAILING = [
	video('bad', { renderMs: 5_000, outcome: 'FAILURE', failReason: 'too dark' }),
	video('good'),
];

before(async () => {
	sandbox = await openSandbox();
	studio = await createStudio(sandbox);
	await begin(
		'batch',
		[
			webhook({ responseMode: 'responseNode' }),
			items(BATCH),
			durable({ model: SEEDANCE, downloadVideo: true, options: { rawResponse: true } }),
			lookBack(),
			respond(),
		],
		chain('Webhook', 'Prompts', 'Video Generate', 'After', 'Respond'),
	);
	const hook = { responseMode: 'lastNode' };
	const late = { maxWait: 1.2 };
	const returned = { ...late, polling: { onTimeout: 'returnTask' } };
	await straight('last node', [video('good')], { hook });
	await straight('time limit', never('limited'), { settings: { executionTimeout: 180 } });
	await straight('time-out', never('late'), { parameters: { options: late } });
	await straight('return task', never('later'), { parameters: { options: returned } });
	const noOp = (name) => node(name, 'n8n-nodes-base.noOp', 1);
	await begin(
		'branch',
		[
			...[webhook(), items(FAILING), durable({}, { onError: 'continueErrorOutput' })],
			...[noOp('Done'), noOp('Failed')],
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
			items([1, 2].map((n) => ({ ...video('loop'), n }))),
			node('Loop Over Items', 'n8n-nodes-base.splitInBatches', 3, {}),
			durable(),
			noOp('After'),
		],
		{
			...chain('Webhook', 'Prompts', 'Loop Over Items'),
			'Loop Over Items': { main: [[to('After')], [to('Video Generate')]] },
			...chain('Video Generate', 'Loop Over Items'),
		},
	);
	const trigger = { inputSource: 'passthrough' };
	const start = node('Start', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, trigger);
	const called = [start, durable()];
	const { id } = await studio.publish('called', called, chain('Start', 'Video Generate'));
	const workflowId = { __rl: true, mode: 'id', value: id };
	const call = node('Call', 'n8n-nodes-base.executeWorkflow', 1.2, { workflowId, options: {} });
	await begin(
		'caller',
		[webhook(), items([video('called')]), call, lookBack()],
		chain('Webhook', 'Prompts', 'Call', 'After'),
	);
	const second = durable({ prompt: planned('second', { renderMs: 5_000 }) }, { name: 'Second' });
	await begin(
		'two nodes',
		[webhook(), items([video('first')]), durable(), second, lookBack()],
		chain('Webhook', 'Prompts', 'Video Generate', 'Second', 'After'),
	);
	const manual = await sandbox.api.createWorkflow({
		name: 'manual',
		settings: { executionOrder: 'v1' },
		nodes: [
			node('Manual Trigger', 'n8n-nodes-base.manualTrigger', 1),
			...[items([video('manual')]), durable(), lookBack()],
		],
		connections: chain('Manual Trigger', 'Prompts', 'Video Generate', 'After'),
	});
	const triggerToStartFrom = { name: 'Manual Trigger' };
	await sandbox.api.rest('POST', `/workflows/${manual.id}/run`, { triggerToStartFrom });
	runs.manual = manual;
	await straight('stopped', never('stopped'));
});
after(async () => await sandbox?.close());

test('Stop on a sleeping execution: canceled, ids kept', async () => {
	const { id } = await studio.asleep(runs.stopped.id);
	await sandbox.api.rest('POST', `/executions/${id}/stop`);
	const execution = await endOf('stopped');
	assert.equal(execution.status, 'canceled');
	const [task] = tasksOf('stopped');
	assert.equal(execution.customData.video_task_ids, task.task_id);
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
			...Object.keys(itemsOf(execution, 'Prompts')[0].json),
			...['status', 'billed', 'progress', 'model', 'result_url'],
			...['submitted_at', 'finished_at', 'poll_count', 'reused', 'response', 'task_id'],
		]);
		assert.equal(item.status, 'SUCCESS');
		assert.equal(binary.data.mimeType, 'video/mp4');
	}
	const ids = videos.map((item) => item.json.task_id);
	const tasks = tasksOf('batch');
	assert.equal(tasks.length, 3);
	const byId = new Map(tasks.map((task) => [task.task_id, task.prompt]));
	assert.deepEqual(
		ids.map((id) => byId.get(id)),
		BATCH.map(({ prompt }) => prompt),
	);
	const answer = await (await runs.batch.answer).json();
	assert.deepEqual(
		answer.map(({ task_id, status }) => ({ task_id, status })),
		ids.map((task_id) => ({ task_id, status: 'SUCCESS' })),
	);
});

test('the sub-executions stand in the list with readable steps', async () => {
	await endOf('batch');
	const all = await studio.executionsOf(runs.batch.id);
	const sub = all.filter(({ mode }) => mode === 'integrated');
	assert.equal(sub.length, 2);
	const [keeper, worker] = await Promise.all(sub.map(({ id }) => sandbox.api.execution(id)));
	assert.equal(keeper.workflowData.name, 'Video Generate: wait for videos');
	assert.equal(worker.workflowData.name, 'Wait for Renders: sleep and check');
	const passes = worker.data.resultData.runData['Check Videos'];
	assert.equal(passes.length, 2);
	const found = passes[0].data.main[1].map(({ json }) => [json.status, json.progress]);
	assert.deepEqual(found, [
		['SUCCESS', undefined],
		['IN_PROGRESS', 30],
		['SUCCESS', undefined],
	]);
});

test('a webhook that answers with the last node: waits in process, and says why', async () => {
	const execution = await endOf('last node');
	assert.equal((await (await runs['last node'].answer).json()).status, 'SUCCESS');
	assert.equal((await studio.executionsOf(runs['last node'].id)).length, 1);
	const [{ hints }] = execution.data.resultData.runData['Video Generate'];
	assert.match(
		hints[0].message,
		/the node waits in process: its trigger responds .*Respond to Webhook/,
	);
});

test('Max Wait and On Timeout hold across sleeps', async () => {
	const failed = await endOf('time-out');
	assert.equal(failed.status, 'error');
	assert.match(failed.data.resultData.error.message, /not ready within 1.2 minutes \(Max Wait\)/);
	const returned = await endOf('return task');
	assert.equal(returned.status, 'success');
	const [task] = json(returned, 'After');
	assert.deepEqual([task.status, task.n], ['IN_PROGRESS', 'later']);
});

test("a workflow's own time limit: the wait ends before it, with the task ID", async () => {
	const { status, data, customData } = await endOf('time limit');
	assert.equal(status, 'error');
	assert.match(data.resultData.error.message, /before the end of the workflow .* \(task task_/);
	assert.match(customData.video_task_ids, /^task_/);
});

test('On Error, error output: each item takes its branch', async () => {
	const execution = await endOf('branch');
	assert.equal(execution.status, 'success');
	const [[done], [failed]] = [json(execution, 'Done'), json(execution, 'Failed')];
	assert.deepEqual([done.status, failed.error.fail_reason], ['SUCCESS', 'too dark']);
	assert.equal(json(execution, 'Done').length + json(execution, 'Failed').length, 2);
});

test('inside Loop Over Items: each pass sleeps and pays once', async () => {
	const execution = await endOf('loop');
	assert.equal(execution.status, 'success');
	assert.deepEqual([json(execution, 'After').length, tasksOf('loop').length], [2, 2]);
});

test('inside a called sub-workflow: the caller gets the videos', async () => {
	const execution = await endOf('caller');
	assert.equal(execution.status, 'success');
	assert.equal(json(execution, 'After')[0].status, 'SUCCESS');
	assert.equal(tasksOf('called').length, 1);
});

for (const [title, name, n, prompts] of [
	[
		'two nodes in one workflow sleep one after the other',
		'two nodes',
		'first',
		['first', 'second'],
	],
	['a manual run from the editor', 'manual', 'manual', ['manual']],
]) {
	test(title, async () => {
		const execution = await endOf(name);
		assert.deepEqual(
			[execution.status, execution.mode === 'manual'],
			['success', name === 'manual'],
		);
		assert.deepEqual(
			json(execution, 'After').map((item) => [item.n, item.status]),
			[[n, 'SUCCESS']],
		);
		for (const prompt of prompts) assert.equal(tasksOf(prompt).length, 1, prompt);
	});
}
