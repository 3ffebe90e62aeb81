import { randomUUID } from 'node:crypto';
import { demoCredentials } from '../../sandbox/demo/credentials.mjs';
import { agentWorkflow } from './agent.mjs';
import { publish } from './agentRuns.mjs';
import { KEY } from './sandbox.mjs';
import { webhook } from './textWorkflows.mjs';
import { node } from './workflows.mjs';

const PACKAGE = 'n8n-nodes-video-generation';

/** What an agent fills in. */
export const fromAi = (key, description) => `={{ $fromAI('${key}', '${description}', 'string') }}`;

/** Turns of the sandbox's model: `told:task_id` is what a tool has told it, see its page. */
export const planCalls = (...calls) => `Make videos sandbox:${JSON.stringify({ calls })}`;
export const video = (prompt, args = {}) => ({ name: 'Video_Generate', args: { prompt, ...args } });
export const status = (task_id) => ({ name: 'Video_Status', args: { task_id } });

/** What tools have told the model, in order, as text. */
export const toldBy = ({ requests }) =>
	(requests.findLast(({ path }) => path.includes('enerateContent'))?.body.contents ?? []).flatMap(
		({ parts }) => parts.flatMap(({ functionResponse }) => functionResponse?.response.result ?? []),
	);

/** Agents with our nodes as their tools, in a sandbox. */
export async function createAgents({ api, service }) {
	const reference = async (credential) => {
		const { id } = await api.createCredential(credential);
		return { id, name: credential.name };
	};
	const credentials = {};
	for (const one of demoCredentials({ baseUrl: service.url, key: KEY })) {
		credentials[one.type] = await reference(one);
	}

	/** A node of ours as a tool; `rest` may name other credentials. */
	const tool = (name, parameters, rest = {}) => {
		const type = name.charAt(0).toLowerCase() + name.slice(1).replace(' ', '');
		return node(name, `${PACKAGE}.${type}Tool`, 1, parameters, { credentials, ...rest });
	};

	/** Asks an agent of its own; gives what its tools have told it, and the execution. */
	async function ask(prompt, ...tools) {
		const path = randomUUID();
		const workflow = agentWorkflow({
			trigger: webhook(path, 'lastNode'),
			text: '={{ $json.body.prompt }}',
			credential: credentials.googlePalmApi,
			tools,
		});
		const id = await publish(api, workflow);
		await api.callWebhook(path, { prompt });
		const told = toldBy(service).map((said) => JSON.parse(said));
		return { told, execution: await api.lastExecution(id) };
	}

	return { ask, tool, credentials };
}
