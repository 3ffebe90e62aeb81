import type { IDataObject } from 'n8n-workflow';

import { CONTINUE } from '../../support/stage';
import { durable, FAILS, jsonOf, rows, SLOW, statusesOf, useDurableStage } from './support/stage';

const stage = useDurableStage();

it('shows its tasks while it sleeps, in items, custom data and ledger, and has paid once', async () => {
	const startedMs = Date.now();
	const sleeping = await stage.begin({ node: durable(), items: rows(SLOW, SLOW) });
	const ids = stage.taskIds();
	expect([sleeping.status, sleeping.saved.status]).toEqual(['waiting', 'waiting']);
	expect(sleeping.outputs()[0]).toEqual(
		ids.map((task_id, item) => ({
			json: expect.objectContaining({ task_id, status: 'queued', poll_count: 0 }),
			pairedItem: { item },
		})),
	);
	expect(sleeping.customData).toEqual({ video_task_ids: ids.join(',') });
	const paid = sleeping.contextData['node:Node Under Test'].paid as Array<{ task: IDataObject }>;
	expect(paid.map(({ task }) => task.task_id)).toEqual(ids);
	expect(stage.sandbox.submissions()).toHaveLength(2);
	expect(stage.sandbox.polls()).toHaveLength(0);
	const [keeper, worker] = stage.subExecutions();
	expect([keeper, worker].map(({ workflowData }) => workflowData)).toMatchObject([
		{ name: 'Node Under Test: wait for videos', id: sleeping.workflowData.id },
		{ name: 'Wait for Renders: sleep and check', id: sleeping.workflowData.id },
	]);
	expect(statusesOf([keeper, worker])).toEqual(['waiting', 'waiting']);
	expect(worker.waitTill!.getTime() - startedMs).toBeGreaterThanOrEqual(65_000);
	// The request may hold pictures.
	expect(JSON.stringify(worker.outputs('Submitted Videos'))).not.toContain('"request"');
});

it('looks once a sleep, and shows each look in the executions list', async () => {
	const sleeping = await stage.begin({ node: durable(), items: rows(SLOW, {}) });
	const stillAsleep = await stage.lookOnce(sleeping);
	const polls = () => stage.taskIds().map((id) => stage.sandbox.polls(id).length);
	expect([stillAsleep.status, polls()]).toEqual(['waiting', [1, 1]]);
	const result = await stage.toEnd(stillAsleep);
	// What is done is not looked at again.
	expect([result.status, polls()]).toEqual(['success', [3, 1]]);
	expect(jsonOf(result.outputs()[0])).toMatchObject([
		{ status: 'SUCCESS', poll_count: 3 },
		{ status: 'SUCCESS', poll_count: 1 },
	]);
	const looks = stage.subExecutions()[1].runs('Check Videos');
	expect(looks.map(({ data }) => data!.main.flat()[0]!.json)).toMatchObject([
		{ status: 'IN_PROGRESS', poll_count: 1, sleep_seconds: 66 },
		{ status: 'IN_PROGRESS', poll_count: 2 },
		{ status: 'SUCCESS' },
	]);
});

describe('"Retry execution"', () => {
	it('picks up what was paid for, and waits for it durably', async () => {
		// The second submit is refused once, which ends the execution before it sleeps.
		const items = rows({}, { submit: ['forbidden'] });
		const failed = await stage.begin({ node: durable(), items });
		const result = await stage.toEnd(await stage.engine.retry(failed));
		expect(jsonOf(result.outputs()[0])).toMatchObject([
			{ status: 'SUCCESS', reused: true },
			{ status: 'SUCCESS', reused: false },
		]);
		expect(stage.sandbox.tasks()).toHaveLength(2);
		expect(result.customData.video_task_ids.split(',').sort()).toEqual(stage.taskIds().sort());
	});

	it('costs nothing after a sleep: n8n says the same again without running the node', async () => {
		const first = await stage.runThrough({ node: durable(), items: rows({}, FAILS) });
		const again = await stage.toEnd(await stage.engine.retry(first));
		expect(again.error?.message).toMatch(/could not be rendered/);
		expect(stage.sandbox.submissions()).toHaveLength(2);
	});
});

it('Retry On Fail: a first item that has failed lets nothing run beside the sleep', async () => {
	const tries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const items = rows({ submit: { always: 'chineseMessage' } }, SLOW, SLOW);
	const sleeping = await stage.begin({ node: durable({}, { ...tries, ...CONTINUE }), items });
	expect(stage.subExecutions()).toHaveLength(2);
	expect(stage.sandbox.submissions()).toHaveLength(3);
	const received = jsonOf((await stage.toEnd(sleeping)).outputs()[0]);
	expect(received.flatMap(({ task_id }) => task_id ?? [])).toEqual(stage.taskIds());
	expect(received.filter(({ error }) => error)).toHaveLength(1);
});
