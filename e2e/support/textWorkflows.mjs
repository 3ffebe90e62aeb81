import { chain, node } from './workflows.mjs';

const PACKAGE = 'n8n-nodes-video-generation';

export const TEXT_MODEL = 'gemini-2.5-flash';

/** Nodes in a row, each connected to the next one. */
export const inARow = (name, ...nodes) => ({
	name,
	nodes: nodes.map((one, i) => ({ ...one, position: [i * 260, 0] })),
	connections: chain(...nodes.map((one) => one.name)),
	settings: { executionOrder: 'v1' },
});

export const webhook = (path, responseMode) =>
	node(
		'Webhook',
		'n8n-nodes-base.webhook',
		2.1,
		{ httpMethod: 'POST', path, responseMode, options: {} },
		{ webhookId: path },
	);

export const chatTrigger = (webhookId, parameters = {}) =>
	node(
		'When chat message received',
		'@n8n/n8n-nodes-langchain.chatTrigger',
		1.4,
		{ options: { responseMode: 'streaming' }, ...parameters },
		{ webhookId },
	);

export const generateContent = (parameters, credentials) =>
	node(
		'Generate Content',
		`${PACKAGE}.generateContent`,
		1,
		{ model: { __rl: true, mode: 'id', value: TEXT_MODEL }, ...parameters },
		{ credentials },
	);
