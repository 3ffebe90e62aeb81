import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import fastify from 'fastify';
import { videoFacts } from '../sandbox/demo/videoFacts.mjs';
import { ROOT } from '../sandbox/n8n/folders.mjs';
import { itemsOf } from '../sandbox/n8n/api.mjs';
import { sendChat } from './support/agentRuns.mjs';
import { openChatSession } from './support/chatSession.mjs';
import { listen, wordsOf } from './support/chunks.mjs';
import { fillIn, openExamples, rendered, SECONDS } from './support/examples.mjs';
import { planned } from './support/workflows.mjs';

// The examples that end within seconds, side by side in one n8n. Those that the demo runs are tested
// in nodes.test.mjs, those that sleep in sleepingExamples.test.mjs.

const WITHIN_MS = 2 * 60_000;
const PICTURE = await readFile(path.join(ROOT, '.github', 'media', 'chat-streaming.png'));

const refused = { outcome: 'FAILURE', failReason: 'The picture was refused' };
const ROWS = [
	{ title: 'Boat', prompt: planned('A boat', { video: 'portrait' }) },
	{ title: 'Refused', prompt: planned('A refused one', refused) },
	{ title: 'Blank', prompt: '' },
	{ title: 'Kept Back', prompt: planned('A kept one', { content: { always: 'forbidden' } }) },
	{ title: 'Harbour', prompt: planned('A harbour', { video: 'square' }) },
];
const LIMIT = 5;
const FEW = [1, 2].map((n) => ({ title: `Few ${n}`, prompt: `One of few: ${n}` }));
const MANY = Array.from({ length: LIMIT + 1 }, (_, n) => ({ title: `Many ${n}`, prompt: `${n}` }));
const APPROVED = 'A video that is worth it';
/** It outlasts the first look, so that there is progress to tell. */
const TOLD = planned('A video on demand', { renderMs: 15_000, video: 'portrait' });
const FRAMES = { firstUrl: 'https://example.com/a.png', lastUrl: 'https://example.com/b.png' };
const WRITTEN = { title: 'Rain Check', prompt: 'A yellow umbrella opens', aspectRatio: '9:16' };
const IDEA = 'A boat finds the sea';
/** What the stand-in writes of it. */
const SHOTS = [1, 2, 3].map((n) => `${IDEA} (prompt ${n}) ${IDEA} (look)`);

let examples;
let service;
let shop;
const running = {};

before(async () => {
	shop = fastify({ forceCloseConnections: true });
	shop.get('/product.png', async (_request, reply) => await reply.type('image/png').send(PICTURE));
	const imageUrl = `${await shop.listen({ host: '127.0.0.1', port: 0 })}/product.png`;
	examples = await openExamples({ withinMs: WITHIN_MS });
	service = examples.sandbox.service;
	const changes = {
		'batch-with-a-limit.json': fillIn('Prompts', { rows: FEW }),
		'list-of-prompts.json': fillIn('Prompts', { rows: ROWS }),
		'product-image-to-video.json': fillIn('Settings', { imageUrl, prompt: 'It turns' }),
		'first-and-last-frame.json': fillIn('Settings', { ...FRAMES, prompt: 'It changes' }),
		'idea-to-video.json': fillIn('Set Idea', {
			idea: planned('Umbrellas', { says: JSON.stringify(WRITTEN) }),
		}),
		'storyboard-to-film.json': fillIn('Set Idea', { idea: IDEA }),
	};
	for (const [fileName, change] of Object.entries(changes)) {
		running[fileName] = examples.run(fileName, change);
		running[fileName].catch(() => undefined);
	}
});
after(async () => {
	await examples?.close();
	await shop?.close();
});

const submitOf = (prompt) => service.submissions().find(({ body }) => body.prompt === prompt);
const rowOf = (title) => ROWS.find((row) => row.title === title);

test('list-of-prompts.json: the good rows become videos with the names of their rows', async () => {
	const execution = await running['list-of-prompts.json'];
	const videos = itemsOf(execution, 'Render Videos');
	assert.deepEqual(
		videos.map(({ binary }) => binary.data.fileName),
		['Boat.mp4', 'Harbour.mp4'],
	);
	assert.deepEqual(await examples.bytesOf(videos[0].binary.data), rendered('portrait'));
	assert.deepEqual(await examples.bytesOf(videos[1].binary.data), rendered('square'));
});

