import { randomUUID } from 'node:crypto';
import { itemsOf, PATIENCE_MS } from '../../sandbox/n8n/api.mjs';
import { KEY } from './sandbox.mjs';

const byId = (value) => ({ __rl: true, mode: 'id', value });
/** The first look at a Veo task comes only after half a minute. */
export const MODEL = byId('dreamina-seedance-2-0-fast');
const ASK_EVERY_MS = 500;
const ENDED = new Set(['success', 'error', 'canceled', 'crashed']);

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs a saved workflow as the editor does, with what its nodes are pinned to. */
export async function runByHand(api, { id, nodes }) {
	const { name } = nodes.find(({ type }) => type.endsWith('Trigger'));
	const place = `/workflows/${id}/run`;
	const { executionId } = await api.rest('POST', place, { triggerToStartFrom: { name } });
	return await api.waitForExecution(executionId);
}

/** A prompt that carries its plan for the sandbox, see docs/dev/sandbox.md. */
export const planned = (prompt, plan) => `${prompt} sandbox:${JSON.stringify(plan)}`;

/** Prompts of four renders of up to a minute, whose first check is still under way when n8n is killed. */
export const rendersOf = (order) =>
	[5_000, 20_000, 40_000, 60_000].map((renderMs, i) =>
		planned(`video ${order}.${i}`, { renderMs, poll: ['hang'] }),
	);

/** A poll that finds so much of a render done, however late it comes. */
export const rendering = (percent) => ({
	status: 200,
	json: { code: 'success', data: { status: 'IN_PROGRESS', progress: `${percent}%` } },
});

/** Asks until there is an answer; `what` says what was waited for in vain. */
export async function until(found, what) {
	const deadline = Date.now() + PATIENCE_MS;
	for (;;) {
		const value = await found();
		if (value) return value;
		if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}`);
		await pause(ASK_EVERY_MS);
	}
}

/** An api whose calls go to the one that is current when they are made. */
const lazily = (current) =>
	new Proxy(
		{},
		{
			get:
				(_target, name) =>
				(...args) =>
					current()[name](...args),
		},
	);

let nextColumn = 0;

/** A node as n8n saves it; nodes stand in a row in the order in which they are made. */
export const node = (name, type, typeVersion, parameters = {}, rest = {}) => ({
	id: randomUUID(),
	name,
	type,
	typeVersion,
	position: [(nextColumn++ % 8) * 220, 0],
	parameters,
	...rest,
});

/** Connections of a chain of nodes, each by its first output. */
export const chain = (...names) =>
	Object.fromEntries(names.slice(0, -1).map((name, i) => [name, { main: [[to(names[i + 1])]] }]));

export const to = (name) => ({ node: name, type: 'main', index: 0 });

export const webhook = (parameters = {}) => {
	const path = randomUUID();
	return node(
		'Webhook',
		'n8n-nodes-base.webhook',
		2,
		{ path, httpMethod: 'POST', responseMode: 'onReceived', ...parameters },
		{ webhookId: path },
	);
};

export const items = (rows, name = 'Prompts') =>
	node(name, 'n8n-nodes-base.code', 2, {
		jsCode: `return ${JSON.stringify(rows.map((json) => ({ json })))};`,
	});

export const videoGenerate = (credentials, parameters = {}, rest = {}) =>
	node(
		'Video Generate',
		'n8n-nodes-video-generation.videoGenerate',
		1,
		{ model: MODEL, prompt: '={{ $json.prompt }}', downloadVideo: false, ...parameters },
		{ credentials, ...rest },
	);

/**
 * What tests ask of a sandbox: credentials, published workflows, executions by workflow. `api` is
 * asked for anew each time: n8n may have been started again. `access` are further fields of the
 * credential.
 */
export async function createStudio({ service, api: given, key = KEY, access = {} }) {
	const api = typeof given === 'function' ? lazily(given) : given;
	const data = { baseUrl: service.url, apiKey: key, ...access };
	const { id } = await api.createCredential({ name: 'Video', type: 'videoGenerationApi', data });
	const credentials = { videoGenerationApi: { id, name: 'Video' } };

	/** Saves and publishes; returns the workflow's id and the path of its webhook. */
	async function publish(name, nodes, connections, settings = {}) {
		const workflow = { name, nodes, connections, settings: { executionOrder: 'v1', ...settings } };
		const { id: workflowId } = await api.createWorkflow(workflow);
		await api.activate(workflowId);
		return { id: workflowId, path: nodes.find(({ name }) => name === 'Webhook')?.parameters.path };
	}

	/** All executions of a workflow, sub-executions too, oldest first. */
	const executionsOf = async (workflowId) => (await api.executionsOf(workflowId)).toReversed();

	const callers = async (workflowId) => (await api.callersOf(workflowId)).toReversed();

	/** The newest execution of a workflow that is no sub-execution, once it has ended. */
	async function ended(workflowId) {
		const isOver = async () => {
			const [newest] = await api.callersOf(workflowId);
			return ENDED.has(newest?.status) && newest;
		};
		const { id: executionId } = await until(isOver, `workflow ${workflowId} to end`);
		return await api.execution(executionId);
	}

	/** The execution once it sleeps in the database. */
	const asleep = async (workflowId) =>
		await until(
			async () => (await callers(workflowId)).findLast(({ status }) => status === 'waiting'),
			`workflow ${workflowId} to sleep`,
		);

	return { credentials, credentialId: id, publish, executionsOf, callers, ended, asleep, itemsOf };
}
