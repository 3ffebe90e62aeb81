import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApi, itemsOf } from '../sandbox/n8n/api.mjs';
import { openQueueSandbox, skipWithoutQueue as skip } from './support/queue.mjs';
import {
	chain,
	createStudio,
	items,
	rendersOf,
	until,
	videoGenerate,
	webhook,
} from './support/workflows.mjs';

// Queue mode: PostgreSQL, Redis, main, and a worker with two slots. Main is killed (SIGKILL) while
// executions sleep, and the worker in a check; another one takes its place.

let sandbox;
let api;

before(async () => {
	if (skip) return;
	sandbox = await openQueueSandbox();
	api = sandbox.api;
});
after(() => sandbox?.close());

test('each of eight videos is paid for once and arrives with its file', { skip }, async () => {
	const { service } = sandbox;
	const studio = await createStudio({ ...sandbox, api: () => api });
	const orders = await Promise.all(
		[0, 1].map(async (n) => {
			const prompts = rendersOf(n);
			const workflow = await studio.publish(
				'Queue',
				[
					webhook(),
					items(prompts.map((prompt) => ({ prompt }))),
					videoGenerate(studio.credentials, { wait: 'durable', downloadVideo: true }),
				],
				chain('Webhook', 'Prompts', 'Video Generate'),
			);
			await api.callWebhook(workflow.path);
			return workflow;
		}),
	);
	for (const { id } of orders) await studio.asleep(id);
	await sandbox.killMain();
	await sandbox.startMain();
	api = createApi(sandbox.url, sandbox.installed);
	await api.signIn(sandbox.owner);
	const isChecked = ({ task_id }) => service.polls(task_id).length > 0;
	await until(() => service.tasks().every(isChecked), 'checks');
	await sandbox.killWorker(0);
	await sandbox.startWorker(1);
	for (const { id } of orders) {
		const execution = await studio.ended(id);
		assert.equal(execution.status, 'success');
		assert.deepEqual(
			itemsOf(execution, 'Video Generate').map(({ json, binary }) => [
				...[json.status, binary.data.mimeType],
			]),
			Array(4).fill(['SUCCESS', 'video/mp4']),
		);
	}
	assert.equal(service.submissions().length, 8);
});
