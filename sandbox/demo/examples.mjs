import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../n8n/folders.mjs';

const MANUAL = 'n8n-nodes-base.manualTrigger';
const PACKAGE = 'n8n-nodes-video-generation';
const CREDENTIAL_OF = {
	[`${PACKAGE}.videoGenerate`]: 'videoGenerationApi',
	[`${PACKAGE}.videoStatus`]: 'videoGenerationApi',
	[`${PACKAGE}.videoDownload`]: 'videoGenerationApi',
	[`${PACKAGE}.generateContent`]: 'nativeTextApi',
	'n8n-nodes-base.s3': 's3',
	'@n8n/n8n-nodes-langchain.lmChatGoogleGemini': 'googlePalmApi',
};
const WEBHOOK_NAME = 'Started by the Demo';

/** A workflow of `examples/`, as people import it. */
export async function readExample(fileName) {
	return JSON.parse(await readFile(path.join(ROOT, 'examples', fileName), 'utf8'));
}

/** The names of all examples. */
export const exampleNames = async () =>
	(await readdir(path.join(ROOT, 'examples'))).filter((name) => name.endsWith('.json')).sort();

/** The same with a picture that is there, in the place of the address that people fill in. */
export const withPicture = (example, address) =>
	JSON.parse(JSON.stringify(example).replaceAll('https://example.com/product.jpg', address));

/** The example as a workflow of this n8n: node ids, credentials by node type, models of one's own. */
export function prepareWorkflow(example, { credentials, models = {} }) {
	const nodes = example.nodes.map((node) => {
		// Below an agent a node has a type of its own.
		const nodeType = node.type.replace(/Tool$/, '');
		const type = CREDENTIAL_OF[nodeType];
		const value = models[nodeType];
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
 * listens to makes a production execution. It answers at once. It is a workflow of its own: beside a
 * webhook the editor would not offer the Manual Trigger first.
 */
export function prepareProduction({ name, nodes, connections, ...rest }, webhookPath) {
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
