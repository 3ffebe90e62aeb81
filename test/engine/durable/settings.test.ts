import type { IWorkflowSettings } from 'n8n-workflow';

import { CONTINUE, toInput } from '../../support/stage';
import { durable, errorOf, jsonOf, rows, useDurableStage } from './support/stage';

const stage = useDurableStage();

const begin = async (settings: IWorkflowSettings, maxWait?: number) =>
	await stage.begin({
		node: durable(maxWait ? { options: { maxWait } } : {}, CONTINUE),
		items: rows({ outcome: 'never' }),
		settings,
	});

describe("the settings of the caller's workflow", () => {
	it('are those of its sub-executions, but for what the sleep needs', async () => {
		const owners: IWorkflowSettings = {
			timezone: 'Europe/Paris',
			executionTimeout: 3600,
			credentialResolverId: 'resolver',
			redactionPolicy: 'all',
			saveManualExecutions: false,
		};
		const overruled: IWorkflowSettings = {
			saveDataSuccessExecution: 'none',
			saveDataErrorExecution: 'none',
			callerPolicy: 'none',
			errorWorkflow: 'alarm',
			binaryMode: 'combined',
		};
		await begin({ ...owners, ...overruled });
		const settings = stage.subExecutions().map(({ workflowData }) => workflowData.settings);
		const expected = {
			...owners,
			executionOrder: 'v1',
			saveDataSuccessExecution: 'all',
			saveDataErrorExecution: 'all',
			callerPolicy: 'workflowsFromSameOwner',
		};
		expect(settings).toEqual([expected, expected]);
	});

	it('end the wait before Timeout Workflow, with the task ID in the item', async () => {
		const startedMs = Date.now();
		const result = await stage.toEnd(await begin({ executionTimeout: 300 }));
		const [task_id] = stage.taskIds();
		const [item] = result.outputs()[0];
		expect(errorOf(item)).toMatchObject({
			message: `The video was not ready before the end of the workflow (Timeout Workflow) (task ${task_id}) [item 0]`,
			task_id,
			next: 'followTask',
		});
		expect(Date.now() - startedMs).toBeGreaterThan(230_000);
		expect(Date.now() - startedMs).toBeLessThan(270_000);
	});

	it('leave the wait to Max Wait, if that ends first', async () => {
		const result = await stage.toEnd(await begin({ executionTimeout: 3600 }, 2));
		expect(errorOf(result.outputs()[0][0]).message).toMatch(/within 2 minutes \(Max Wait\)/);
	});
});

it('a Timeout Workflow that is too short for a sleep: waits in process, and says so', async () => {
	const result = await stage.begin({
		node: durable(),
		items: toInput({ prompt: 'A boat' }),
		settings: { executionTimeout: 120 },
	});
	expect(jsonOf(result.outputs()[0])).toMatchObject([{ status: 'SUCCESS' }]);
	expect(stage.subExecutions()).toEqual([]);
	const [hint] = result.hints();
	expect(hint.message).toMatch(/in process: .*\(Timeout Workflow\)/);
});
