import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT, shortHash } from '../n8n/folders.mjs';

const MANUAL = 'n8n-nodes-base.manualTrigger';
const PACKAGE = 'n8n-nodes-video-generation';
const CREDENTIAL_OF = {
	[`${PACKAGE}.videoGenerate`]: 'videoGenerationApi',
	[`${PACKAGE}.videoStatus`]: 'videoGenerationApi',
	[`${PACKAGE}.videoDownload`]: 'videoGenerationApi',
	[`${PACKAGE}.generateContent`]: 'nativeTextApi',
};
const WEBHOOK_NAME = 'Started by the Demo';

/** A workflow of `examples/`, as people import it. */
export async function readExample(fileName) {
	return JSON.parse(await readFile(path.join(ROOT, 'examples', fileName), 'utf8'));
}

/** The example as a workflow of this n8n: node ids, credentials by node type, models of one's own. */
function prepareWorkflow(example, { credentials, models = {} }) {
	const nodes = example.nodes.map((node) => {
		const type = CREDENTIAL_OF[node.type];
		const value = models[node.type];
		return {
			...node,
			id: randomUUID(),
			...(type ? { credentials: { [type]: credentials[type] } } : {}),
			...(value
				? { parameters: { ...node.parameters, model: { __rl: true, mode: 'id', value } } }
				: {}),
		};
	});
	return { ...example, nodes };
}

/**
 * The same with a Webhook in the place of the Manual Trigger, because only a trigger that n8n itself
 * listens to makes a production execution. It answers at once. It is a
 * workflow of its own: beside a webhook the editor would not offer the Manual Trigger first.
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
		parameters: {
			httpMethod: 'POST',
			path: webhookPath,
			responseMode: 'onReceived',
		},
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
 * Imports the example and the demo's own copy of it, or finds those imported before. They are
 * imported anew only if the example (or the models asked for) changed, so that what a person edits
 * in the demo's n8n stays. Gives the copy that the demo runs.
 */
export async function putWorkflow(api, state, fileName, { credentials, models }) {
	const example = await readExample(fileName);
	const hash = shortHash(JSON.stringify([example, models]));
	const known = state.get(fileName);
	// Not guessable: on a real service whoever can call it spends money.
	const webhookPath = known?.webhookPath ?? randomUUID();
	const prepare = () => prepareWorkflow(example, { credentials, models });
	const exampleId = await putVersion(api, known?.exampleId, known?.hash === hash, prepare);
	const id = await putVersion(api, known?.id, known?.hash === hash, () =>
		prepareProduction(prepare(), webhookPath),
	);
	await state.set(fileName, { id, exampleId, hash, webhookPath });
	await api.activate(id);
	return { id, webhookPath };
}

async function putVersion(api, id, isCurrent, prepare) {
	if (id !== undefined) {
		const current = await api.getWorkflow(id).catch((error) => {
			if (error.status === 404) return null;
			throw error;
		});
		if (current && !current.isArchived) {
			if (!isCurrent) await api.updateWorkflow(id, prepare());
			return id;
		}
	}
	return (await api.createWorkflow(prepare())).id;
}
