import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chain, items, lookBack, node, videoGenerate } from '../workflows.mjs';
import { DURABLE, video } from './runs.mjs';

// A run from the editor that sleeps.

/** Starts it. */
export async function begin(runs) {
	const { api } = runs.sandbox;
	const { id, nodes } = await api.createWorkflow({
		name: 'manual',
		settings: { executionOrder: 'v1' },
		nodes: [
			node('Manual Trigger', 'n8n-nodes-base.manualTrigger', 1),
			items([video('manual')]),
			videoGenerate(runs.studio.credentials, DURABLE),
			lookBack(),
		],
		connections: chain('Manual Trigger', 'Prompts', 'Video Generate', 'After'),
	});
	await api.rest('POST', `/workflows/${id}/run`, { triggerToStartFrom: { name: nodes[0].name } });
	runs.of.manual = { id };
}

/** Looks at its end. */
export function check(runs) {
	test('a manual run from the editor', async () => {
		const execution = await runs.endOf('manual');
		assert.equal(execution.status, 'success');
		assert.equal(execution.mode, 'manual');
		assert.deepEqual(
			runs.json(execution, 'After').map(({ n, status }) => ({ n, status })),
			[{ n: 'manual', status: 'SUCCESS' }],
		);
	});
}
