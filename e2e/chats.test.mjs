import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { readMp4 } from '../sandbox/demo/videoFacts.mjs';
import { putTextCredential, sendChat } from './support/texts.mjs';
import { listen, readChunks, wordsOf } from './support/chunks.mjs';
import { skipWithoutChromium as skip } from './support/debian.mjs';
import { chatScene } from './support/editorScenes.mjs';
import { KEY, openSandbox } from './support/sandbox.mjs';
import { chatTrigger, generateContent, inARow } from './support/textWorkflows.mjs';
import {
	MODEL,
	chain,
	createStudio,
	items,
	planned,
	rendering,
	videoGenerate,
	webhook,
} from './support/workflows.mjs';

// What a chat and a Webhook in streaming mode hear while n8n works, and the link that ends it.

const SAYS =
	'Sunlight is made of all colours. The air scatters blue light more than red, so blue light reaches your eyes from every side.';
/** Half of the pieces come at once, the others only when the test lets them. */
const HELD = { says: SAYS, chunks: 8, holdAfterChunks: 4 };
const HEARD = SAYS.slice(0, Math.ceil(SAYS.length / HELD.chunks) * HELD.holdAfterChunks).trimEnd();
/** The first look finds the film half done. */
const HALF_DONE = { renderMs: 0, poll: [rendering(50)] };
const LINK = /\]\((http[^)]+)\)/;

let sandbox;
let studio;
let textCredentials;
const folder = mkdtempSync(path.join(tmpdir(), 'n8n-chats-'));

before(async () => {
	sandbox = await openSandbox();
	studio = await createStudio(sandbox);
	textCredentials = await putTextCredential(sandbox);
});
afterEach(() => sandbox.service.reset());
after(async () => {
	await sandbox?.close();
	rmSync(folder, { recursive: true, force: true });
});

/** A webhook, prompts and Video Generate; answers with the webhook's path. */
async function publishFilm(
	parameters,
	{ responseMode = 'streaming', plan = { renderMs: 0 } } = {},
) {
	const nodes = [
		{ ...webhook({ responseMode }), typeVersion: 2.1 },
		items([{ prompt: planned('A boat', plan) }]),
		videoGenerate(studio.credentials, { downloadVideo: true, ...parameters }),
	];
	return await studio.publish('Film', nodes, chain(...nodes.map(({ name }) => name)));
}

describe('a film', () => {
	test('its link gives the whole file to somebody who never signed in', async () => {
		const parameters = { options: { link: 1 } };
		const workflow = await publishFilm(parameters, { responseMode: 'lastNode' });
		const { link, message } = await (await sandbox.api.callWebhook(workflow.path)).json();
		assert.ok(message.includes(`](${link})`), message);
		assert.ok(!message.includes(KEY));
		const response = await fetch(link);
		assert.equal(response.headers.get('content-type'), 'video/mp4');
		const file = path.join(folder, 'film.mp4');
		writeFileSync(file, Buffer.from(await response.arrayBuffer()));
		const { whole, reason } = await readMp4(file);
		assert.ok(whole, reason);
		// It is for this file alone.
		assert.equal((await fetch(`${link.slice(0, -3)}AAA`)).status, 400);
	});

	test('a Webhook in streaming mode hears lines as it happens, and the link', async () => {
		const parameters = { options: { polling: { pollInterval: 1 } } };
		const workflow = await publishFilm(parameters, { plan: HALF_DONE });
		const chunks = await listen(await sandbox.api.callWebhook(workflow.path));
		const told = chunks.filter(({ type }) => type !== 'keepalive');
		assert.deepEqual([told[0].type, told.at(-1).type], ['begin', 'end']);
		const [submitted, ready, ...more] = wordsOf(chunks).trim().split('\n\n');
		const [{ task_id }] = sandbox.service.tasks();
		assert.equal(submitted, `Submitted: \`${task_id}\``);
		assert.match(ready, /^Ready: \[task_\w+\.mp4\]\(http/);
		assert.deepEqual(more, []);
		assert.equal((await fetch(ready.match(LINK)[1])).status, 200);
		assert.ok(!JSON.stringify(chunks).includes(KEY));
	});

	test('who leaves the stream does not lose the video', async () => {
		const workflow = await publishFilm({}, { plan: { renderMs: 3_000 } });
		const leave = new AbortController();
		const response = await fetch(`${sandbox.url}/webhook/${workflow.path}`, {
			method: 'POST',
			signal: leave.signal,
		});
		for await (const { type } of readChunks(response)) if (type === 'item') break;
		leave.abort();
		const execution = await studio.ended(workflow.id);
		const [{ json, binary }] = studio.itemsOf(execution, 'Video Generate');
		assert.equal(json.status, 'SUCCESS');
		assert.ok(binary.data);
		assert.equal(sandbox.service.submissions().length, 1);
	});
});

test('a public chat hears the words of a text as the service writes them', async () => {
	const webhookId = randomUUID();
	const prompt = { prompt: '={{ $json.chatInput }}' };
	const trigger = chatTrigger(webhookId, { public: true, mode: 'hostedChat' });
	const workflow = inARow('Chat', trigger, generateContent(prompt, textCredentials));
	const { id } = await sandbox.api.createWorkflow(workflow);
	await sandbox.api.activate(id);
	sandbox.service.set({ plan: HELD });
	let wasHeld = false;
	const onWords = (words) => {
		if (wasHeld || words.length < HEARD.length) return;
		// The service has more to send, and sends it only after this.
		wasHeld = words !== SAYS;
		sandbox.service.release();
	};
	const response = await sendChat(sandbox.url, webhookId, 'Why is the sky blue?');
	const chunks = await listen(response, onWords);
	assert.equal(wordsOf(chunks), SAYS);
	assert.ok(wasHeld, 'words were heard only after the service had said all');
	assert.equal(chunks.at(-1).type, 'end');
});

describe("the editor's chat", { skip }, () => {
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

	test('shows words while the service still writes', async (t) => {
		const prompt = { prompt: '={{ $json.chatInput }}' };
		const text = generateContent(prompt, textCredentials);
		const { chat } = await openChat(t, inARow('Chat', chatTrigger(randomUUID()), text));
		sandbox.service.set({ plan: HELD });
		await chat.ask('Why is the sky blue?');
		await chat.hears(HEARD);
		sandbox.service.release();
		await chat.hears(SAYS);
	});

	test('shows the progress of a film, and a link that opens', async (t) => {
		const { editor, chat } = await openChat(t, chatScene(studio.credentials, { model: MODEL }));
		sandbox.service.set({ plan: HALF_DONE });
		await chat.ask('A paper boat on a rainy street');
		const link = await chat.seesLink(/^task_\w+\.mp4$/);
		t.diagnostic(`Picture: ${await editor.picture('chat-film')}`);
		assert.equal((await fetch(link)).status, 200);
		assert.match(await chat.messages.last().innerText(), /^\s*Submitted: task_\w+\s+Ready: /);
	});
});
