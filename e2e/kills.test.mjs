import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { createApi, itemsOf } from '../sandbox/n8n/api.mjs';
import { startN8n } from '../sandbox/n8n/start.mjs';
import { KEY, openSandbox, WITHOUT_EDITOR } from './support/sandbox.mjs';
import {
	chain,
	createStudio,
	items,
	node,
	planned,
	rendersOf,
	until,
	videoGenerate,
	webhook,
} from './support/workflows.mjs';

// n8n is killed (SIGKILL) or stopped at each place where money is at stake: submissions made = videos
// wanted. Each has a picture from a file of its item. These tests are steps of one story, in which orders
// that sleep wait for the last step.

const PICTURE = await readFile(
	new URL('../sandbox/service/media/picture.base64', import.meta.url),
	'latin1',
);
const FIRST_FRAME = { imageSource: 'binary' };

let sandbox;
let studio;
let service;
/** What makes files of other kinds, at fal. */
let files;
/** Two orders that sleep, and two whose last submit gets no answer, without and with progress saved. */
let films;
let cutOff;

before(async () => {
	sandbox = await openSandbox({ env: WITHOUT_EDITOR });
	service = sandbox.service;
	studio = await createStudio({ ...sandbox, api: () => sandbox.api });
	files = await openFiles();
});
after(async () => {
	await sandbox?.n8n.stop();
	await files?.service.close();
	await sandbox?.close();
});

async function openFiles() {
	const { createSandbox } = createRequire(import.meta.url)('../sandbox/service');
	const fal = await createSandbox({ port: 0, key: KEY });
	fal.set({ profile: 'fal' });
	const access = { api: 'fal', proxyUrl: fal.url, allowPrivateAddresses: true };
	const own = await createStudio({ service: fal, api: () => sandbox.api, access });
	return { service: fal, studio: own };
}

async function killAndStart() {
	await sandbox.n8n.kill9();
	const { installed, folder, n8n, owner } = sandbox;
	const port = Number(new URL(n8n.url).port);
	const place = { installed, userFolder: folder, port, logFile: n8n.logFile };
	sandbox.n8n = await startN8n({ ...place, env: WITHOUT_EDITOR });
	sandbox.api = createApi(n8n.url, installed);
	await sandbox.api.signIn(owner);
}

/** Makes the file of each item. */
const toFile = () =>
	node('Convert to File', 'n8n-nodes-base.convertToFile', 1.1, {
		operation: 'toBinary',
		sourceProperty: 'picture',
		options: { mimeType: 'image/png' },
	});

/** Starts Webhook -> an item for each prompt -> Convert to File -> Video Generate. */
async function begin(prompts, parameters = {}, settings = {}) {
	const workflow = await studio.publish(
		'Kills',
		[
			webhook(),
			items(prompts.map((prompt) => ({ prompt, picture: PICTURE }))),
			toFile(),
			videoGenerate(studio.credentials, {
				...FIRST_FRAME,
				prompt: "={{ $('Prompts').item.json.prompt }}",
				...parameters,
			}),
		],
		chain('Webhook', 'Prompts', 'Convert to File', 'Video Generate'),
		settings,
	);
	await sandbox.api.callWebhook(workflow.path);
	return { ...workflow, prompts };
}

/** The model of each item, the start of its type, and its field of the prompt. */
const MODELS = [
	['fal-ai/nano-banana', 'image/', 'prompt'],
	['fal-ai/elevenlabs/tts/eleven-v3', 'audio/', 'text'],
];

