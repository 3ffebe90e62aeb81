import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, beforeEach, test } from 'node:test';
import { createApi, itemsOf } from '../sandbox/n8n/api.mjs';
import { startN8n } from '../sandbox/n8n/start.mjs';
import { openSandbox } from './support/sandbox.mjs';
import {
	chain,
	createStudio,
	items,
	planned,
	rendersOf,
	until,
	videoGenerate,
	webhook,
} from './support/workflows.mjs';

// n8n is killed (SIGKILL) or stopped at each place where money is at stake: submissions made = videos wanted.

let sandbox;
let studio;
let service;

before(async () => {
	sandbox = await openSandbox();
	service = sandbox.service;
	studio = await createStudio({ ...sandbox, api: () => sandbox.api });
});
beforeEach(() => service.reset());
after(async () => {
	await sandbox?.n8n.stop();
	await sandbox?.close();
});

async function killAndStart() {
	await sandbox.n8n.kill9();
	const { installed, folder, n8n, owner } = sandbox;
	const port = Number(new URL(n8n.url).port);
	sandbox.n8n = await startN8n({ installed, userFolder: folder, port, logFile: n8n.logFile });
	sandbox.api = createApi(n8n.url, installed);
	await sandbox.api.signIn(owner);
}

/** Starts Webhook -> an item for each prompt -> Video Generate. */
async function begin(prompts, parameters = {}, settings = {}) {
	const workflow = await studio.publish(
		'Kills',
		[
			webhook(),
			items(prompts.map((prompt) => ({ prompt }))),
			videoGenerate(studio.credentials, parameters),
		],
		chain('Webhook', 'Prompts', 'Video Generate'),
		settings,
	);
	await sandbox.api.callWebhook(workflow.path);
	return workflow;
}

async function retry(workflow, { id }) {
	await sandbox.api.rest('POST', `/executions/${id}/retry`, { loadWorkflow: false });
	return await studio.ended(workflow.id);
}

async function stop(workflow) {
	const [{ id }] = await sandbox.api.callersOf(workflow.id);
	await sandbox.api.rest('POST', `/executions/${id}/stop`);
	return await sandbox.api.waitForExecution(id);
}

const REFUSED = /retries one that was killed or stopped/;
const NEVER = planned('never', { renderMs: 3_600_000 });
const IN_PROCESS = { options: { polling: { pollInterval: 0.1 } } };

for (const saveExecutionProgress of [false, true]) {
	const what = saveExecutionProgress ? ', progress saved' : '';
	test(`killed in a submit${what}: two retries pay nothing`, async () => {
		const plans = [{}, {}, { submit: [{ fault: 'hang' }] }];
		const prompts = plans.map((plan, i) => planned(`video ${i}`, plan));
		const workflow = await begin(prompts, IN_PROCESS, { saveExecutionProgress });
		await until(() => service.submissions().length === prompts.length, 'submissions');
		await killAndStart();
		let last = await studio.ended(workflow.id);
		assert.equal(last.status, 'crashed');
		for (let n = 0; n < 2; n++) {
			last = await retry(workflow, last);
			assert.match(last.data.resultData.error.message, REFUSED);
		}
		assert.equal(service.submissions().length, prompts.length);
	});
}

test('stopped while it waits: IDs are kept, nothing is asked any more, a retry pays nothing', async () => {
	const workflow = await begin([NEVER, NEVER], IN_PROCESS);
	await until(() => service.polls().length >= 2, 'polls');
	const stopped = await stop(workflow);
	assert.equal(stopped.status, 'canceled');
	const ids = service.tasks().map(({ task_id }) => task_id);
	// n8n stores the custom data of a stopped run a moment after the rest.
	const customData = await until(async () => {
		const { customData: kept } = await sandbox.api.execution(stopped.id);
		return kept?.video_task_ids && kept;
	}, 'the custom data of the stopped run');
	assert.deepEqual(customData.video_task_ids.split(',').sort(), ids.sort());
	const log = await readFile(sandbox.n8n.logFile, 'utf8');
	for (const task_id of ids) assert.ok(log.includes(task_id), `${task_id} is not in n8n's log`);
	const pollsAtStop = service.polls().length;
	const { data } = await retry(workflow, stopped);
	assert.match(data.resultData.error.message, REFUSED);
	assert.equal(service.submissions().length, 2);
	// One that was under way may still have arrived.
	assert.ok(service.polls().length <= pollsAtStop + 2, 'it is still asked for');
});

test('"Retry execution" after a failed check picks paid tasks up', async () => {
	const prompts = [
		planned('good', { renderMs: 500 }),
		planned('lost at first', { renderMs: 500, poll: Array(6).fill('notExist') }),
	];
	const workflow = await begin(prompts, IN_PROCESS);
	const failed = await studio.ended(workflow.id);
	assert.match(failed.data.resultData.error.message, /can no longer be followed/);
	const retried = await retry(workflow, failed);
	assert.deepEqual(
		itemsOf(retried, 'Video Generate').map(({ json }) => [json.reused, json.status]),
		prompts.map(() => [true, 'SUCCESS']),
	);
	assert.equal(service.submissions().length, prompts.length);
});

test('Durable, killed asleep and in a check: each of eight videos is paid for once and arrives', async () => {
	const orders = await Promise.all(
		[0, 1].map(async (n) => {
			const prompts = rendersOf(n);
			return { prompts, ...(await begin(prompts, { wait: 'durable', downloadVideo: true })) };
		}),
	);
	for (const { id } of orders) await studio.asleep(id);
	await killAndStart();
	const polls = service.polls().length;
	// A check that is under way does not come back.
	service.set({ latencyMs: 10_000 });
	await until(() => service.polls().length > polls, 'a check');
	await killAndStart();
	service.set({ latencyMs: 0 });
	for (const { id, prompts } of orders) {
		const execution = await studio.ended(id);
		assert.equal(execution.status, 'success');
		const videos = itemsOf(execution, 'Video Generate');
		assert.deepEqual(
			videos.map(({ json, binary, pairedItem }) => [
				...[json.status, binary.data.mimeType, pairedItem.item],
			]),
			prompts.map((_, i) => ['SUCCESS', 'video/mp4', i]),
		);
		const tasks = service.tasks();
		const promptOf = ({ json }) => tasks.find(({ task_id }) => task_id === json.task_id).prompt;
		assert.deepEqual(videos.map(promptOf), prompts);
	}
	assert.equal(service.submissions().length, 8);
});

test('Durable, stopped asleep: its IDs are kept', async () => {
	const workflow = await begin([NEVER], { wait: 'durable' });
	await studio.asleep(workflow.id);
	const { status, customData } = await stop(workflow);
	assert.equal(status, 'canceled');
	assert.equal(customData.video_task_ids, service.tasks()[0].task_id);
});
