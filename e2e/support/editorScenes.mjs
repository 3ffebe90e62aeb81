import { randomUUID } from 'node:crypto';
import { chain, node, planned, videoGenerate } from './workflows.mjs';

const PACKAGE = 'n8n-nodes-video-generation';
const START = 'When clicking ‘Execute workflow’';

export const PROMPT = 'A paper boat sails down a rainy street, seen from above';

const model = (value) => ({ __rl: true, mode: 'list', value, cachedResultName: value });
const MODEL = model('veo-3.1-fast-generate-001');

const inARow = (name, ...nodes) => {
	const all = [node(START, 'n8n-nodes-base.manualTrigger', 1), ...nodes].map((one, column) => ({
		...one,
		id: randomUUID(),
		position: [column * 240, 0],
	}));
	const connections = chain(...all.map((one) => one.name));
	return { name, nodes: all, connections, settings: { executionOrder: 'v1' } };
};

const generate = (credentials, parameters) =>
	videoGenerate(credentials, { model: MODEL, prompt: PROMPT, ...parameters });

const ours = (credentials, name, type, parameters = {}) =>
	node(name, `${PACKAGE}.${type}`, 1, parameters, { credentials });

/** One Video Generate behind a click, with parameters of its own. */
export const oneVideo = (credentials, parameters, name = 'Rainy Street') =>
	inARow(name, generate(credentials, parameters));

/** The file comes from a node of its own. */
export const downloadedVideo = (credentials) =>
	inARow(
		'Prompt to Video',
		generate(credentials, {}),
		ours(credentials, 'Video Download', 'videoDownload'),
	);

/** Three videos, of which Video Status finds one done, one rendering and one failed. */
export function threeStates(credentials) {
	const rows = [
		planned(PROMPT, { renderMs: 0 }),
		planned('A kite over the dunes at dawn', { renderMs: 3_600_000 }),
		planned('A lantern in the fog', { renderMs: 0, outcome: 'FAILURE', failReason: 'Too dark' }),
	];
	const code = `return ${JSON.stringify(rows.map((prompt) => ({ json: { prompt } })))};`;
	return inARow(
		'Three States',
		node('Prompts', 'n8n-nodes-base.code', 2, { jsCode: code }),
		generate(credentials, { prompt: '={{ $json.prompt }}', waitForCompletion: false }),
		ours(credentials, 'Video Status', 'videoStatus'),
	);
}
