import { randomUUID } from 'node:crypto';
import { chatTrigger, generateContent, inARow } from './textWorkflows.mjs';
import { node, planned } from './workflows.mjs';

export const CAPITALS = [
	'Paris is the capital of France. It lies on the Seine.',
	'Rome is the capital of Italy. It lies on the Tiber.',
	'Madrid is the capital of Spain. It lies on the Manzanares.',
];

/** Prompts for the texts above; the first is answered last. `plans` are laid over theirs. */
export const promptsFor = (...plans) =>
	CAPITALS.map((says, i) =>
		planned(`Capital ${i}`, { says, chunks: 6, chunkDelayMs: 100 * (2 - i), ...plans[i] }),
	);

/** A chat in which one message becomes an item for each prompt. `more` are settings of the node. */
export function chatOfItems(prompts, credentials, more = {}) {
	const list = node('Prompts', 'n8n-nodes-base.set', 3.4, {
		mode: 'raw',
		jsonOutput: JSON.stringify({ prompt: prompts }),
		options: {},
	});
	const split = node('Split Out', 'n8n-nodes-base.splitOut', 1, {
		fieldToSplitOut: 'prompt',
		options: {},
	});
	const text = generateContent({ prompt: '={{ $json.prompt }}' }, credentials);
	return inARow('Capitals', chatTrigger(randomUUID()), list, split, { ...text, ...more });
}
