import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PATIENCE_MS } from '../n8n/api.mjs';
import { ROOT, shortHash } from '../n8n/folders.mjs';
import { Refusal } from '../n8n/report.mjs';

const MANUAL = 'n8n-nodes-base.manualTrigger';
const PACKAGE = 'n8n-nodes-video-generation';
const GEMINI = '@n8n/n8n-nodes-langchain.lmChatGoogleGemini';
const CREDENTIAL_OF = {
	[`${PACKAGE}.videoGenerate`]: 'videoGenerationApi',
	[`${PACKAGE}.videoStatus`]: 'videoGenerationApi',
	[`${PACKAGE}.videoDownload`]: 'videoGenerationApi',
	[`${PACKAGE}.generateContent`]: 'geminiCompatibleApi',
	[GEMINI]: 'googlePalmApi',
	'n8n-nodes-base.formTrigger': 'httpBasicAuth',
	'n8n-nodes-base.gmail': 'gmailOAuth2',
	'n8n-nodes-base.googleDrive': 'googleDriveOAuth2Api',
	'n8n-nodes-base.googleSheets': 'googleSheetsOAuth2Api',
	'n8n-nodes-base.httpRequest': 'httpHeaderAuth',
	'n8n-nodes-base.s3': 's3',
	'n8n-nodes-base.telegram': 'telegramApi',
	'n8n-nodes-base.telegramTrigger': 'telegramApi',
	'n8n-nodes-base.youTube': 'youTubeOAuth2Api',
};
const WEBHOOK_NAME = 'Started by the Demo';
/** Examples whose models are those of one service, by the names of their workflows. */
const SERVICE_OF = {
	'A Product Photo to a UGC Ad': 'fal',
	'A Story to a Narrated Film': 'kie',
};

/** The services whose stand-ins some examples need. */
export const EXAMPLE_SERVICES = [...new Set(Object.values(SERVICE_OF))];

/** A workflow of `examples/`, as people import it. */
export async function readExample(fileName) {
	return JSON.parse(await readFile(path.join(ROOT, 'examples', fileName), 'utf8'));
}

/** The names of all examples. */
export const exampleNames = async () =>
	(await readdir(path.join(ROOT, 'examples'))).filter((name) => name.endsWith('.json')).sort();

/**
 * The example as a workflow of this n8n: its ids, credentials by node type or by the one service that it is
 * made for, models of one's own.
 */
export function prepareWorkflow(example, { credentials, models = {} }) {
	const service = SERVICE_OF[example.name];
	const nodes = example.nodes.map((node) => {
		// Below an agent a node has a type of its own.
		const nodeType = node.type.replace(/Tool$/, '');
		const type = CREDENTIAL_OF[nodeType];
		const isOfService = service !== undefined && type === 'videoGenerationApi';
		const credential = (isOfService && credentials[service]) || credentials[type];
		const value = isOfService ? undefined : models[nodeType];
		const model =
			nodeType === GEMINI
				? { modelName: `models/${value}` }
				: { model: { __rl: true, mode: 'id', value } };
		return {
			webhookId: randomUUID(),
			...node,
			id: randomUUID(),
			...(credential && { credentials: { [type]: credential } }),
			...(value && { parameters: { ...node.parameters, ...model } }),
		};
	});
	return { ...example, nodes };
}

/**
 * The same with a Webhook in the place of the Manual Trigger, because only a trigger that n8n itself
 * listens to makes a production execution. It answers at once. It is a workflow of its own: beside a
 * webhook the editor would not offer the Manual Trigger first.
 */
