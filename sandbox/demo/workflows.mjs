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
export const WEBHOOK_NAME = 'Started by the Demo';

/** A workflow of `examples/`, as people import it. */
export async function readExample(fileName) {
	return JSON.parse(await readFile(path.join(ROOT, 'examples', fileName), 'utf8'));
}

/**
 * The example as a workflow of this n8n: node ids, credentials by node type, models of one's own,
 * and beside the Manual Trigger a Webhook, because only a trigger that n8n itself listens to makes
 * a production execution. The webhook answers at once with the execution's id.
 */
export function prepareWorkflow(example, { credentials, models = {}, webhookPath }) {
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
	const manual = nodes.find((node) => node.type === MANUAL);
	const [x, y] = manual.position;
	const webhook = {
		id: randomUUID(),
		name: WEBHOOK_NAME,
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		position: [x, y + 200],
		webhookId: webhookPath,
		parameters: {
			httpMethod: 'POST',
			path: webhookPath,
			responseMode: 'onReceived',
			options: { responseData: '={{ $execution.id }}' },
		},
	};
	return {
		...example,
		nodes: [...nodes, webhook],
		connections: { ...example.connections, [WEBHOOK_NAME]: example.connections[manual.name] },
	};
}

/**
 * Imports the example, or finds the one imported before. It is imported anew only if the example
 * (or the models asked for) changed, so that what a person edits in the demo's n8n stays.
 */
export async function putWorkflow(api, state, fileName, { credentials, models }) {
	const example = await readExample(fileName);
	const hash = shortHash(JSON.stringify([example, models]));
	const known = state.get(fileName);
	// Not guessable: on a real service whoever can call it spends money.
	const webhookPath = known?.webhookPath ?? randomUUID();
	const prepare = () => prepareWorkflow(example, { credentials, models, webhookPath });
	const id = await putVersion(api, known, hash, prepare);
	await state.set(fileName, { id, hash, webhookPath });
	await api.activate(id);
	return { id, webhookPath };
}

async function putVersion(api, known, hash, prepare) {
	if (known) {
		const current = await api.getWorkflow(known.id).catch((error) => {
			if (error.status === 404) return null;
			throw error;
		});
		if (current && !current.isArchived) {
			if (known.hash !== hash) await api.updateWorkflow(known.id, prepare());
			return known.id;
		}
	}
	return (await api.createWorkflow(prepare())).id;
}
