import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { readMp4 } from '../sandbox/demo/videoFacts.mjs';
import { listen, readChunks, wordsOf } from './support/chunks.mjs';
import { skipWithoutChromium as skip } from './support/debian.mjs';
import { chatScene } from './support/editorScenes.mjs';
import { KEY, openSandbox } from './support/sandbox.mjs';
import {
	SEEDANCE,
	chain,
	createStudio,
	items,
	planned,
	rendering,
	until,
	videoGenerate,
	webhook,
} from './support/workflows.mjs';

// A film that whoever asked for it can open, and what a chat hears meanwhile.

/** The first look finds it half done. */
const HALF_DONE = { renderMs: 0, poll: [rendering(50)] };
const LINK = /\]\((http[^)]+)\)/;

let sandbox;
let studio;
const folder = mkdtempSync(path.join(tmpdir(), 'n8n-film-'));

before(async () => {
	sandbox = await openSandbox();
	studio = await createStudio(sandbox);
});
afterEach(() => sandbox.service.reset());
after(async () => {
	await sandbox?.close();
	rmSync(folder, { recursive: true, force: true });
});

/** A webhook and Video Generate, with what follows; answers with the webhook's path. */
async function publish(parameters, { responseMode = 'streaming', prompts } = {}) {
	const rows = prompts ?? [planned('A boat', { renderMs: 0 })];
	const nodes = [
		{ ...webhook({ responseMode }), typeVersion: 2.1 },
		items(rows.map((prompt) => ({ prompt }))),
		videoGenerate(studio.credentials, { downloadVideo: true, ...parameters }),
	];
	const row = chain(...nodes.map(({ name }) => name));
	return await studio.publish('Film', nodes, row);
}

const hear = async (workflow) => await listen(await sandbox.api.callWebhook(workflow.path));

const generated = async (workflow) =>
	studio.itemsOf(await studio.ended(workflow.id), 'Video Generate');

describe('the link', () => {
	let link;

	test('gives the whole file to somebody who never signed in', async () => {
		const workflow = await publish({ options: { link: 1 } }, { responseMode: 'lastNode' });
		const { link: given, message } = await (await sandbox.api.callWebhook(workflow.path)).json();
		link = given;
		assert.ok(message.includes(`](${link})`), message);
		assert.ok(!message.includes(KEY));
		const response = await fetch(link);
		assert.equal(response.status, 200);
		assert.equal(response.headers.get('content-type'), 'video/mp4');
		assert.match(response.headers.get('content-disposition'), /^attachment; filename="task_/);
		const file = path.join(folder, 'fetched.mp4');
		writeFileSync(file, Buffer.from(await response.arrayBuffer()));
		const { whole, reason } = await readMp4(file);
		assert.ok(whole, reason);
	});

	test('opens in a browser that never signed in', { skip }, async (t) => {
		const { openBrowser } = await import('./support/editor.mjs');
		const { browser, page } = await openBrowser();
		t.after(() => browser.close());
		// A download ends the navigation, which Chromium calls an error.
		const [download] = await Promise.all([
			page.waitForEvent('download'),
			page.goto(link).catch(() => {}),
		]);
		assert.match(download.suggestedFilename(), /^task_\w+\.mp4$/);
		const file = path.join(folder, 'opened.mp4');
		await download.saveAs(file);
		const { whole, reason } = await readMp4(file);
		assert.ok(whole, reason);
	});

	test('is for this file alone, and has an end', async () => {
		assert.equal((await fetch(`${link.slice(0, -3)}AAA`)).status, 400);
		const workflow = await publish({ options: { link: 0.0003 } }, { responseMode: 'lastNode' });
		const answer = await (await sandbox.api.callWebhook(workflow.path)).json();
		const isOver = async () => (await fetch(answer.link)).status === 400;
		assert.ok(await until(isOver, 'the link to end'));
	});
});

describe('behind a Webhook in streaming mode', () => {
	test('the lines come as it happens, with a link at the end', async () => {
		const workflow = await publish({ model: SEEDANCE, options: { polling: { pollInterval: 1 } } }, { prompts: [planned('A boat', HALF_DONE)] }); // prettier-ignore
		const chunks = await hear(workflow);
		const told = chunks.filter(({ type }) => type !== 'keepalive');
		assert.deepEqual([told[0].type, told.at(-1).type], ['begin', 'end']);
		const lines = wordsOf(chunks).trim().split('\n\n');
		const [{ json }] = await generated(workflow);
		assert.equal(lines[0], `Submitted: \`${json.task_id}\``);
		assert.equal(lines.length, 2);
		assert.match(lines.at(-1), /^Ready: \[task_\w+\.mp4\]\(http/);
		assert.equal((await fetch(lines.at(-1).match(LINK)[1])).status, 200);
		assert.ok(!('link' in json));
		assert.ok(!JSON.stringify(chunks).includes(KEY));
	});

	test('who leaves does not cost the video', async () => {
		const workflow = await publish({}, { prompts: [planned('A boat', { renderMs: 3_000 })] });
		const leave = new AbortController();
		const response = await fetch(`${sandbox.url}/webhook/${workflow.path}`, {
			method: 'POST',
			signal: leave.signal,
		});
		for await (const { type } of readChunks(response)) if (type === 'item') break;
		leave.abort();
		const [{ json, binary }] = await generated(workflow);
		assert.equal(json.status, 'SUCCESS');
		assert.ok(binary.data);
		assert.equal(sandbox.service.submissions().length, 1);
	});

	test('a wait that sleeps says so, ends the message, and goes on', async () => {
		const prompts = [planned('A boat', { renderMs: 600_000 })];
		const workflow = await publish({ wait: 'durable' }, { prompts });
		const chunks = await hear(workflow);
		const { id } = await studio.asleep(workflow.id);
		assert.deepEqual([chunks[0].type, chunks.at(-1).type], ['begin', 'end']);
		const lines = wordsOf(chunks).trim().split('\n\n');
		assert.match(lines.at(-1), /^Still rendering. The execution sleeps/);
		assert.equal(lines.at(-1).match(LINK)[1], `${sandbox.url}/workflow/${workflow.id}/executions/${id}`); // prettier-ignore
	});
});

/** A workflow in the editor, with its chat. */
async function openChat(t, workflow) {
	const { openChatPanel } = await import('./support/chatPanel.mjs');
	const { openEditor } = await import('./support/editor.mjs');
	const { id } = await sandbox.api.createWorkflow(workflow);
	const editor = await openEditor({ url: sandbox.url, owner: sandbox.owner });
	t.after(() => editor.close());
	await editor.openWorkflow(id);
	return { editor, chat: await openChatPanel(editor.page) };
}

const chatShowsFilm = async (t) => {
	const { editor, chat } = await openChat(t, chatScene(studio.credentials, { model: SEEDANCE }));
	sandbox.service.set({ plan: HALF_DONE });
	await chat.ask('A paper boat on a rainy street');
	const link = await chat.seesLink(/^task_\w+\.mp4$/);
	t.diagnostic(`Picture: ${await editor.picture('chat-film')}`);
	assert.equal((await fetch(link)).status, 200);
	const said = await chat.messages.last().innerText();
	assert.match(said, /^\s*Submitted: task_\w+\s+Ready: /);
	assert.doesNotMatch(said, /No response received/);
};

test("the editor's chat shows the progress and a link that opens", { skip }, chatShowsFilm);
