import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, before, describe, test } from 'node:test';
import { agentWorkflow, geminiCredential, toolCall } from '../support/agent.mjs';
import { publish, putTextCredential, sendChat } from '../support/agentRuns.mjs';
import { listen, wordsOf } from '../support/chunks.mjs';
import { KEY } from '../support/sandbox.mjs';
import { openShared } from '../support/shared.mjs';
import { chatTrigger, generateContent, TEXT_MODEL, webhook } from '../support/textWorkflows.mjs';
import { planned } from '../support/workflows.mjs';

// What docs/agents-and-chats.md says of n8n's own Google Gemini Chat Model at this service.

const SAYS = 'Sunlight is made of all colours, and the air scatters the blue ones most.';

let sandbox;
before(async () => (sandbox = await openShared()));
afterEach(() => sandbox.service.reset());

const answers = () => sandbox.service.requests.filter(({ method }) => method === 'POST');

async function makeCredential({ host = sandbox.service.url, apiKey = KEY } = {}) {
	return await sandbox.api.createCredential(geminiCredential(host, apiKey));
}

/** Asks an agent of its own; gives what a webhook answers, and the execution. */
async function askAgent(prompt, { access, model = `models/${TEXT_MODEL}`, tools } = {}) {
	const path = randomUUID();
	const id = await publish(
		sandbox.api,
		agentWorkflow({
			trigger: webhook(path, 'lastNode'),
			text: '={{ $json.body.prompt }}',
			credential: await makeCredential(access),
			model,
			tools,
		}),
	);
	const response = await sandbox.api.callWebhook(path, { prompt });
	return { answer: await response.json(), execution: await sandbox.api.lastExecution(id) };
}

describe('an AI Agent with the Google Gemini Chat Model', () => {
	test('answers through the service', async () => {
		const { answer } = await askAgent('Why is the sky blue?');
		assert.match(answer.output, /^You asked: "Why is the sky blue\?"/);
		const [{ path, key }] = answers();
		assert.deepEqual([path, key], [`/v1beta/models/${TEXT_MODEL}:generateContent`, 'header']);
	});

	test('keeps thoughts out of its answer', async () => {
		const { answer } = await askAgent(planned('Hi', { thoughts: 'A secret', says: SAYS }));
		assert.deepEqual(answer, { output: SAYS });
	});

	test('uses Generate Content as a tool, and hears text and reason only', async () => {
		const prompt = "={{ $fromAI('prompt', 'What to ask', 'string') }}";
		const own = generateContent({ prompt }, await putTextCredential(sandbox));
		const tool = { ...own, type: `${own.type}Tool` };
		const call = toolCall('Generate_Content', { prompt: 'Name a colour' });
		const { execution } = await askAgent(planned('Use it', { text: [call] }), { tools: [tool] });
		assert.equal(execution.status, 'success');
		const [, asked, told] = answers();
		assert.deepEqual(asked.body.contents, [{ role: 'user', parts: [{ text: 'Name a colour' }] }]);
		const { functionResponse } = told.body.contents.at(-1).parts[0];
		assert.deepEqual(JSON.parse(functionResponse.response.result), [
			{
				text: 'You asked: "Name a colour". The sandbox answers instead of a real model.',
				finishReason: 'STOP',
			},
		]);
	});
});

describe('in a chat that streams', () => {
	/** Sends a message to a chat of its own; gives its chunks. */
	async function chat(message, onWords = () => {}) {
		const webhookId = randomUUID();
		await publish(
			sandbox.api,
			agentWorkflow({
				trigger: chatTrigger(webhookId, { public: true, mode: 'hostedChat' }),
				text: '={{ $json.chatInput }}',
				credential: await makeCredential(),
				model: `models/${TEXT_MODEL}`,
			}),
		);
		return await listen(await sendChat(sandbox.url, webhookId, message), onWords);
	}

	test('its words arrive as they come', async () => {
		const plan = { says: SAYS, chunks: 4, holdAfterChunks: 2 };
		// The service goes on only once the first words were heard.
		const chunks = await chat(planned('Why?', plan), () => sandbox.service.release());
		assert.equal(wordsOf(chunks), SAYS);
		assert.match(answers()[0].url, /:streamGenerateContent\?alt=sse$/);
	});

	test('limit: an answer that breaks off passes as a whole one', async () => {
		const chunks = await chat(planned('Why?', { says: SAYS, chunks: 4, errorAfterChunks: 2 }));
		assert.equal(chunks.at(-1).type, 'end');
		assert.ok(wordsOf(chunks).length < SAYS.length);
	});
});

describe('limits', () => {
	test('a busy service ends the agent: nothing is asked again', async () => {
		const { execution } = await askAgent(planned('Hi', { text: ['rateLimited'] }));
		assert.equal(execution.status, 'error');
		assert.equal(answers().length, 1);
	});

	test('the key follows a redirect to another host', async () => {
		await askAgent(planned('Hi', { text: [{ redirect: 307, to: 'foreign' }] }));
		const [elsewhere] = sandbox.service.requests.filter(({ origin }) => origin === 'foreign');
		assert.equal(elsewhere.headers['x-goog-api-key'], KEY);
	});
});
