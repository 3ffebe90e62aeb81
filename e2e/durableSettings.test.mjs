import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { KEY, openSandbox } from './support/sandbox.mjs';
import {
	chain,
	createStudio,
	items,
	node,
	planned,
	respond,
	until,
	videoGenerate,
	webhook,
} from './support/workflows.mjs';

// The settings of an instance or a workflow that could cost a sleeping render its result. Nothing is
// saved here and finished executions are pruned at once, so the webhooks' answers tell the end.

const FORGETFUL = {
	EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none',
	EXECUTIONS_DATA_SAVE_ON_ERROR: 'none',
	EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS: 'false',
	EXECUTIONS_DATA_PRUNE: 'true',
	EXECUTIONS_DATA_PRUNE_MAX_COUNT: '1',
	EXECUTIONS_DATA_HARD_DELETE_BUFFER: '0',
	EXECUTIONS_DATA_PRUNE_SOFT_DELETE_INTERVAL: '1',
	EXECUTIONS_DATA_PRUNE_HARD_DELETE_INTERVAL: '1',
};
const DURABLE = { wait: 'durable' };
const RENDER_MS = 80_000;
/** A path of the service that the error workflow asks for. */
const ALARM = '/alarm';

let sandbox;
let studio;
const runs = {};

/** Publishes Webhook -> Prompts -> Video Generate and calls it; the answer comes at the end. */
async function begin(
	name,
	{ plan = { renderMs: RENDER_MS }, parameters, rest, settings, answer, credentials },
) {
	const workflow = await studio.publish(
		name,
		[
			webhook({ responseMode: 'responseNode' }),
			items([{ prompt: planned(name, plan) }]),
			videoGenerate(credentials ?? studio.credentials, { ...DURABLE, ...parameters }, rest),
			respond(answer),
		],
		chain('Webhook', 'Prompts', 'Video Generate', 'Respond'),
		settings,
	);
	const called = sandbox.api.callWebhook(workflow.path);
	called.catch(() => undefined);
	await studio.asleep(workflow.id);
	runs[name] = { ...workflow, answer: called };
	return workflow;
}

async function credential(name, apiKey) {
	const data = { baseUrl: sandbox.service.url, apiKey };
	const { id } = await sandbox.api.createCredential({ name, type: 'videoGenerationApi', data });
	return { id, used: { videoGenerationApi: { id, name } }, data };
}

const videoOf = async (name) => {
	const response = await runs[name].answer;
	assert.equal(response.status, 200);
	const [video] = await response.json();
	return video;
};

before(async () => {
	sandbox = await openSandbox({ env: FORGETFUL });
	studio = await createStudio(sandbox);
	await begin('not saved', {
		parameters: { downloadVideo: true },
		answer: { respondWith: 'binary' },
	});
	await begin('strict', { settings: { callerPolicy: 'none' } });
	const alarm = await studio.publish(
		'alarm',
		[
			node('Alarm', 'n8n-nodes-base.errorTrigger', 1),
			node('Ring', 'n8n-nodes-base.httpRequest', 4.2, { url: `${sandbox.service.url}${ALARM}` }),
		],
		chain('Alarm', 'Ring'),
	);
	await begin('error workflow', {
		plan: { renderMs: 1_000, outcome: 'FAILURE' },
		settings: { errorWorkflow: alarm.id },
	});
	const edited = await begin('edited', {});
	const { nodes } = await sandbox.api.getWorkflow(edited.id);
	await sandbox.api.updateWorkflow(edited.id, {
		name: 'has another name now',
		nodes: nodes.slice(0, 2),
		connections: chain('Webhook', 'Prompts'),
	});
	const unpublished = await begin('unpublished', {});
	await sandbox.api.rest('POST', `/workflows/${unpublished.id}/deactivate`, {});
	const deleted = await begin('deleted', {});
	await sandbox.api.rest('POST', `/workflows/${deleted.id}/archive`, {});
	// n8n unpublishes it first, and answers 409 meanwhile.
	await until(
		() =>
			sandbox.api.rest('DELETE', `/workflows/${deleted.id}`).catch((error) => {
				if (error.status !== 409) throw error;
			}),
		'the workflow to be deleted',
	);
	const archived = await begin('archived', {});
	await sandbox.api.rest('POST', `/workflows/${archived.id}/archive`, {});
	const first = await credential('Changed', 'sandbox-budget-1');
	await begin('new key', { credentials: first.used });
	await sandbox.api.updateCredential(first.id, {
		name: 'Changed',
		type: 'videoGenerationApi',
		data: { ...first.data, apiKey: KEY },
	});
	const second = await credential('Deleted', KEY);
	await begin('no key', { credentials: second.used, rest: { onError: 'continueRegularOutput' } });
	await sandbox.api.rest('DELETE', `/credentials/${second.id}`);
});
after(() => sandbox?.close());

test('executions not saved and pruned: the file arrives whole', async () => {
	const response = await runs['not saved'].answer;
	assert.equal(response.headers.get('content-type'), 'video/mp4');
	const file = Buffer.from(await response.arrayBuffer());
	assert.equal(file.toString('latin1', 4, 8), 'ftyp');
	assert.ok(file.length > 10_000);
});

test('caller policy "none"', async () => {
	assert.equal((await videoOf('strict')).status, 'SUCCESS');
});

test('a workflow that is renamed and edited while it sleeps ends as it began', async () => {
	assert.equal((await videoOf('edited')).status, 'SUCCESS');
});

test('a workflow that is unpublished while it sleeps still ends', async () => {
	assert.equal((await videoOf('unpublished')).status, 'SUCCESS');
});

test('a workflow that is archived while it sleeps still ends', async () => {
	assert.equal((await videoOf('archived')).status, 'SUCCESS');
});

test('a workflow that is deleted while it sleeps: the log keeps the task ID', async () => {
	const task = sandbox.service.tasks().find(({ prompt }) => prompt.startsWith('deleted '));
	assert.ok((await readFile(sandbox.n8n.logFile, 'utf8')).includes(task.task_id));
});

test('a key that is changed while it sleeps is used from the next look on', async () => {
	assert.equal((await videoOf('new key')).status, 'SUCCESS');
});

test('a credential that is deleted while it sleeps: says so, and keeps the task ID', async () => {
	const { error } = await videoOf('no key');
	const task = sandbox.service.tasks().find(({ prompt }) => prompt.startsWith('no key '));
	assert.match(error.message, /[Cc]redential/);
	assert.equal(error.task_id, task.task_id);
});

test('an error workflow is called once, for the execution itself', async () => {
	await runs['error workflow'].answer;
	const alarms = () => sandbox.service.count({ path: ALARM });
	await until(alarms, 'the alarm');
	assert.equal(alarms(), 1);
});

test('each video was submitted once', () => {
	const { length } = Object.keys(runs);
	assert.equal(sandbox.service.tasks().length, length);
	assert.equal(sandbox.service.submissions().length, length);
});
