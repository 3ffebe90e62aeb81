import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
	demoCredentials,
	openState,
	putCredentials,
	standInCredential,
} from '../../sandbox/demo/credentials.mjs';
import {
	EXAMPLE_SERVICES,
	prepareWorkflow,
	readExample,
	executeInProduction,
	putWorkflow,
} from '../../sandbox/demo/examples.mjs';
import { sendChat } from './texts.mjs';
import { listen } from './chunks.mjs';
import { KEY, openSandbox } from './sandbox.mjs';
import { createStudio } from './workflows.mjs';

const require = createRequire(import.meta.url);
const { openVideo } = require('../../sandbox/service/media');

const CHAT = '@n8n/n8n-nodes-langchain.chatTrigger';

/** Another example, with these nodes changed: `by` has a function of the node by its name or type. */
const changeNodes = (by) => (example) => ({
	...example,
	nodes: example.nodes.map((node) => (by[node.name] ?? by[node.type])?.(node) ?? node),
});

/** A change in the one place that people change, too: the fields of the Set node of that name. */
export const fillIn = (nodeName, values) =>
	changeNodes({
		[nodeName]: ({ parameters, ...node }) => {
			const { assignments } = parameters.assignments;
			const missing = Object.keys(values).filter(
				(key) => !assignments.some((one) => one.name === key),
			);
			if (missing.length > 0) throw new Error(`${nodeName} has no field ${missing.join(', ')}`);
			return { ...node, parameters: toFields({ ...valuesOf(assignments), ...values }) };
		},
	});

const valuesOf = (assignments) =>
	Object.fromEntries(assignments.map(({ name, value }) => [name, value]));

/** The parameters of a Set node with these fields. */
const toFields = (values) => {
	const typeOf = (value) => (Array.isArray(value) ? 'array' : typeof value);
	const assignments = Object.entries(values).map(([name, value]) => ({
		...{ id: name, name, type: typeOf(value) },
		value: Array.isArray(value) ? JSON.stringify(value) : value,
	}));
	return { assignments: { assignments }, options: {} };
};

/** A chat that can be reached from outside. */
const openToAll = changeNodes({
	[CHAT]: ({ parameters, ...node }) => ({
		...node,
		parameters: { ...parameters, public: true, mode: 'hostedChat' },
	}),
});

/** Fills in the form that an execution waits for, as a person does; resolves to the page's HTML. */
export async function answerForm({ data }, answer) {
	const runs = Object.values(data.resultData.runData).flat();
	const { resumeFormUrl } = runs.find(({ metadata }) => metadata?.resumeFormUrl).metadata;
	const page = await (await fetch(resumeFormUrl)).text();
	const body = new FormData();
	for (const [field, value] of Object.entries(answer)) body.set(field, value);
	const { ok, status } = await fetch(resumeFormUrl, { method: 'POST', body });
	if (!ok) throw new Error(`The form answered ${status}`);
	return page;
}

/** The MP4 that the stand-in gives for `{ "video": name }`. */
export function rendered(name, seconds) {
	const { length, read } = openVideo(name, undefined, seconds);
	return Buffer.concat([...read(0, length)]);
}

/** A stand-in for each service for whose key alone examples are made, by its name. */
async function openServices() {
	const { createSandbox } = require('../../sandbox/service');
	const open = async (profile) =>
		await createSandbox({ port: 0, key: KEY, renderMs: 500, profile, foreignHost: '127.0.0.1' });
	const services = await Promise.all(EXAMPLE_SERVICES.map(open));
	return Object.fromEntries(EXAMPLE_SERVICES.map((name, i) => [name, services[i]]));
}

/**
 * A sandbox in which examples run as people import them: `run` starts one as a production execution.
 */
export async function openExamples() {
	const folder = await mkdtemp(path.join(tmpdir(), 'n8n-examples-'));
	const sandbox = await openSandbox();
	const { api } = sandbox;
	const services = await openServices();
	const state = await openState(folder);
	const ours = [
		...demoCredentials({ baseUrl: sandbox.service.url, key: KEY }),
		...EXAMPLE_SERVICES.map((name) =>
			standInCredential(name, { url: services[name].url, key: KEY }),
		),
	];
	const credentials = await putCredentials(api, state, ours);
	const studio = await createStudio(sandbox);

	async function run(fileName, change) {
		const workflow = await putWorkflow(api, state, fileName, { credentials, change });
		return await executeInProduction(api, workflow, fileName);
	}

	/** Runs one, however it ends; `answer` goes into the form that it asks in. */
	async function runToTheEnd(fileName, { answer, ...settings } = {}) {
		const workflow = await putWorkflow(api, state, fileName, { credentials, ...settings });
		await api.callWebhook(workflow.webhookPath);
		if (answer === undefined) return { execution: await studio.ended(workflow.id) };
		const asleep = await api.execution((await studio.asleep(workflow.id)).id);
		const form = await answerForm(asleep, answer);
		return { form, execution: await api.waitForExecution(asleep.id) };
	}

	/** Retry execution; resolves to the new one once it has ended. */
	async function retry({ id }) {
		const { workflowId } = await api.execution(id);
		await api.rest('POST', `/executions/${id}/retry`, { loadWorkflow: false });
		return await studio.ended(workflowId);
	}

	/** Puts one in whose trigger is its own; gives the workflow, whose triggers are live. */
	async function publish(fileName, change = (example) => example) {
		const example = change(await readExample(fileName));
		const workflow = await api.createWorkflow(prepareWorkflow(example, { credentials }));
		await api.activate(workflow.id);
		return workflow;
	}

	async function openChat(fileName) {
		const { nodes } = await publish(fileName, openToAll);
		const { webhookId } = nodes.find(({ type }) => type === CHAT);
		return async (text, sessionId) =>
			await listen(await sendChat(sandbox.url, webhookId, text, sessionId));
	}
	const chat = async (fileName, text) => await (await openChat(fileName))(text);

	async function bytesOf(binary) {
		const file = path.join(folder, 'binary');
		await api.saveBinary(binary, file);
		return await readFile(file);
	}

	const close = async () => {
		await sandbox.close();
		await Promise.all(Object.values(services).map((service) => service.close()));
		await rm(folder, { recursive: true, force: true });
	};
	return {
		...{ sandbox, services, credentials, studio, folder, run, runToTheEnd, retry },
		...{ openChat, chat, bytesOf, close },
	};
}
