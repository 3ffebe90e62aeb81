import assert from 'node:assert/strict';
import { test } from 'node:test';
import { video } from './runs.mjs';

// What ends a wait early, or keeps it from sleeping at all.

const never = (name) => [video(name, { outcome: 'never' })];

/** Starts them. */
export async function begin(runs) {
	const hook = { responseMode: 'lastNode' };
	await runs.straight('last node', [video('good')], { hook });
	await runs.straight('time limit', [video('good')], { settings: { executionTimeout: 20 } });
	await runs.straight('time-out', never('late'), { parameters: { options: { maxWait: 1.2 } } });
	await runs.straight('return task', never('later'), {
		parameters: { options: { maxWait: 1.2, onTimeout: 'returnTask' } },
	});
	await runs.straight('head start', [video('good')], {
		parameters: { options: { headStart: 60 } },
	});
}

/** Looks at their ends. */
export function check(runs) {
	test('a head start that lasts long enough ends in process, without a sub-execution', async () => {
		const execution = await runs.endOf('head start');
		assert.equal(execution.status, 'success');
		assert.equal((await runs.studio.executionsOf(runs.of['head start'].id)).length, 1);
	});

	test('a webhook that answers with the last node: waits in process, and says why', async () => {
		const execution = await runs.endOf('last node');
		assert.equal((await (await runs.of['last node'].answer).json()).status, 'SUCCESS');
		assert.equal((await runs.studio.executionsOf(runs.of['last node'].id)).length, 1);
		const [{ hints }] = execution.data.resultData.runData['Video Generate'];
		assert.match(
			hints[0].message,
			/waited in process, not durably: its trigger responds .*Respond to Webhook/,
		);
	});

	test('Max Wait and On Timeout hold across sleeps', async () => {
		const failed = await runs.endOf('time-out');
		assert.equal(failed.status, 'error');
		assert.match(failed.data.resultData.error.message, /not ready within 1.2 minutes \(Max Wait\)/);
		const returned = await runs.endOf('return task');
		assert.equal(returned.status, 'success');
		const [task] = runs.json(returned, 'After');
		assert.equal(task.status, 'IN_PROGRESS');
		assert.equal(task.n, 'later');
	});

	test("a workflow's own time limit counts the sleep: canceled, the task ID kept", async () => {
		const execution = await runs.endOf('time limit');
		assert.equal(execution.status, 'canceled');
		assert.match(execution.customData.video_task_ids, /^task_/);
	});
}
