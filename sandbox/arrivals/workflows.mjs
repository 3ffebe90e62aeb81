import { createRequire } from 'node:module';
import { chain, items, node, videoGenerate, webhook } from '../../e2e/support/workflows.mjs';

const require = createRequire(import.meta.url);
const { toParameters } = require('./parameters.js');
const { PNG } = require('./pictures.js');

/** Gives each item the picture as a file. */
const addPicture = () =>
	node('Picture', 'n8n-nodes-base.code', 2, {
		jsCode: `return $input.all().map(({ json }) => ({ json, binary: { data: {
	data: '${PNG}', mimeType: 'image/png', fileName: 'picture.png' } } }));`,
	});

export function toWorkflow(name, cases, credentials) {
	const nodes = [
		webhook(),
		items(cases),
		addPicture(),
		videoGenerate(credentials, toParameters(cases[0]), { onError: 'continueRegularOutput' }),
	];
	const connections = chain('Webhook', 'Prompts', 'Picture', 'Video Generate');
	return { name, nodes, connections, settings: { executionOrder: 'v1' } };
}
