import { createRequire } from 'node:module';
import { chain, items, node, videoGenerate, webhook } from '../../e2e/support/workflows.mjs';

const require = createRequire(import.meta.url);
const { OPTIONS } = require('./cases.js');
const { PNG } = require('./pictures.js');

const fromItem = (name) => `={{ $json.set.${name} }}`;

/** Cases with the same list of further images go through the same node: its rows are fixed. */
export const shapeOf = ({ set: { further = [] } }) =>
	further.map(({ role, imageSource }) => `${role}:${imageSource}`).join(' ');

/** The parameters of Video Generate by which an item says all that is set. */
export const toParameters = ({ set: { further = [] } }) => ({
	model: { __rl: true, mode: 'id', value: '={{ $json.model }}' },
	imageSource: '={{ $json.set.imageSource ?? "none" }}',
	image: fromItem('image'),
	imageBinaryProperty: 'data',
	furtherImages: {
		image: further.map(({ role, imageSource }, row) => ({
			role,
			imageSource,
			image: `={{ $json.set.further[${row}].image }}`,
			imageBinaryProperty: 'data',
		})),
	},
	wait: 'none',
	options: Object.fromEntries(
		[...OPTIONS, 'metadata', 'extraFields'].map((name) => [name, fromItem(name)]),
	),
});

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
