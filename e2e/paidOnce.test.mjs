import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { createApi, itemsOf } from '../sandbox/n8n/api.mjs';
import { majorOf } from '../sandbox/n8n/folders.mjs';
import { startN8n } from '../sandbox/n8n/start.mjs';
import { KEY, openSandbox } from './support/sandbox.mjs';
import {
	chain,
	createStudio,
	items as rowsOf,
	planned,
	videoGenerate,
	webhook,
} from './support/workflows.mjs';

const WITHIN_MS = 60_000;
const ASK_EVERY_MS = 100;

let sandbox;
let credential;

before(async () => {
	sandbox = await openSandbox();
	const { id } = await sandbox.api.createCredential({
		name: 'Video',
		type: 'videoGenerationApi',
		data: { baseUrl: sandbox.service.url, apiKey: KEY },
	});
	credential = { videoGenerationApi: { id, name: 'Video' } };
});
after(async () => {
	await sandbox?.n8n.stop();
	await sandbox?.close();
});

const until = async (found, what) => {
	const deadline = Date.now() + WITHIN_MS;
	for (;;) {
		const value = await found();
		if (value) return value;
		if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}`);
		await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
	}
};

/** Webhook -> one item for each prompt -> Video Generate, published; answers at once. */
async function publish(prompts, parameters = {}) {
	const path = randomUUID();
	const node = (name, type, typeVersion, position, rest) => ({
		id: randomUUID(),
		name,
		type,
		typeVersion,
		position: [position * 220, 0],
		...rest,
	});
	const code = `return ${JSON.stringify(prompts.map((prompt) => ({ json: { prompt } })))};`;
	const to = (name) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	const workflow = await sandbox.api.createWorkflow({
		name: `Paid once ${path}`,
		settings: { executionOrder: 'v1' },
		nodes: [
			node('Webhook', 'n8n-nodes-base.webhook', 2, 0, {
				webhookId: path,
				parameters: { path, httpMethod: 'POST', responseMode: 'onReceived' },
			}),
			node('Prompts', 'n8n-nodes-base.code', 2, 1, { parameters: { jsCode: code } }),
			node('Video Generate', 'n8n-nodes-video-generation.videoGenerate', 1, 2, {
				parameters: {
					model: { __rl: true, mode: 'id', value: 'veo-3.1-fast-generate-001' },
					prompt: '={{ $json.prompt }}',
					downloadVideo: false,
					options: { polling: { pollInterval: 1 } },
					...parameters,
				},
				credentials: credential,
			}),
		],
		connections: { Webhook: to('Prompts'), Prompts: to('Video Generate') },
	});
	await sandbox.api.activate(workflow.id);
	return { id: workflow.id, path };
}

test('Stop: canceled within a second, ids kept, nothing submitted afterwards', async () => {
	sandbox.service.reset();
	const prompts = [1, 2, 3].map((i) => planned(`video ${i}`, { renderMs: 600_000 }));
	const workflow = await publish(prompts);
	await sandbox.api.callWebhook(workflow.path);
	await until(() => sandbox.service.polls().length >= 3, 'polls');
	const [{ id }] = await sandbox.api.executionsOf(workflow.id);
	const stoppedAt = Date.now();
	await sandbox.api.rest('POST', `/executions/${id}/stop`);
	const execution = await sandbox.api.waitForExecution(id, WITHIN_MS);
	const tookMs = Date.now() - stoppedAt;
	assert.equal(execution.status, 'canceled');
	assert.ok(tookMs < 10_000, `Stop took ${tookMs} ms`);
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
	const pollsAtStop = sandbox.service.polls().length;
	await new Promise((resolve) => setTimeout(resolve, 2_500));
	assert.equal(sandbox.service.polls().length, pollsAtStop);
});

test('"Retry execution" picks paid tasks up', async () => {
	sandbox.service.reset();
	const prompts = [
		planned('good', { renderMs: 500 }),
		planned('lost at first', { renderMs: 500, poll: Array(6).fill('notExist') }),
	];
	const workflow = await publish(prompts, { options: { polling: { pollInterval: 0.1 } } });
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
	const items = itemsOf(execution, 'Video Generate').map(({ json }) => json);
	assert.deepEqual(
		items.map(({ reused, status }) => ({ reused, status })),
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
		const studio = await createStudio({ ...sandbox, api: () => sandbox.api });
		const rows = [{}, {}, { submit: [{ fault: 'hang' }] }].map((plan, i) => ({
			prompt: planned(`video ${i}`, plan),
		}));
		const workflow = await studio.publish(
			`killed${what}`,
			[webhook(), rowsOf(rows), videoGenerate(studio.credentials)],
			chain('Webhook', 'Prompts', 'Video Generate'),
			{ saveExecutionProgress },
		);
		await sandbox.api.callWebhook(workflow.path);
		await until(() => sandbox.service.submissions().length === rows.length, 'submissions');
		await sandbox.n8n.kill9();
		const { installed, folder, n8n, owner } = sandbox;
		const port = Number(new URL(n8n.url).port);
		sandbox.n8n = await startN8n({ installed, userFolder: folder, port, logFile: n8n.logFile });
		sandbox.api = createApi(n8n.url, installed);
		await sandbox.api.signIn(owner);
		let last = await studio.ended(workflow.id, WITHIN_MS);
		assert.equal(last.status, 'crashed');
		for (let time = 0; time < 2; time++) {
			await sandbox.api.rest('POST', `/executions/${last.id}/retry`, { loadWorkflow: false });
			last = await studio.ended(workflow.id, WITHIN_MS);
			assert.match(last.data.resultData.error.message, /retries one that was killed or stopped/);
		}
		assert.equal(sandbox.service.submissions().length, rows.length);
	});
}

test('Stop, then "Retry execution": pays nothing', async () => {
	sandbox.service.reset();
	const workflow = await publish([planned('video', { renderMs: 600_000 })]);
	await sandbox.api.callWebhook(workflow.path);
	await until(() => sandbox.service.polls().length >= 1, 'polls');
	const [{ id }] = await sandbox.api.executionsOf(workflow.id);
	await sandbox.api.rest('POST', `/executions/${id}/stop`);
	await sandbox.api.waitForExecution(id, WITHIN_MS);
	await sandbox.api.rest('POST', `/executions/${id}/retry`, { loadWorkflow: false });
	const retried = await sandbox.api.lastExecution(workflow.id);
	// n8n 1 has nothing left to run, and calls that a success.
	const { error } = retried.data.resultData;
	if (error) assert.match(error.message, /retries one that was killed or stopped/);
	assert.equal(error === undefined, majorOf(sandbox.installed) === '1');
	assert.equal(sandbox.service.submissions().length, 1);
});
