import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, before, describe, test } from 'node:test';
import { agentWorkflow } from '../support/agent.mjs';
import { publish, sendChat } from '../support/agentRuns.mjs';
import { createAgents, fromAi, video } from '../support/agentTools.mjs';
import { listen, wordsOf } from '../support/chunks.mjs';
import { KEY } from '../support/sandbox.mjs';
import { openShared } from '../support/shared.mjs';
import { chatTrigger, TEXT_MODEL } from '../support/textWorkflows.mjs';
import { planned } from '../support/workflows.mjs';

// What docs/agents-and-chats.md says of n8n's own Google Gemini Chat Model at this service.

const SAYS = 'Sunlight is made of all colours, and the air scatters the blue ones most.';

let sandbox;
let agents;
before(async () => {
	sandbox = await openShared();
	agents = await createAgents(sandbox);
});
afterEach(() => sandbox.service.reset());

const answers = () =>
	sandbox.service.requests.filter(({ path }) => path.includes('enerateContent'));

describe('the Google Gemini Chat Model of an agent', () => {
	test('has a credential that takes the base URL, without /v1beta, and the key', async () => {
		const { url } = sandbox.service;
		const check = async (host, apiKey = KEY) => {
			const data = { host, apiKey };
			return (await sandbox.api.testCredential({ type: 'googlePalmApi', data })).status;
		};
		assert.equal(await check(url), 'OK');
		assert.equal(await check(`${url}/v1beta`), 'Error');
		assert.equal(await check(url, 'a-wrong-key-77aa'), 'Error');
	});

	test('lists the models in version 1.1, and in 1.2 none that no methods are said of', async () => {
		const list = async (version) =>
			await sandbox.api.rest('POST', '/dynamic-node-parameters/options', {
				nodeTypeAndVersion: { name: '@n8n/n8n-nodes-langchain.lmChatGoogleGemini', version },
				...{ path: 'parameters.modelName', currentNodeParameters: {} },
				loadOptions: { routing: { request: { method: 'GET', url: '/v1beta/models' } } },
				credentials: { googlePalmApi: agents.credentials.googlePalmApi },
			});
		const [all, none] = [await list(1.1), await list(1.2)];
		assert.ok(all.some(({ value }) => value === `models/${TEXT_MODEL}`));
		assert.deepEqual(none, []);
	});

	test('orders videos, and gives the service its signature back', async () => {
		const model = { __rl: true, mode: 'id', value: 'veo-3.1-fast-generate-001' };
		const tool = agents.tool('Video Generate', { model, prompt: fromAi('prompt', 'What to show') });
		const plan = { calls: [[video('A boat'), video('A tree')], [video('A hill')]], signed: true };
		const { told, execution } = await agents.ask(planned('Make them', plan), tool);
		assert.equal(execution.status, 'success');
		const states = told.map(([{ status }]) => status);
		assert.deepEqual(states, Array(3).fill('SUCCESS'));
		assert.equal(sandbox.service.submissions().length, 3);
		const [{ path, key }] = answers();
		assert.deepEqual([path, key], [`/v1beta/models/${TEXT_MODEL}:generateContent`, 'header']);
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
				credential: agents.credentials.googlePalmApi,
			}),
		);
		return await listen(await sendChat(sandbox.url, webhookId, message), onWords);
	}

	test('its words arrive as they come, without thoughts', async () => {
		const plan = { says: SAYS, thoughts: 'A secret', chunks: 4, holdAfterChunks: 2 };
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
		const { execution } = await agents.ask(planned('Hi', { text: ['rateLimited'] }));
		assert.equal(execution.status, 'error');
		assert.equal(answers().length, 1);
	});

	test('the key follows a redirect to another host', async () => {
		await agents.ask(planned('Hi', { text: [{ redirect: 307, to: 'foreign' }] }));
		const [elsewhere] = sandbox.service.requests.filter(({ origin }) => origin === 'foreign');
		assert.equal(elsewhere.headers['x-goog-api-key'], KEY);
	});
});
