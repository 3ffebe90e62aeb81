import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { createApi, itemsOf } from '../sandbox/n8n/api.mjs';
import { startN8n } from '../sandbox/n8n/start.mjs';
import { openSandbox } from './support/sandbox.mjs';
import {
	chain,
	createStudio,
	items,
	pause,
	planned,
	until,
	videoGenerate,
	webhook,
} from './support/workflows.mjs';

let sandbox;
let studio;

before(async () => {
	sandbox = await openSandbox();
	studio = await createStudio({ ...sandbox, api: () => sandbox.api });
});
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

/** Webhook -> one item for each prompt -> Video Generate, published; answers at once. */
const publish = async (prompts, settings) =>
	await studio.publish(
		'Paid once',
		[
			webhook(),
			items(prompts.map((prompt) => ({ prompt }))),
			videoGenerate(studio.credentials, { options: { polling: { pollInterval: 0.1 } } }),
		],
		chain('Webhook', 'Prompts', 'Video Generate'),
		settings,
	);

test('Stop: canceled, ids kept, nothing submitted afterwards', async () => {
	sandbox.service.reset();
	const prompts = [1, 2, 3].map((i) => planned(`video ${i}`, { renderMs: 600_000 }));
	const workflow = await publish(prompts);
	await sandbox.api.callWebhook(workflow.path);
	await until(() => sandbox.service.polls().length >= 3, 'polls');
	const [{ id }] = await sandbox.api.executionsOf(workflow.id);
	await sandbox.api.rest('POST', `/executions/${id}/stop`);
	const execution = await sandbox.api.waitForExecution(id);
	assert.equal(execution.status, 'canceled');
	const ids = sandbox.service.tasks().map(({ task_id }) => task_id);
	assert.equal(ids.length, prompts.length);
	// Of a stopped run n8n stores the custom data, a moment after the rest, and nothing that the node
	// returns.
	const { video_task_ids, video_note } = await until(async () => {
		const { customData } = await sandbox.api.execution(id);
		return customData?.video_task_ids && customData;
	}, 'the custom data of the stopped run');
	assert.deepEqual(video_task_ids.split(',').sort(), ids.sort());
	assert.match(video_note, /continue and are billed/);
	const log = await readFile(sandbox.n8n.logFile, 'utf8');
	for (const task_id of ids) assert.ok(log.includes(task_id), `${task_id} is not in n8n's log`);
	// One that was under way may still arrive.
	await pause(500);
	const pollsAtStop = sandbox.service.polls().length;
	await pause(2_000);
	assert.equal(sandbox.service.polls().length, pollsAtStop);
});

test('"Retry execution" picks paid tasks up', async () => {
	sandbox.service.reset();
	const prompts = [
		planned('good', { renderMs: 500 }),
		planned('lost at first', { renderMs: 500, poll: Array(6).fill('notExist') }),
	];
	const workflow = await publish(prompts);
	await sandbox.api.callWebhook(workflow.path);
	const [{ id }] = await until(async () => {
		const found = await sandbox.api.executionsOf(workflow.id);
		return found[0]?.status === 'error' && found;
	}, 'a failed execution');
	const failed = await sandbox.api.execution(id);
	assert.equal(sandbox.service.tasks().length, prompts.length);
	assert.match(JSON.stringify(failed.data.resultData.error.message), /can no longer be followed/);
	const retried = await sandbox.api.rest('POST', `/executions/${id}/retry`, {
		loadWorkflow: false,
	});
	const execution = await until(
		async () => {
			const [newest] = await sandbox.api.executionsOf(workflow.id);
			return (
				newest.id !== id && newest.status === 'success' && (await sandbox.api.execution(newest.id))
			);
		},
		`the retry ${JSON.stringify(retried)}`,
	);
	const videos = itemsOf(execution, 'Video Generate').map(({ json }) => json);
	assert.deepEqual(
		videos.map(({ reused, status }) => ({ reused, status })),
		prompts.map(() => ({ reused: true, status: 'SUCCESS' })),
	);
	assert.equal(sandbox.service.submissions().length, prompts.length);
	const ids = sandbox.service.tasks().map(({ task_id }) => task_id);
	assert.deepEqual(execution.customData.video_task_ids.split(',').sort(), ids.sort());
});

