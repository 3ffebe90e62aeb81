import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	chain,
	items,
	lookBack,
	node,
	planned,
	to,
	videoGenerate,
	webhook,
} from '../workflows.mjs';
import { DURABLE, video } from './runs.mjs';

// Sleeps inside a loop, inside a sub-workflow and behind another sleep.

/** Starts them. */
export async function begin(runs) {
	await beginLoop(runs);
	await beginCaller(runs);
	await beginTwoNodes(runs);
}

/** Looks at their ends. */
export function check(runs) {
	test('inside Loop Over Items: each pass sleeps and pays once', async () => {
		const execution = await runs.endOf('loop');
		assert.equal(execution.status, 'success');
		assert.equal(runs.json(execution, 'After').length, 2);
		assert.equal(runs.tasksOf('loop').length, 2);
	});

	test('inside a called sub-workflow: the caller gets the videos', async () => {
		const execution = await runs.endOf('caller');
		assert.equal(execution.status, 'success');
		const [video] = runs.json(execution, 'After');
		assert.equal(video.status, 'SUCCESS');
		assert.equal(runs.tasksOf('called').length, 1);
	});

	test('two nodes in one workflow sleep one after the other', async () => {
		const execution = await runs.endOf('two nodes');
		assert.equal(execution.status, 'success');
		assert.deepEqual(
			runs.json(execution, 'After').map(({ n, status }) => ({ n, status })),
			[{ n: 'first', status: 'SUCCESS' }],
		);
		assert.deepEqual([runs.tasksOf('first').length, runs.tasksOf('second').length], [1, 1]);
	});
}

async function beginLoop(runs) {
	await runs.begin(
		'loop',
		[
			webhook(),
			items([1, 2].map((n) => ({ ...video('loop'), n }))),
			node('Loop Over Items', 'n8n-nodes-base.splitInBatches', 3, {}),
			videoGenerate(runs.studio.credentials, DURABLE),
			node('After', 'n8n-nodes-base.noOp', 1),
		],
		{
			...chain('Webhook', 'Prompts', 'Loop Over Items'),
			'Loop Over Items': { main: [[to('After')], [to('Video Generate')]] },
			...chain('Video Generate', 'Loop Over Items'),
		},
	);
}

async function beginCaller(runs) {
	const called = await runs.studio.publish(
		'called',
		[
			node('Start', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
			videoGenerate(runs.studio.credentials, DURABLE),
		],
		chain('Start', 'Video Generate'),
	);
	const workflowId = { __rl: true, mode: 'id', value: called.id };
	await runs.begin(
		'caller',
		[
			webhook(),
			items([video('called')]),
			node('Call', 'n8n-nodes-base.executeWorkflow', 1.2, { workflowId, options: {} }),
			lookBack(),
		],
		chain('Webhook', 'Prompts', 'Call', 'After'),
	);
}

async function beginTwoNodes(runs) {
	const { credentials } = runs.studio;
	const second = { ...DURABLE, prompt: planned('second', { renderMs: 5_000 }) };
	await runs.begin(
		'two nodes',
		[
			webhook(),
			items([video('first')]),
			videoGenerate(credentials, DURABLE),
			videoGenerate(credentials, second, { name: 'Second' }),
			lookBack(),
		],
		chain('Webhook', 'Prompts', 'Video Generate', 'Second', 'After'),
	);
}
