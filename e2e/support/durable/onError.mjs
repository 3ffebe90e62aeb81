import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chain, items, node, to, videoGenerate, webhook } from '../workflows.mjs';
import { DURABLE, video } from './runs.mjs';

// A render that fails while it sleeps, in each mode of On Error.

const ROWS = [
	video('bad', { renderMs: 5_000, outcome: 'FAILURE', failReason: 'too dark' }),
	video('good'),
];

/** Starts them. */
export async function begin(runs) {
	await runs.straight('stop', ROWS);
	await runs.straight('continue', ROWS, { rest: { onError: 'continueRegularOutput' } });
	await runs.begin(
		'branch',
		[
			webhook(),
			items(ROWS),
			videoGenerate(runs.studio.credentials, DURABLE, { onError: 'continueErrorOutput' }),
			node('Done', 'n8n-nodes-base.noOp', 1),
			node('Failed', 'n8n-nodes-base.noOp', 1),
		],
		{
			...chain('Webhook', 'Prompts', 'Video Generate'),
			'Video Generate': { main: [[to('Done')], [to('Failed')]] },
		},
	);
}

/** Looks at their ends. */
export function check(runs) {
	test('On Error, Stop Workflow: says what failed, with the ids of all tasks', async () => {
		const execution = await runs.endOf('stop');
		assert.equal(execution.status, 'error');
		const { error } = execution.data.resultData;
		assert.match(error.message, /could not be rendered .*\[item 0\]/);
		assert.match(error.description, /too dark/);
		assert.ok(error.context.task_id);
		assert.equal(error.context.other_task_ids.length, 1);
	});

	test('On Error, Continue: the failing item holds error alone', async () => {
		const execution = await runs.endOf('continue');
		assert.equal(execution.status, 'success');
		const [bad, good] = runs.json(execution, 'Video Generate');
		assert.deepEqual(Object.keys(bad), ['error']);
		assert.equal(bad.error.fail_reason, 'too dark');
		assert.equal(good.status, 'SUCCESS');
	});

	test('On Error, error output: each item takes its branch', async () => {
		const execution = await runs.endOf('branch');
		assert.equal(execution.status, 'success');
		assert.deepEqual(
			runs.json(execution, 'Done').map(({ status }) => status),
			['SUCCESS'],
		);
		assert.deepEqual(
			runs.json(execution, 'Failed').map(({ error }) => error.fail_reason),
			['too dark'],
		);
	});
}
