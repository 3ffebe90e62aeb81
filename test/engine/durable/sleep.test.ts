import type { IDataObject } from 'n8n-workflow';

import { durable, jsonOf, rows, SLOW, statusesOf, useDurableStage } from './support/stage';

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
	const sleeping = await stage.begin({ node: durable(), items: rows(SLOW) });
	const stillAsleep = await stage.lookOnce(sleeping);
	expect([stillAsleep.status, stage.sandbox.polls().length]).toEqual(['waiting', 1]);
	const result = await stage.toEnd(stillAsleep);
	expect([result.status, stage.sandbox.polls().length]).toEqual(['success', 3]);
	expect(jsonOf(result.outputs()[0])).toMatchObject([{ status: 'SUCCESS', poll_count: 3 }]);
	const looks = stage.subExecutions()[1].runs('Check Videos');
	expect(looks.map(({ data }) => data!.main.flat()[0]!.json)).toMatchObject([
		{ status: 'IN_PROGRESS', poll_count: 1, sleep_seconds: 66 },
		{ status: 'IN_PROGRESS', poll_count: 2 },
		{ status: 'SUCCESS' },
	]);
});
