import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chain, items, lookBack, respond, videoGenerate, webhook } from '../workflows.mjs';
import { DURABLE, video } from './runs.mjs';

// A batch that sleeps, and what the executions list shows of it.

/** At the first look one is done, one nearly ready, and one far from it. */
const BATCH_MS = [140_000, 20_000, 80_000];

/** Starts them. */
export async function begin(runs) {
	await runs.begin(
		'batch',
		[
			webhook({ responseMode: 'responseNode' }),
			items(BATCH_MS.map((renderMs, n) => ({ ...video('batch', { renderMs }), n }))),
			videoGenerate(runs.studio.credentials, { ...DURABLE, downloadVideo: true, simplify: false }),
			lookBack(),
			respond(),
		],
		chain('Webhook', 'Prompts', 'Video Generate', 'After', 'Respond'),
	);
}

/** Looks at their ends. */
export function check(runs) {
	test('a batch: same items in order, files, pairing, one submission each, an answer at the end', async () => {
		const execution = await runs.endOf('batch');
		assert.equal(execution.status, 'success');
		const videos = runs.itemsOf(execution, 'Video Generate');
		assert.deepEqual(
			videos.map(({ pairedItem }) => pairedItem),
			[{ item: 0 }, { item: 1 }, { item: 2 }],
		);
		assert.deepEqual(
			runs.json(execution, 'After').map(({ n }) => n),
			['0', '1', '2'],
		);
		for (const { json: item, binary } of videos) {
			assert.deepEqual(Object.keys(item), [
				...['task_id', 'status', 'progress', 'model', 'result_url'],
				...['submitted_at', 'finished_at', 'poll_count', 'reused', 'response'],
			]);
			assert.equal(item.status, 'SUCCESS');
			assert.equal(binary.data.mimeType, 'video/mp4');
		}
		const tasks = runs.tasksOf('batch');
		assert.equal(tasks.length, 3);
		const byId = new Map(tasks.map((task) => [task.task_id, task.prompt]));
		assert.deepEqual(
			videos.map(
				({ json: { task_id } }) => JSON.parse(byId.get(task_id).split('sandbox:')[1]).renderMs,
			),
			BATCH_MS,
		);
		const answer = await (await runs.of.batch.answer).json();
		assert.deepEqual(
			answer.map(({ task_id, status }) => ({ task_id, status })),
			videos.map(({ json: { task_id } }) => ({ task_id, status: 'SUCCESS' })),
		);
	});

	test('the sub-executions stand in the list with readable steps', async () => {
		await runs.endOf('batch');
		const sub = (await runs.studio.executionsOf(runs.of.batch.id)).filter(
			({ mode }) => mode === 'integrated',
		);
		assert.equal(sub.length, 2);
		const [keeper, worker] = await Promise.all(sub.map(({ id }) => runs.sandbox.api.execution(id)));
		assert.equal(keeper.workflowData.name, 'Video Generate: wait for videos');
		assert.equal(worker.workflowData.name, 'Wait for Renders: sleep and check');
		const passes = worker.data.resultData.runData['Check Videos'];
		assert.ok(passes.length >= 2);
		const [first] = passes[0].data.main[1];
		assert.equal(first.json.status, 'IN_PROGRESS');
		assert.ok(first.json.progress > 0 && first.json.progress < 100);
	});
}