for (const saveExecutionProgress of [false, true]) {
	const what = saveExecutionProgress ? ', progress saved' : '';
	test(`n8n is killed in a submit${what}: a retry pays nothing`, async () => {
		sandbox.service.reset();
		const prompts = [{}, {}, { submit: [{ fault: 'hang' }] }].map((plan, i) =>
			planned(`video ${i}`, plan),
		);
		const workflow = await publish(prompts, { saveExecutionProgress });
		await sandbox.api.callWebhook(workflow.path);
		await until(() => sandbox.service.submissions().length === prompts.length, 'submissions');
		await killAndStart();
		let last = await studio.ended(workflow.id);
		assert.equal(last.status, 'crashed');
		for (let time = 0; time < 2; time++) {
			await sandbox.api.rest('POST', `/executions/${last.id}/retry`, { loadWorkflow: false });
			last = await studio.ended(workflow.id);
			assert.match(last.data.resultData.error.message, /retries one that was killed or stopped/);
		}
		assert.equal(sandbox.service.submissions().length, prompts.length);
	});
}

test('Max Videos per Day: parallel executions, sleeps and n8n killed', async () => {
	sandbox.service.reset();
	const options = { cost: { maxVideosPerDay: 3 } };
	const generate = (wait) => videoGenerate(studio.credentials, { wait, options });
	const limited = async (wait, prompt) =>
		await studio.publish(
			'Per day',
			[webhook(), items([{ prompt }]), generate(wait)],
			chain('Webhook', 'Prompts', 'Video Generate'),
		);
	const ends = async ({ id }, count) =>
		await until(async () => {
			const all = await sandbox.api.callersOf(id);
			const over = all.filter(({ status }) => ['success', 'error', 'crashed'].includes(status));
			return over.length === count && over.map(({ status }) => status).sort();
		}, `${count} executions`);
	const sleeper = await limited('durable', planned('video', { renderMs: 2_000 }));
	await Promise.all([1, 2, 3, 4, 5].map(async () => await sandbox.api.callWebhook(sleeper.path)));
	assert.deepEqual(await ends(sleeper, 5), ['error', 'error', ...Array(3).fill('success')]);
	assert.equal(sandbox.service.submissions().length, 3);

	const hanging = await limited('none', planned('video', { submit: [{ fault: 'hang' }] }));
	await Promise.all([1, 2, 3].map(async () => await sandbox.api.callWebhook(hanging.path)));
	await until(() => sandbox.service.submissions().length === 6, 'submissions');
	await killAndStart();
	await sandbox.api.callWebhook(hanging.path);
	await sandbox.api.callWebhook(sleeper.path);
	await ends(hanging, 4);
	await ends(sleeper, 6);
	assert.equal(sandbox.service.submissions().length, 6);
});

test('Stop, then "Retry execution": pays nothing', async () => {
	sandbox.service.reset();
	const workflow = await publish([planned('video', { renderMs: 600_000 })]);
	await sandbox.api.callWebhook(workflow.path);
	await until(() => sandbox.service.polls().length >= 1, 'polls');
	const [{ id }] = await sandbox.api.executionsOf(workflow.id);
	await sandbox.api.rest('POST', `/executions/${id}/stop`);
	await sandbox.api.waitForExecution(id);
	await sandbox.api.rest('POST', `/executions/${id}/retry`, { loadWorkflow: false });
	const retried = await sandbox.api.lastExecution(workflow.id);
	assert.match(retried.data.resultData.error.message, /retries one that was killed or stopped/);
	assert.equal(sandbox.service.submissions().length, 1);
});
