import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, describe, test } from 'node:test';
import { publish, putTextCredential, sendChat } from './support/agentRuns.mjs';
import { listen, readChunks, wordsOf } from './support/chunks.mjs';
import { skipWithoutChromium as skip } from './support/debian.mjs';
import { openSandbox, KEY } from './support/sandbox.mjs';
import { chatTrigger, generateContent, inARow, webhook } from './support/textWorkflows.mjs';
import { CAPITALS, chatOfItems, promptsFor } from './support/threeItems.mjs';

const SAYS =
	'Sunlight is made of all colours. The air scatters blue light more than red, so blue light reaches your eyes from every side.';
/** Half of the pieces come at once, the others only when the test lets them. */
const HELD = { says: SAYS, chunks: 8, holdAfterChunks: 4 };
const BEFORE_HOLD = SAYS.slice(0, Math.ceil(SAYS.length / HELD.chunks) * HELD.holdAfterChunks);
const HEARD = BEFORE_HOLD.trimEnd();

let sandbox;
let credentials;

before(async () => {
	sandbox = await openSandbox();
	credentials = await putTextCredential(sandbox);
});
afterEach(() => sandbox.service.reset());
after(() => sandbox?.close());

/** Lets the service go on as soon as somebody has heard the words that came before the hold. */
function releaseOnceHeard() {
	const seen = { wasHeld: false };
	const onWords = (words) => {
		const [record] = sandbox.service.requests;
		if (seen.wasHeld || words.length < HEARD.length) return;
		// The service has more to send, and sends it only after this.
		seen.wasHeld = words !== SAYS;
		seen.sentBytes = record.sentBytes;
		sandbox.service.release();
	};
	return { seen, onWords };
}

const itemOf = (execution) =>
	execution.data.resultData.runData['Generate Content'][0].data.main[0][0].json;

function assertWhole(chunks) {
	assert.equal(wordsOf(chunks), SAYS);
	assert.deepEqual(
		[chunks[0].type, chunks.at(-1).type],
		['begin', 'end'],
		JSON.stringify(chunks.map(({ type }) => type)),
	);
	for (const { metadata } of chunks) assert.equal(metadata.nodeName, 'Generate Content');
}

