import type { IDataObject } from 'n8n-workflow';

import type { RunResult } from '../../support/engine';
import { durable, jsonOf, rows, SLOW, useDurableStage } from './support/stage';

const stage = useDurableStage();

const ledgerOf = ({ contextData }: RunResult) =>
	contextData['node:Node Under Test'].paid as Array<{ task: IDataObject }>;

describe('while it sleeps', () => {
	it('shows the tasks in its items, the custom data and the ledger, and has paid once', async () => {
		const { sandbox } = stage;
		const sleeping = await stage.begin({ node: durable(), items: rows(SLOW, SLOW, SLOW) });
		const ids = stage.taskIds();
		expect(sleeping.status).toBe('waiting');
		expect(sleeping.saved.status).toBe('waiting');
		const saved = sleeping.saved.data.resultData.runData['Node Under Test'][0].data!.main[0]!;
		expect(saved).toEqual(
			ids.map((task_id, item) => ({
				json: expect.objectContaining({ task_id, status: 'queued', poll_count: 0 }),
				pairedItem: { item },
			})),
		);
		expect(sleeping.customData).toEqual({ video_task_ids: ids.join(',') });
		expect(ledgerOf(sleeping).map(({ task }) => task.task_id)).toEqual(ids);
		expect(sandbox.submissions()).toHaveLength(3);
		expect(sandbox.polls()).toHaveLength(0);
	});

	it('has two sub-executions of its own workflow, the inner one asleep in the database', async () => {
		const startedMs = Date.now();
		const sleeping = await stage.begin({ node: durable(), items: rows(SLOW) });
		const [keeper, worker] = stage.subExecutions();
		expect([keeper, worker].map(({ workflowData }) => workflowData)).toMatchObject([
			{ name: 'Node Under Test: wait for videos', id: sleeping.workflowData.id },
			{ name: 'Wait for Renders: sleep and check', id: sleeping.workflowData.id },
		]);
		expect([keeper.status, worker.status]).toEqual(['waiting', 'waiting']);
		expect(worker.waitTill!.getTime() - startedMs).toBeGreaterThanOrEqual(65_000);
		const [[item]] = worker.outputs('Submitted Videos');
		expect(item.json).toMatchObject({ task_id: stage.taskIds()[0], status: 'queued' });
		// The request may hold pictures.
		expect(JSON.stringify(item.json)).not.toContain('"request"');
	});

	it('looks once a sleep, and shows each look in the executions list', async () => {
		const { sandbox } = stage;
		const sleeping = await stage.begin({ node: durable(), items: rows(SLOW) });
		const stillAsleep = await stage.lookOnce(sleeping);
		expect(stillAsleep.status).toBe('waiting');
		expect(sandbox.polls()).toHaveLength(1);
		const result = await stage.toEnd(stillAsleep);
		expect(result.status).toBe('success');
		expect(sandbox.polls()).toHaveLength(3);
		expect(jsonOf(result.outputs()[0])).toMatchObject([{ status: 'SUCCESS', poll_count: 3 }]);
		const looks = stage.subExecutions()[1].runs('Check Videos');
		expect(looks.map(({ data }) => data!.main.flat()[0]!.json)).toMatchObject([
			{ status: 'IN_PROGRESS', poll_count: 1, sleep_seconds: 66 },
			{ status: 'IN_PROGRESS', poll_count: 2 },
			{ status: 'SUCCESS' },
		]);
	});
});
