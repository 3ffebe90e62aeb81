import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { demoCredentials, putCredentials, openState } from '../../sandbox/demo/credentials.mjs';
import {
	prepareWorkflow,
	readExample,
	executeInProduction,
	putWorkflow,
} from '../../sandbox/demo/examples.mjs';
import { KEY, openSandbox } from './sandbox.mjs';
import { createStudio } from './workflows.mjs';

const { openVideo } = createRequire(import.meta.url)('../../sandbox/service/media');

const SCHEDULE = 'n8n-nodes-base.scheduleTrigger';
/** Long enough to publish a workflow on a busy machine. */
const SCHEDULED_IN_MS = 45_000;

/**
 * A change of an example in the one place that people change, too: its node of that name. `values`
 * are its fields, or all that it gives where it holds JSON.
 */
export const fillIn = (nodeName, values) => (example) => {
	const edited = example.nodes.find(({ name }) => name === nodeName);
	const parameters =
		edited.parameters.mode === 'raw'
			? { ...edited.parameters, jsonOutput: JSON.stringify(values) }
			: { ...edited.parameters, assignments: withValues(edited, values) };
	const replace = (node) => (node === edited ? { ...node, parameters } : node);
	return { ...example, nodes: example.nodes.map(replace) };
};

function withValues({ name, parameters }, values) {
	const { assignments } = parameters.assignments;
	const missing = Object.keys(values).filter((key) => !assignments.some((one) => one.name === key));
	if (missing.length > 0) throw new Error(`${name} has no field ${missing.join(', ')}`);
	const set = (one) => ({ ...one, value: values[one.name] ?? one.value });
	return { assignments: assignments.map(set) };
}

/** A schedule that comes once, soon. */
function onceSoon(example) {
	const at = new Date(Date.now() + SCHEDULED_IN_MS);
	const [month, day] = [at.getUTCMonth() + 1, at.getUTCDate()];
	const time = `${at.getUTCSeconds()} ${at.getUTCMinutes()} ${at.getUTCHours()}`;
	const expression = `${time} ${day} ${month} *`;
	const parameters = { rule: { interval: [{ field: 'cronExpression', expression }] } };
	return {
		...example,
		nodes: example.nodes.map((node) => (node.type === SCHEDULE ? { ...node, parameters } : node)),
		settings: { ...example.settings, timezone: 'UTC' },
	};
}

/** An example whose chat can be reached from outside. */
export function openToAll({ nodes, ...rest }, webhookId) {
	const open = ({ parameters, ...node }) => ({
		...node,
		webhookId,
		parameters: { ...parameters, public: true, mode: 'hostedChat' },
	});
	const isChat = ({ type }) => type.endsWith('.chatTrigger');
	return { ...rest, nodes: nodes.map((node) => (isChat(node) ? open(node) : node)) };
}

/** All examples order videos of this length; of a storyboard, the stand-in writes the shortest. */
export const SECONDS = 4;

/** The MP4 that the stand-in gives for `{ "video": name }`. */
export function rendered(name) {
	const { length, read } = openVideo(name, undefined, SECONDS);
	return Buffer.concat([...read(0, length)]);
}

/**
 * A sandbox in which examples run as people import them: `run` starts one as a production execution,
 * `runBySchedule` one whose schedule has come. `more` are credentials beside those of the service.
 */
export async function openExamples({ service, more = [], withinMs }) {
	const folder = await mkdtemp(path.join(tmpdir(), 'n8n-examples-'));
	const sandbox = await openSandbox({ service });
	const { api } = sandbox;
	const state = await openState(folder);
	const ours = demoCredentials({ baseUrl: sandbox.service.url, key: KEY });
	const credentials = await putCredentials(api, state, [...ours, ...more]);
	const studio = await createStudio(sandbox);

	async function run(fileName, change) {
		const workflow = await putWorkflow(api, state, fileName, { credentials, change });
		return await executeInProduction(api, workflow, fileName, withinMs);
	}

	async function runBySchedule(fileName, change) {
		const example = onceSoon(change(await readExample(fileName)));
		const { id } = await api.createWorkflow(prepareWorkflow(example, { credentials }));
		await api.activate(id);
		return await studio.ended(id, withinMs);
	}

	/** One that begins in a chat, with the chat open to everybody; gives the webhook of its page. */
	async function publishChat(fileName) {
		const webhookId = randomUUID();
		const example = openToAll(await readExample(fileName), webhookId);
		const { id } = await api.createWorkflow(prepareWorkflow(example, { credentials }));
		await api.activate(id);
		return webhookId;
	}

	async function bytesOf(binary) {
		const file = path.join(folder, 'binary');
		await api.saveBinary(binary, file);
		return await readFile(file);
	}

	const close = async () => {
		await sandbox.close();
		await rm(folder, { recursive: true, force: true });
	};
	return { sandbox, folder, run, runBySchedule, publishChat, bytesOf, close };
}