/** Orders a picture and a sound, and sleeps. */
async function beginFiles() {
	const rows = MODELS.map(([model], i) => ({ model, prompt: rendersOf('files')[i] }));
	const model = { __rl: true, mode: 'id', value: '={{ $json.model }}' };
	const node = videoGenerate(files.studio.credentials, {
		...{ model, wait: 'durable', downloadVideo: true },
	});
	const nodes = [webhook(), items(rows), node];
	const connections = chain('Webhook', 'Prompts', 'Video Generate');
	const workflow = await files.studio.publish('Files', nodes, connections);
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

const submitsOf = ({ prompts }) =>
	service.submissions().filter(({ body }) => prompts.includes(body.prompt));
const tasksOf = ({ prompts }) => service.tasks().filter(({ prompt }) => prompts.includes(prompt));
const pollsOf = (workflow) => tasksOf(workflow).flatMap(({ task_id }) => service.polls(task_id));

const REFUSED = /retries one that was killed or stopped/;
const never = (name) => planned(name, { renderMs: 3_600_000 });
const IN_PROCESS = { options: { polling: { pollInterval: 0.1 } } };
const PLANS = [{}, {}, { submit: [{ fault: 'hang' }] }];

test('n8n is killed while orders sleep and others submit, and once more in a check', async () => {
	films = await Promise.all(
		[0, 1].map((n) => begin(rendersOf(n), { wait: 'durable', downloadVideo: true })),
	);
	files.order = await beginFiles();
	for (const { id } of [...films, files.order]) await studio.asleep(id);
	cutOff = await Promise.all(
		[false, true].map(async (saveExecutionProgress) => {
			const toPrompt = (plan, i) => planned(`cut off ${saveExecutionProgress} ${i}`, plan);
			return await begin(PLANS.map(toPrompt), IN_PROCESS, { saveExecutionProgress });
		}),
	);
	await until(() => cutOff.every((one) => submitsOf(one).length === PLANS.length), 'submissions');
	await killAndStart();
	const isChecked = ({ task_id }) => service.polls(task_id).length > 0;
	await until(() => films.flatMap(tasksOf).every(isChecked), 'checks');
	await killAndStart();
});

for (const [n, what] of ['', ', progress saved'].entries()) {
	test(`killed in a submit${what}: two retries pay nothing`, async () => {
		let last = await studio.ended(cutOff[n].id);
		assert.equal(last.status, 'crashed');
		for (let retries = 0; retries < 2; retries++) {
			last = await retry(cutOff[n], last);
			assert.match(last.data.resultData.error.message, REFUSED);
		}
		assert.equal(submitsOf(cutOff[n]).length, PLANS.length);
	});
}

test('stopped while it waits: IDs are kept, nothing is asked any more, a retry pays nothing', async () => {
	const workflow = await begin([never('stopped 0'), never('stopped 1')], IN_PROCESS);
	await until(() => pollsOf(workflow).length >= 2, 'polls');
	const stopped = await stop(workflow);
	assert.equal(stopped.status, 'canceled');
	const ids = tasksOf(workflow).map(({ task_id }) => task_id);
	// n8n stores the custom data of a stopped run a moment after the rest.
	const customData = await until(async () => {
		const { customData: kept } = await sandbox.api.execution(stopped.id);
		return kept?.video_task_ids && kept;
	}, 'the custom data of the stopped run');
	assert.deepEqual(customData.video_task_ids.split(',').sort(), ids.sort());
	const log = await readFile(sandbox.n8n.logFile, 'utf8');
	for (const task_id of ids) assert.ok(log.includes(task_id), `${task_id} is not in n8n's log`);
	const pollsAtStop = pollsOf(workflow).length;
	const { data } = await retry(workflow, stopped);
	assert.match(data.resultData.error.message, REFUSED);
	assert.equal(submitsOf(workflow).length, 2);
	// One that was under way may still have arrived.
	assert.ok(pollsOf(workflow).length <= pollsAtStop + 2, 'it is still asked for');
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
	assert.equal(submitsOf(workflow).length, prompts.length);
});

test('Durable, stopped asleep: its IDs are kept', async () => {
	const workflow = await begin([never('stopped asleep')], { wait: 'durable' });
	await studio.asleep(workflow.id);
	const { status, customData } = await stop(workflow);
	assert.equal(status, 'canceled');
	assert.equal(customData.video_task_ids, tasksOf(workflow)[0].task_id);
});

test('Durable, killed asleep and in a check: each of eight videos is paid for once and arrives', async () => {
	for (const film of films) {
		const execution = await studio.ended(film.id);
		assert.equal(execution.status, 'success');
		const videos = itemsOf(execution, 'Video Generate');
		assert.deepEqual(
			videos.map(({ json, binary, pairedItem }) => [
				...[json.status, binary.data.mimeType, pairedItem.item],
			]),
			film.prompts.map((_, i) => ['SUCCESS', 'video/mp4', i]),
		);
		const tasks = tasksOf(film);
		const promptOf = ({ json }) => tasks.find(({ task_id }) => task_id === json.task_id).prompt;
		assert.deepEqual(videos.map(promptOf), film.prompts);
		assert.equal(submitsOf(film).length, film.prompts.length);
	}
});

test('Durable, killed asleep and in a check: a picture and a sound are paid for once and arrive', async () => {
	const execution = await studio.ended(files.order.id);
	assert.equal(execution.status, 'success');
	const made = itemsOf(execution, 'Video Generate');
	for (const [i, [, type, field]] of MODELS.entries()) {
		const { json, binary } = made[i];
		assert.equal(json.status, 'SUCCESS');
		assert.ok(binary.data.mimeType.startsWith(type), binary.data.mimeType);
		const isOf = ({ body }) => body[field]?.startsWith(`video files.${i}`);
		assert.equal(files.service.submissions().filter(isOf).length, 1);
	}
	assert.equal(files.service.submissions().length, MODELS.length);
});
