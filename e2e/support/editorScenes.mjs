import { randomUUID } from 'node:crypto';
import { chatTrigger, inARow } from './textWorkflows.mjs';
import { MODEL, chain, node, planned, to, videoGenerate } from './workflows.mjs';

const PACKAGE = 'n8n-nodes-video-generation';
const START = 'When clicking ‘Execute workflow’';

export const PROMPT = 'A paper boat sails down a rainy street, seen from above';

const VEO = 'veo-3.1-fast-generate-001';
const FROM_LIST = { __rl: true, mode: 'list', value: VEO, cachedResultName: VEO };

const ours = (credentials, name, type, parameters = {}) =>
	node(name, `${PACKAGE}.${type}`, 1, parameters, { credentials });

const generate = (credentials, parameters = {}, name = 'Video Generate') => ({
	...videoGenerate(credentials, { model: FROM_LIST, prompt: PROMPT, ...parameters }),
	name,
});

/** A workflow of rows that all start with the same click; each row is a chain of nodes. */
function fromOneClick(name, ...rows) {
	const start = { ...node(START, 'n8n-nodes-base.manualTrigger', 1), position: [0, 0] };
	const placed = rows.map((row, y) =>
		row.map((one, x) => ({ ...one, position: [(x + 1) * 240, y * 200] })),
	);
	const chains = rows.map((row) => chain(...row.map((one) => one.name)));
	const connections = Object.assign(
		{ [START]: { main: [rows.map(([first]) => to(first.name))] } },
		...chains,
	);
	const nodes = [start, ...placed.flat()];
	return { name, nodes, connections, settings: { executionOrder: 'v1' } };
}

/** One Video Generate behind a click. */
export const oneVideo = (credentials, parameters) =>
	fromOneClick('Rainy Street', [generate(credentials, parameters)]);

/** Submits, waits, looks, and downloads or tells: as far as Video Status, with what follows. */
export const threeStates = (credentials) =>
	fromOneClick('Three States', toThreeStates(credentials));

/** Three videos, of which Video Status finds one done, one rendering and one failed: a row of nodes. */
export function toThreeStates(credentials) {
	const prompts = [
		planned(PROMPT, { renderMs: 0 }),
		planned('A kite over the dunes at dawn', { renderMs: 3_600_000 }),
		planned('A lantern in the fog', { renderMs: 0, outcome: 'FAILURE', failReason: 'Too dark' }),
	];
	const rows = prompts.map((prompt) => ({ json: { prompt } }));
	const submit = { prompt: '={{ $json.prompt }}', wait: 'none' };
	return [
		node('Prompts', 'n8n-nodes-base.code', 2, { jsCode: `return ${JSON.stringify(rows)};` }),
		generate(credentials, submit, 'Submit'),
		ours(credentials, 'Video Status', 'videoStatus'),
	];
}

const FAILS = planned(PROMPT, { renderMs: 0, outcome: 'FAILURE', failReason: 'Too dark' });

/** All that the tests of a run look at, on one canvas: opening the editor is what takes long. */
export const manyRuns = (good, { wrongKey, wrongAddress }) =>
	fromOneClick(
		'Many Runs',
		[generate(good, { prompt: '={{ $json.title }}' }, 'No Prompt')],
		[generate(good, { model: MODEL, prompt: FAILS }, 'Failing Render')],
		[generate(wrongKey, {}, 'Wrong Key')],
		[generate(wrongAddress, {}, 'Wrong Address')],
		[generate(good, { wait: 'durable' }, 'Sleeper')],
		[generate(good, { wait: 'durable', options: { cost: { dryRun: true } } }, 'Rehearsal')],
		[generate(good, { model: MODEL }), ours(good, 'Video Download', 'videoDownload')],
	);

/** A chat in streaming mode whose answer is a film. */
export const chatScene = (credentials, parameters) =>
	inARow(
		'Film on Demand',
		chatTrigger(randomUUID()),
		generate(credentials, {
			prompt: '={{ $json.chatInput }}',
			downloadVideo: true,
			options: { polling: { pollInterval: 1 } },
			...parameters,
		}),
	);
