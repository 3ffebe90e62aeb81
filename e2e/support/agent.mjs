import { inARow } from './textWorkflows.mjs';
import { node } from './workflows.mjs';

const LANGCHAIN = '@n8n/n8n-nodes-langchain';
const MODEL_NAME = 'Google Gemini Chat Model';
const AGENT_NAME = 'AI Agent';

/** n8n's own credential for the native protocol, pointed at a service. */
export const geminiCredential = (host, apiKey) => ({
	name: 'Gemini at the service',
	type: 'googlePalmApi',
	data: { host, apiKey },
});

/** n8n's own Google Gemini Chat Model. */
const geminiModel = ({ id, name }, model) =>
	node(
		MODEL_NAME,
		`${LANGCHAIN}.lmChatGoogleGemini`,
		1.2,
		{ modelName: model, options: {} },
		{ credentials: { googlePalmApi: { id, name } } },
	);

/**
 * Trigger -> AI Agent with a model, n8n's Google Gemini Chat Model unless `chatModel` is another
 * one; `tools` hang below the agent.
 */
export function agentWorkflow({
	trigger,
	text,
	credential,
	model,
	chatModel = geminiModel(credential, model),
	agentVersion = 3.1,
	tools = [],
}) {
	const agent = node(AGENT_NAME, `${LANGCHAIN}.agent`, agentVersion, {
		promptType: 'define',
		text,
		options: {},
	});
	const workflow = inARow('Agent', trigger, agent);
	workflow.nodes.push(chatModel, ...tools);
	const below = (type) => ({ [type]: [[{ node: AGENT_NAME, type, index: 0 }]] });
	workflow.connections[chatModel.name] = below('ai_languageModel');
	for (const { name } of tools) workflow.connections[name] = below('ai_tool');
	return workflow;
}

/** An answer in which the model calls a tool. */
export const toolCall = (name, args) => ({
	status: 200,
	json: {
		candidates: [
			{
				content: { role: 'model', parts: [{ functionCall: { name, args } }] },
				finishReason: 'STOP',
				index: 0,
			},
		],
		usageMetadata: {},
	},
});