test('list-of-prompts.json: each row that failed is listed with its reason and task ID', async () => {
	const execution = await running['list-of-prompts.json'];
	const runs = execution.data.resultData.runData['List What Failed'];
	const listed = runs.flatMap(({ data }) => data.main[0]).map(({ json }) => json);
	const failed = (title) => listed.find((json) => json.title === title);
	assert.deepEqual(listed.map(({ title }) => title).sort(), ['Blank', 'Kept Back', 'Refused']);
	for (const title of ['Refused', 'Kept Back']) {
		const { taskId } = submitOf(rowOf(title).prompt);
		assert.equal(failed(title).task_id, taskId);
	}
	assert.match(failed('Refused').reason, /could not be rendered .*: The picture was refused/);
	assert.match(failed('Kept Back').reason, /could not be downloaded/);
	assert.match(failed('Blank').reason, /Prompt is empty/);
	assert.equal(failed('Blank').task_id, '');
});

test('product-image-to-video.json sends the very picture and ends with the file', async () => {
	const execution = await running['product-image-to-video.json'];
	const [video] = itemsOf(execution, 'Animate Picture');
	assert.deepEqual(await examples.bytesOf(video.binary.data), rendered('landscape'));
	const sent = `data:image/png;base64,${PICTURE.toString('base64')}`;
	const sha256 = createHash('sha256').update(sent).digest('hex');
	assert.equal(submitOf('It turns').body.image.sha256, sha256);
});

test('first-and-last-frame.json gives each picture its role', async () => {
	const execution = await running['first-and-last-frame.json'];
	const [video] = itemsOf(execution, 'Render Change');
	assert.deepEqual(await examples.bytesOf(video.binary.data), rendered('landscape'));
	const { content } = submitOf('It changes').body.metadata;
	assert.deepEqual(
		content.map(({ role, image_url }) => [role, image_url.url]),
		[
			['first_frame', FRAMES.firstUrl],
			['last_frame', FRAMES.lastUrl],
		],
	);
});

test('idea-to-video.json renders what the model wrote, in its format, under its title', async () => {
	const execution = await running['idea-to-video.json'];
	const { duration, metadata } = submitOf(WRITTEN.prompt).body;
	assert.deepEqual(
		{ duration, metadata },
		{ duration: 4, metadata: { aspectRatio: '9:16', durationSeconds: 4 } },
	);
	const [video] = itemsOf(execution, 'Render Video');
	assert.equal(video.binary.data.fileName, 'Rain Check.mp4');
	assert.deepEqual(await examples.bytesOf(video.binary.data), rendered('portrait'));
	const isAsked = ({ body }) => JSON.stringify(body?.contents)?.includes('Umbrellas');
	const asked = service.requests.find(isAsked);
	assert.equal(asked.body.generationConfig.responseMimeType, 'application/json');
	assert.match(JSON.stringify(asked.body.generationConfig), /"aspectRatio"/);
	assert.match(JSON.stringify(asked.body.systemInstruction), /one shot of four seconds/);
});

test('storyboard-to-film.json pays once for each shot, and ends with one film and its link', async () => {
	const execution = await running['storyboard-to-film.json'];
	const shots = SHOTS.map(submitOf);
	assert.deepEqual(
		shots.map(({ body: { duration, metadata } }) => [duration, metadata.ratio]),
		SHOTS.map(() => [SECONDS, '16:9']),
	);
	// The last frame of the shot before.
	assert.deepEqual(
		shots.map(({ body: { image } }) => image && new URL(image).searchParams.get('task')),
		[undefined, shots[0].taskId, shots[1].taskId],
	);
	const [film, ...others] = itemsOf(execution, 'Join Shots');
	assert.deepEqual(others, []);
	const { file_name, duration_seconds, clips, link } = film.json;
	assert.deepEqual([file_name, duration_seconds], [`${IDEA} (title).mp4`, 3 * SECONDS]);
	assert.deepEqual(
		clips.map(({ start_seconds, item }) => [start_seconds, item]),
		SHOTS.map((_, i) => [i * SECONDS, i]),
	);
	const bytes = await examples.bytesOf(film.binary.data);
	// As somebody opens it who never signed in: without cookies.
	assert.deepEqual(Buffer.from(await (await fetch(link)).arrayBuffer()), bytes);
	const file = path.join(examples.folder, 'film.mp4');
	await writeFile(file, bytes);
	const { whole, lines } = await videoFacts(file);
	assert.ok(whole, lines.join());
	const byFfprobe = lines.find((line) => line.startsWith('ffprobe'));
	if (byFfprobe) assert.match(byFfprobe, /: h264, 640 x 360, 12\.0\d s$/);
});