describe('behind a Webhook in streaming mode', () => {
	const path = randomUUID();
	let workflowId;

	before(async () => {
		const prompt = { prompt: '={{ $json.body.prompt }}' };
		workflowId = await publish(
			sandbox.api,
			inARow('Streaming', webhook(path, 'streaming'), generateContent(prompt, credentials)),
		);
	});

	test('the words arrive as they come', async () => {
		sandbox.service.set({ plan: HELD });
		const { seen, onWords } = releaseOnceHeard();
		const response = await sandbox.api.callWebhook(path, { prompt: 'Why is the sky blue?' });
		const chunks = await listen(response, onWords);
		assertWhole(chunks);
		assert.ok(seen.wasHeld, 'words were heard only after the service had said all');
		assert.ok(sandbox.service.requests[0].sentBytes > seen.sentBytes);
		assert.equal(chunks.filter(({ type }) => type === 'item').length, HELD.chunks);
		const { text, finishReason } = itemOf(await sandbox.api.lastExecution(workflowId));
		assert.deepEqual([text, finishReason], [SAYS, 'STOP']);
		assert.match(sandbox.service.requests[0].url, /:streamGenerateContent\?alt=sse$/);
	});

	test('an answer that breaks off says so, and is asked for once', async () => {
		sandbox.service.set({ plan: { says: SAYS, chunks: 4, errorAfterChunks: 2 } });
		const response = await sandbox.api.callWebhook(path, { prompt: 'Break' });
		const chunks = await listen(response);
		const last = chunks.at(-1);
		assert.equal(last.type, 'error');
		assert.match(last.content, /overloaded.* The answer may have been billed/);
		assert.ok(last.content.includes(wordsOf(chunks).trimEnd()));
		assert.equal(sandbox.service.requests.length, 1);
		assert.ok(!JSON.stringify(chunks).includes(KEY));
		assert.equal((await sandbox.api.lastExecution(workflowId)).status, 'error');
	});

	test('who leaves does not cost the answer', async () => {
		sandbox.service.set({ plan: HELD });
		const leave = new AbortController();
		const response = await fetch(`${sandbox.url}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ prompt: 'Bye' }),
			signal: leave.signal,
		});
		for await (const { type } of readChunks(response)) if (type === 'item') break;
		leave.abort();
		sandbox.service.release();
		const execution = await sandbox.api.lastExecution(workflowId);
		assert.equal(execution.status, 'success');
		assert.equal(itemOf(execution).text, SAYS);
	});
});

test('behind a Webhook that answers with the last node the item comes whole', async () => {
	const path = randomUUID();
	const prompt = { prompt: '={{ $json.body.prompt }}' };
	await publish(
		sandbox.api,
		inARow('Whole', webhook(path, 'lastNode'), generateContent(prompt, credentials)),
	);
	const response = await sandbox.api.callWebhook(path, { prompt: 'Why?' });
	assert.match((await response.json()).text, /^You asked: "Why\?"/);
	assert.match(sandbox.service.requests[0].url, /:generateContent$/);
});

describe('behind a Chat Trigger in streaming mode', () => {
	const webhookId = randomUUID();

	before(async () => {
		const prompt = { prompt: '={{ $json.chatInput }}' };
		const trigger = chatTrigger(webhookId, { public: true, mode: 'hostedChat' });
		await publish(sandbox.api, inARow('Chat', trigger, generateContent(prompt, credentials)));
	});

	test('the page of the chat expects a stream', async () => {
		const page = await (await fetch(`${sandbox.url}/webhook/${webhookId}/chat`)).text();
		assert.match(page, /enableStreaming: true/);
	});

	test('the words arrive as they come', async () => {
		sandbox.service.set({ plan: HELD });
		const { seen, onWords } = releaseOnceHeard();
		const response = await sendChat(sandbox.url, webhookId, 'Why is the sky blue?');
		const chunks = await listen(response, onWords);
		assertWhole(chunks);
		assert.ok(seen.wasHeld, 'words were heard only after the service had said all');
	});
});

const chatShowsWords = async (t) => {
	const { openChatPanel } = await import('./support/chatPanel.mjs');
	const { openEditor } = await import('./support/editor.mjs');
	const prompt = { prompt: '={{ $json.chatInput }}' };
	const workflow = inARow('Chat', chatTrigger(randomUUID()), generateContent(prompt, credentials));
	const { id } = await sandbox.api.createWorkflow(workflow);
	const editor = await openEditor({ url: sandbox.url, owner: sandbox.owner });
	t.after(() => editor.close());
	await editor.page.setViewportSize({ width: 1280, height: 860 });
	await editor.openWorkflow(id);
	const chat = await openChatPanel(editor.page);
	sandbox.service.set({ plan: HELD });
	await chat.ask('Why is the sky blue?');
	await chat.hears(HEARD);
	// The canvas is a moment behind the chat.
	await editor.page.getByTestId('canvas-node-status-success').waitFor();
	t.diagnostic(`Picture: ${await editor.picture('chat-streaming')}`);
	sandbox.service.release();
	await chat.hears(SAYS);
};

const NO_CREDIT = /Nothing was generated: the account is out of credit/;
const refused = { text: { always: 'forbidden' } };
const CHATS = [
	['the first of three answers', [], {}, [CAPITALS[0]]],
	['that the first item failed', [refused], { onError: 'continueRegularOutput' }, [NO_CREDIT]],
	[
		'that an item was refused before anything was sent',
		undefined,
		{},
		[/^Error: Prompt is empty \[item 0\]\. Fill in Prompt\. /],
	],
];

const chatShowsItems = async (t) => {
	const { openChatPanel } = await import('./support/chatPanel.mjs');
	const { openEditor } = await import('./support/editor.mjs');
	const editor = await openEditor({ url: sandbox.url, owner: sandbox.owner });
	t.after(() => editor.close());
	await editor.page.setViewportSize({ width: 1280, height: 860 });
	for (const [name, plans, more, expected] of CHATS) {
		await t.test(name, async () => {
			const prompts = plans ? promptsFor(...plans) : [''];
			const workflow = chatOfItems(prompts, credentials, more);
			const { id } = await sandbox.api.createWorkflow(workflow);
			await editor.openWorkflow(id);
			const { ask, messages } = await openChatPanel(editor.page);
			await ask('Tell me about three capitals.');
			for (const text of expected) await messages.first().getByText(text).waitFor();
			await sandbox.api.lastExecution(id);
		});
	}
};

test("the editor's chat shows words while the service still writes", { skip }, chatShowsWords);
test("the editor's chat shows, of several items", { skip }, chatShowsItems);
