import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, before, describe, test } from 'node:test';
import { agentWorkflow } from '../support/agent.mjs';
import { publish, putTextCredential, sendChat } from '../support/agentRuns.mjs';
import { listen, wordsOf } from '../support/chunks.mjs';
import { KEY } from '../support/sandbox.mjs';
import { openShared } from '../support/shared.mjs';
import {
	chatTrigger,
	generateContent,
	chatModel,
	TEXT_MODEL,
	webhook,
} from '../support/textWorkflows.mjs';
import { planned } from '../support/workflows.mjs';

// What docs/agents-and-chats.md says of Gemini-Compatible Chat Model below n8n's AI Agent.

const SAYS = 'Sunlight is made of all colours, and the air scatters the blue ones most.';

let sandbox;
let credentials;
before(async () => {
	sandbox = await openShared();
	credentials = await putTextCredential(sandbox);
});
afterEach(() => sandbox.service.reset());

const answers = () => sandbox.service.requests.filter(({ method }) => method === 'POST');

const newAgent = (trigger, text, tools) =>
	agentWorkflow({ trigger, text, chatModel: chatModel({}, credentials), tools });

/** Asks an agent of its own; gives what a webhook answers, and the execution. */
async function askAgent(prompt, tools) {
	const path = randomUUID();
	const text = '={{ $json.body.prompt }}';
	const id = await publish(sandbox.api, newAgent(webhook(path, 'lastNode'), text, tools));
	const response = await sandbox.api.callWebhook(path, { prompt });
	return { answer: await response.json(), execution: await sandbox.api.lastExecution(id) };
}

/** Sends a message to a streaming chat of its own; gives its chunks. */
async function chat(message, { onWords = () => {}, tools } = {}) {
	const webhookId = randomUUID();
	const trigger = chatTrigger(webhookId, { public: true, mode: 'hostedChat' });
	await publish(sandbox.api, newAgent(trigger, '={{ $json.chatInput }}', tools));
	return await listen(await sendChat(sandbox.url, webhookId, message), onWords);
}

/** A tool that asks the service itself, and the parts in which a model calls it twice. */
function colours() {
	const prompt = "={{ $fromAI('prompt', 'What to ask', 'string') }}";
	const own = generateContent({ prompt }, credentials);
	const call = (words) => ({ functionCall: { name: 'Generate_Content', args: { prompt: words } } });
	return {
		tools: [{ ...own, type: `${own.type}Tool` }],
		parts: [{ ...call('Name a colour'), thoughtSignature: 'c2lnbmVk' }, call('Another one')],
	};
}

const withParts = (parts) => ({
	status: 200,
	json: {
		candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
		usageMetadata: {},
	},
});

/** The last question has both calls in one turn, with the signature, and both results behind it. */
function assertTold(parts) {
	const [first, ...rest] = answers();
	const [{ name, parameters }] = first.body.tools[0].functionDeclarations;
	assert.deepEqual([name, Object.keys(parameters.properties)], ['Generate_Content', ['prompt']]);
	const [calls, results, ...more] = rest.at(-1).body.contents.slice(1);
	assert.deepEqual([calls, more], [{ role: 'model', parts }, []]);
	const told = results.parts.map(({ functionResponse }) => functionResponse);
	assert.deepEqual(
		told.map((one) => [one.name, JSON.parse(one.response.result)[0].finishReason]),
		[
			['Generate_Content', 'STOP'],
			['Generate_Content', 'STOP'],
		],
	);
}

describe('an AI Agent with Gemini-Compatible Chat Model', () => {
	test('answers through the service, by the native credential', async () => {
		const { answer } = await askAgent(planned('Why?', { says: SAYS, thoughts: 'A secret' }));
		assert.deepEqual(answer, { output: SAYS });
		const [{ path, key }] = answers();
		assert.deepEqual([path, key], [`/v1beta/models/${TEXT_MODEL}:generateContent`, 'header']);
	});

	test('calls tools, and gives the service its signature back', async () => {
		const { tools, parts } = colours();
		const { answer, execution } = await askAgent(
			planned('Use it', { text: [withParts(parts)], says: SAYS }),
			tools,
		);
		assert.equal(execution.status, 'success');
		assert.deepEqual(answer, { output: SAYS });
		assertTold(parts);
	});

	test('what was asked and what it took stand in the log of the model', async () => {
		const { execution } = await askAgent(planned('Why?', { says: SAYS }));
		const [run] = execution.data.resultData.runData['Gemini-Compatible Chat Model'];
		const [[{ json }]] = run.data.ai_languageModel;
		assert.equal(json.response.generations[0][0].text, SAYS);
		assert.ok(json.tokenUsage.totalTokens > 0);
		assert.ok(!JSON.stringify(execution).includes(KEY));
	});

	test('a busy service is asked again', async () => {
		const { answer } = await askAgent(planned('Why?', { text: ['rateLimited'], says: SAYS }));
		assert.deepEqual(answer, { output: SAYS });
		assert.equal(answers().length, 2);
	});

	for (const [what, plan, words] of [
		['the filter stopped it', { finishReason: 'SAFETY', noParts: true }, /safety filter/],
		['nobody knows what came of it', { text: ['reset'] }, /No complete answer/],
	]) {
		test(`${what}: the execution says why, and asks once`, async () => {
			const { execution } = await askAgent(planned('Why?', plan));
			assert.equal(execution.status, 'error');
			assert.match(execution.data.resultData.error.message, words);
			assert.equal(answers().length, 1);
		});
	}

	test('the key does not follow a redirect', async () => {
		const plan = { text: [{ redirect: 307, to: 'foreign' }] };
		const { execution } = await askAgent(planned('Why?', plan));
		assert.equal(execution.status, 'error');
		assert.match(execution.data.resultData.error.message, /redirects to/);
		assert.equal(sandbox.service.requests.filter(({ origin }) => origin === 'foreign').length, 0);
	});
});

describe('in a chat that streams', () => {
	const held = { holdAfterChunks: 2 };
	// A list is JSON only once it has come to its end.
	for (const form of [held, { ...held, keepAlive: true }, { streamForm: 'array' }]) {
		test(`its words arrive ${JSON.stringify(form)}`, async () => {
			const plan = { says: SAYS, chunks: 4, ...form };
			// The service goes on only once the first words were heard.
			const onWords = () => sandbox.service.release();
			const chunks = await chat(planned('Why?', plan), { onWords });
			assert.equal(wordsOf(chunks), SAYS);
			assert.match(answers()[0].url, /:streamGenerateContent\?alt=sse$/);
		});
	}

	test('it calls tools, too', async () => {
		const { tools, parts } = colours();
		const chunks = await chat(planned('Use it', { text: [withParts(parts)], says: SAYS }), {
			tools,
		});
		assert.equal(wordsOf(chunks), SAYS);
		assertTold(parts);
	});

	test('an answer that breaks off is an error', async () => {
		const chunks = await chat(planned('Why?', { says: SAYS, chunks: 4, errorAfterChunks: 2 }));
		assert.equal(chunks.at(-1).type, 'error');
		assert.ok(wordsOf(chunks).length < SAYS.length);
	});
});