test('batch-with-a-limit.json: few rows become videos that keep their titles', async () => {
	const execution = await running['batch-with-a-limit.json'];
	const videos = itemsOf(execution, 'Render Videos');
	assert.deepEqual(
		videos.map(({ json, binary }) => [json.title, json.status, binary.data.mimeType]),
		FEW.map(({ title }) => [title, 'SUCCESS', 'video/mp4']),
	);
});

test('batch-with-a-limit.json: too many rows pay for nothing and are listed', async () => {
	const execution = await examples.run(
		'batch-with-a-limit.json',
		fillIn('Prompts', { rows: MANY }),
	);
	assert.deepEqual(itemsOf(execution, 'Render Videos'), []);
	const listed = itemsOf(execution, 'List What Was Not Rendered').map(({ json }) => json);
	const reason = `This run would submit ${MANY.length} videos, and Max Videos per Run is ${LIMIT}`;
	const advice = 'Nothing was submitted. Send fewer items, or raise Max Videos per Run.';
	assert.deepEqual(
		listed,
		MANY.map(({ title }) => ({ title, reason, advice, task_id: '' })),
	);
});

test('chat-with-progress.json tells what happens and ends with a link to the file', async () => {
	const webhookId = await examples.publishChat('chat-with-progress.json');
	const chunks = await listen(await sendChat(examples.sandbox.url, webhookId, TOLD));
	const [submitted, ...more] = wordsOf(chunks).trim().split('\n\n');
	const { taskId, body } = submitOf(TOLD);
	assert.equal(body.duration, 4);
	assert.equal(submitted, `Submitted: \`${taskId}\``);
	const ready = more.pop();
	assert.ok(more.length > 0, 'nothing was said while it rendered');
	for (const line of more) assert.match(line, /^Rendering: \d+ %$/);
	const [, name, link] = ready.match(/^Ready: \[(.+)\]\((http[^)]+)\)/);
	assert.equal(name, `${taskId}.mp4`);
	// As somebody opens it who never signed in: without cookies.
	const file = await fetch(link);
	assert.equal(file.headers.get('content-type'), 'video/mp4');
	assert.deepEqual(Buffer.from(await file.arrayBuffer()), rendered('portrait'));
});

test('approval-before-spending.json pays once somebody approves, and for what was shown', async () => {
	const chat = await examples.publishChat('approval-before-spending.json');
	const { installed, url } = examples.sandbox;
	const ask = async (text) => await openChatSession({ url, installed, webhookId: chat }, text);
	const [yes, no] = [await ask(APPROVED), await ask('A video that is not')];
	const questions = [await yes.hears(), await no.hears()];
	assert.match(questions[0].text, /^This would be a video of 4 seconds by veo[^]*worth it$/);
	assert.equal(submitOf(APPROVED), undefined);
	assert.equal(await yes.click(questions[0], 'Render It'), 200);
	assert.equal(await no.click(questions[1], 'No'), 200);
	const [ready, nothing] = [await yes.hears(), await no.hears()];
	assert.equal(nothing, 'Nothing was submitted, and nothing is billed.');
	const { taskId } = submitOf(APPROVED);
	assert.match(ready, new RegExp(`^The video is ready: \\[${taskId}\\.mp4\\]\\(http`));
	const execution = await examples.sandbox.api.waitForExecution(yes.executionId, WITHIN_MS);
	const [video] = itemsOf(execution, 'Render Video');
	assert.deepEqual(await examples.bytesOf(video.binary.data), rendered('landscape'));
	for (const one of [yes, no]) one.close();
});

test('no more was paid for than the videos that were wanted', async () => {
	await Promise.all(Object.values(running));
	const prompts = service.submissions().map(({ body }) => body.prompt);
	const all = [...[...ROWS, ...FEW].map(({ prompt }) => prompt), ...SHOTS];
	const wanted = [...all, APPROVED, TOLD, 'It turns', 'It changes', WRITTEN.prompt];
	assert.deepEqual(prompts.sort(), wanted.filter(Boolean).sort());
});
