import { randomUUID } from 'node:crypto';
import { geminiCredential } from '../../e2e/support/agent.mjs';
import { generateContent, inARow, TEXT_MODEL, webhook } from '../../e2e/support/textWorkflows.mjs';
import { node } from '../../e2e/support/workflows.mjs';
import { demoCredentials } from '../../sandbox/demo/credentials.mjs';
import { hearChunks, hearEvents, hearWhole } from './firstWord.mjs';
import { KEY } from './service.mjs';

const PROMPT = '={{ $json.body.prompt }}';

const geminiMessage = (credentials) =>
	node(
		'Gemini',
		'@n8n/n8n-nodes-langchain.googleGemini',
		1.2,
		{
			resource: 'text',
			operation: 'message',
			modelId: { __rl: true, mode: 'id', value: `models/${TEXT_MODEL}` },
			messages: { values: [{ content: PROMPT, role: 'user' }] },
			options: {},
		},
		{ credentials },
	);

const wordsOf = ({ content }) => content.parts.map(({ text }) => text).join('');

/** Says one word as soon as n8n lets it, and asks nobody. */
const respondOneWord = () =>
	node('Respond to Webhook', 'n8n-nodes-base.respondToWebhook', 1.5, {
		respondWith: 'text',
		responseBody: 'Hello',
		options: { enableStreaming: true },
	});

const doNothing = () => node('Nothing', 'n8n-nodes-base.noOp', 1, {});

/**
 * The ways to one answer, each a function of the prompt: the service read `direct`ly, and `ours` and
 * `theirs` behind a webhook; beside them two workflows that ask nobody, `oneWord` and `empty`.
 */
export async function openWays({ api, service }) {
	const credentialOf = async (credential) => {
		const { id } = await api.createCredential(credential);
		return { [credential.type]: { id, name: credential.name } };
	};
	const publish = async (responseMode, one) => {
		const path = randomUUID();
		const workflow = inARow(one.name, webhook(path, responseMode), one);
		const { id } = await api.createWorkflow(workflow);
		await api.activate(id);
		return async (prompt) => await api.callWebhook(path, { prompt });
	};
	const [, textCredential] = demoCredentials({ baseUrl: service.url, key: KEY });
	const text = await credentialOf(textCredential);
	const gemini = await credentialOf(geminiCredential(service.url, KEY));

	const ours = await publish('streaming', generateContent({ prompt: PROMPT }, text));
	const theirs = await publish('lastNode', geminiMessage(gemini));
	const oneWord = await publish('streaming', respondOneWord());
	const empty = await publish('streaming', doNothing());
	const url = `${service.url}/v1beta/models/${TEXT_MODEL}:streamGenerateContent?alt=sse`;
	const direct = async (prompt) =>
		await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'x-goog-api-key': KEY },
			body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: prompt }] }] }),
		});
	return {
		direct: async (prompt) => await hearEvents(() => direct(prompt)),
		ours: async (prompt) => await hearChunks(() => ours(prompt)),
		theirs: async (prompt) => await hearWhole(() => theirs(prompt), wordsOf),
		oneWord: async (prompt) => await hearChunks(() => oneWord(prompt)),
		empty: async (prompt) => await hearChunks(() => empty(prompt)),
	};
}