function prepareProduction({ name, nodes, connections, ...rest }, webhookPath) {
	const manual = nodes.find((node) => node.type === MANUAL);
	const webhook = {
		id: randomUUID(),
		name: WEBHOOK_NAME,
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		position: manual.position,
		webhookId: webhookPath,
		parameters: { httpMethod: 'POST', path: webhookPath, responseMode: 'onReceived' },
	};
	const { [manual.name]: fromTrigger, ...others } = connections;
	return {
		...rest,
		name: `${name} (run by the demo)`,
		nodes: nodes.map((node) => (node === manual ? webhook : node)),
		connections: { ...others, [WEBHOOK_NAME]: fromTrigger },
	};
}

/**
 * Imports the example for a person, or finds the one imported before. It is imported anew only if
 * the example (or the models asked for, or a credential that it uses) changed, so that what a person
 * edits in the demo's n8n stays.
 * With `webhookPath`, the demo's own copy is put beside it. `change` makes another example of it.
 * With `workflow`, that is put in, and `fileName` is what it is known by.
 */
export async function putExample(api, state, fileName, options) {
	const { webhookPath, change, workflow, ...settings } = options;
	const imported = workflow ?? (await readExample(fileName));
	const example = change ? change(imported) : imported;
	const { nodes } = prepareWorkflow(example, settings);
	const used = nodes.flatMap(({ credentials }) =>
		Object.values(credentials ?? {}).map(({ id }) => id),
	);
	const hash = shortHash(JSON.stringify([example, settings.models, used]));
	const known = state.get(fileName);
	const put = (id, prepare) => putVersion(api, id, known?.hash === hash, prepare);
	const prepare = () => prepareWorkflow(example, settings);
	const copies = { hash, exampleId: await put(known?.exampleId, prepare) };
	if (webhookPath) {
		copies.webhookPath = webhookPath;
		copies.id = await put(known?.id, () => prepareProduction(prepare(), webhookPath));
	}
	await state.set(fileName, copies);
	return copies;
}

/** The same with the demo's own copy, live; resolves to `{ id, webhookPath }` of that one. */
export async function putWorkflow(api, state, fileName, settings) {
	// Not guessable: on a real service whoever can call it spends money.
	const webhookPath = state.get(fileName)?.webhookPath ?? randomUUID();
	const { id } = await putExample(api, state, fileName, { ...settings, webhookPath });
	await api.activate(id);
	return { id, webhookPath };
}

async function putVersion(api, id, isCurrent, prepare) {
	const find = () =>
		api.getWorkflow(id).catch((error) => {
			if (error.status !== 404) throw error;
		});
	const current = id && (await find());
	if (!current || current.isArchived) return (await api.createWorkflow(prepare())).id;
	if (!isCurrent) await api.updateWorkflow(id, prepare());
	return id;
}

const ASK_EVERY_MS = 100;

/** Starts a production execution and returns it when it is over; refuses one that failed. */
export async function executeInProduction(api, workflow, name, withinMs = PATIENCE_MS) {
	const { id, webhookPath } = workflow;
	const [earlier] = await api.callersOf(id);
	const response = await api.callWebhook(webhookPath);
	const text = await response.text();
	if (!response.ok) {
		throw new Refusal(`n8n did not start "${name}" (status ${response.status}): ${text}`);
	}
	// n8n answers the webhook before its list has the execution.
	let newest;
	const deadline = Date.now() + withinMs;
	while (!newest || newest.id === earlier?.id) {
		if (Date.now() > deadline) throw new Refusal(`n8n lists no execution of workflow ${id}.`);
		await pause(ASK_EVERY_MS);
		[newest] = await api.callersOf(id);
	}
	const execution = await api.waitForExecution(newest.id, withinMs);
	if (execution.status === 'success') return execution;
	throw new Refusal(
		`"${name}" ended with ${execution.status} (workflow ${id}, execution ${newest.id}):\n` +
			reasonOf(execution),
	);
}

function reasonOf({ data }) {
	const error = data?.resultData?.error;
	if (!error) return 'n8n gave no reason.';
	const node = error.node?.name ? `${error.node.name}: ` : '';
	return `${node}${[error.message, error.description].filter(Boolean).join('\n')}`;
}
