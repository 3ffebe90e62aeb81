import { inARow, TEXT_MODEL } from './textWorkflows.mjs';
import { node } from './workflows.mjs';

const LANGCHAIN = '@n8n/n8n-nodes-langchain';
const MODEL_NAME = 'Google Gemini Chat Model';
const AGENT_NAME = 'AI Agent';

/** n8n's own Google Gemini Chat Model. */
const geminiModel = (credential) =>
	node(
		MODEL_NAME,
		`${LANGCHAIN}.lmChatGoogleGemini`,
		1.2,
		{ modelName: `models/${TEXT_MODEL}`, options: {} },
		{ credentials: { googlePalmApi: credential } },
	);

/** Trigger -> AI Agent with n8n's Google Gemini Chat Model; `tools` hang below the agent. */
export function agentWorkflow({ trigger, text, credential, tools = [] }) {
	const agent = node(AGENT_NAME, `${LANGCHAIN}.agent`, 3.1, {
		promptType: 'define',
		text,
		options: {},
	});
	const workflow = inARow('Agent', trigger, agent);
	workflow.nodes.push(geminiModel(credential), ...tools);
	const below = (type) => ({ [type]: [[{ node: AGENT_NAME, type, index: 0 }]] });
	workflow.connections[MODEL_NAME] = below('ai_languageModel');
	for (const { name } of tools) workflow.connections[name] = below('ai_tool');
	return workflow;
}
