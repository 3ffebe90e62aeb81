import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { itemsOf } from '../sandbox/n8n/api.mjs';
import { fillIn, openExamples, rendered } from './support/examples.mjs';
import { startStorage } from './support/storage.mjs';
import { planned } from './support/workflows.mjs';

// The examples that sleep in n8n's database, side by side. The render outlasts their first look.

const RENDER_MS = 80_000;
const WITHIN_MS = 6 * 60_000;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** What the text model writes for the pipeline: one more than is wanted, and one that fails. */
const IDEAS = {
	videos: [
		{ title: 'Puddle', prompt: planned('A puddle', { video: 'portrait' }) },
		{ title: 'Refused', prompt: planned('Lightning', { outcome: 'FAILURE', failReason: 'No' }) },
		{ title: 'Too Many', prompt: 'A third one' },
	],
};

let examples;
let service;
let storage;
const running = {};

before(async () => {
	storage = await startStorage();
	const more = [storage.credential];
	examples = await openExamples({ service: { renderMs: RENDER_MS }, more, withinMs: WITHIN_MS });
	service = examples.sandbox.service;
	const start = (name, execution) => {
		execution.catch(() => undefined);
		running[name] = execution;
	};
	for (const name of ['durable.json', 'visible-wait.json']) start(name, examples.run(name));
	const pipeline = (settings) =>
		examples.runBySchedule('content-pipeline.json', fillIn('Settings', settings));
	start('pipeline', pipeline({ bucket: 'good-days' }));
	const topic = planned('Rain', { says: JSON.stringify(IDEAS) });
	start('pipeline with a failure', pipeline({ topic, bucket: 'bad-days' }));
});
after(async () => {
	await examples?.close();
	await storage?.close();
});

const uploaded = (bucket) =>
	[...storage.files]
		.map(([name, bytes]) => [name.split('/'), bytes])
		.filter(([[first]]) => first === bucket)
		.map(([[, day, name], bytes]) => ({ day, name, bytes }));

test('durable.json ends with the file', async () => {
	const execution = await running['durable.json'];
	const [video] = itemsOf(execution, 'Video Generate');
	assert.equal(video.json.status, 'SUCCESS');
	assert.equal(video.binary.data.mimeType, 'video/mp4');
});

test('visible-wait.json goes through its loop and ends with the file', async () => {
	const execution = await running['visible-wait.json'];
	const passes = execution.data.resultData.runData['Video Status'];
	assert.ok(passes.length >= 2);
	assert.equal(passes[0].data.main[1][0].json.status, 'IN_PROGRESS');
	const [video] = itemsOf(execution, 'Video Download');
	assert.equal(video.binary.data.mimeType, 'video/mp4');
});

test('content-pipeline.json starts by itself and puts the whole videos into the storage', async () => {
	const execution = await running['pipeline'];
	assert.equal(execution.mode, 'trigger');
	assert.equal(execution.status, 'success');
	const files = uploaded('good-days');
	assert.deepEqual(files.map(({ name }) => name.split(' ')[0]).sort(), ['1', '2']);
	for (const { day, name, bytes } of files) {
		assert.match(day, DAY);
		assert.match(name, /\.mp4$/);
		assert.deepEqual(bytes, rendered('landscape'));
	}
});

test('content-pipeline.json uploads what is ready, then ends with the reason and the ID', async () => {
	const execution = await running['pipeline with a failure'];
	assert.equal(execution.status, 'error');
	const [{ name, bytes }, ...others] = uploaded('bad-days');
	assert.deepEqual([name, others], ['1 Puddle.mp4', []]);
	assert.deepEqual(bytes, rendered('portrait'));
	const isRefused = ({ body }) => body.prompt === IDEAS.videos[1].prompt;
	const { taskId } = service.submissions().find(isRefused);
	const { message } = execution.data.resultData.error;
	assert.match(message, new RegExp(`could not be rendered \\(task ${taskId}\\).*: No$`));
});

test('each video that was wanted was submitted once', async () => {
	await Promise.all(Object.values(running));
	assert.equal(service.submissions().length, 6);
	const prompts = service.submissions().map(({ body }) => body.prompt);
	assert.ok(!prompts.includes(IDEAS.videos[2].prompt));
});
