import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApi, itemsOf } from '../sandbox/n8n/api.mjs';
import { openQueueSandbox, skipWithoutQueue as skip } from './support/queue.mjs';
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

// Queue mode: PostgreSQL, Redis, main, and a worker with two slots. Main is killed (SIGKILL) while
// executions sleep, and the worker in a check; another one takes its place. Then both workers do at once
// what must not be paid for twice.

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

const REFUSED = /retries one that was killed or stopped/;
const OVER = new Set(['success', 'error', 'crashed']);

/** Starts Webhook -> Prompts -> Video Generate so often at once; gives its ID and its executions, once they have ended. */
async function runAtOnce(studio, count, prompts, ...video) {
	const rows = prompts.map((prompt) => ({ prompt }));
	const workflow = await studio.publish(
		'Queue',
		[webhook(), items(rows), videoGenerate(studio.credentials, ...video)],
		chain('Webhook', 'Prompts', 'Video Generate'),
	);
	await Promise.all(Array.from({ length: count }, () => api.callWebhook(workflow.path)));
	return { id: workflow.id, ended: await endOf(studio, workflow.id, count) };
}

/** The executions of a workflow, oldest first, once so many have ended. */
const endOf = async (studio, workflowId, count) =>
	await until(async () => {
		const all = await studio.callers(workflowId);
		return all.length === count && all.every(({ status }) => OVER.has(status)) && all;
	}, `${count} executions of workflow ${workflowId}`);

test(
	'two workers: of 24 retries at once, each is paid for once, and never again',
	{ skip },
	async () => {
		await sandbox.startWorker(0);
		const studio = await createStudio({ ...sandbox, api: () => api });
		const tasks = sandbox.service.tasks().length;
		// All 24 are refused at first: the account is out of credit.
		const prompt = planned('retried', { submit: Array(24).fill('forbidden') });
		const { id, ended: failed } = await runAtOnce(studio, 24, [prompt], { wait: 'none' });
		const found = [];
		for (const count of [48, 72]) {
			const retry = async ({ id: failedId }) =>
				await api.rest('POST', `/executions/${failedId}/retry`, { loadWorkflow: false });
			await Promise.all(failed.map(retry));
			const retries = (await endOf(studio, id, count)).slice(-24);
			for (const one of retries) {
				const { data } = await api.execution(one.id);
				found.push(REFUSED.test(data.resultData.error?.message) ? 'refused' : one.status);
			}
		}
		assert.deepEqual(found, [...Array(24).fill('success'), ...Array(24).fill('refused')]);
		assert.equal(sandbox.service.tasks().length - tasks, 24);
	},
);

test('two workers: ten executions at once keep Max Videos per Day', { skip }, async () => {
	const studio = await createStudio({ ...sandbox, api: () => api });
	const tasks = sandbox.service.tasks().length;
	const prompts = [0, 1, 2, 3].map((n) => `day ${n}`);
	const parameters = { wait: 'none', options: { cost: { maxVideosPerDay: 12 } } };
	const onError = 'continueRegularOutput';
	await runAtOnce(studio, 10, prompts, parameters, { onError });
	assert.equal(sandbox.service.tasks().length - tasks, 12);
});
