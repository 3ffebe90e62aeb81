import type { IWorkflowSettings } from 'n8n-workflow';

import { CONTINUE } from '../../support/stage';
import { durable, errorOf, rows, useDurableStage } from './support/stage';

// The settings of the caller's workflow.

const stage = useDurableStage();

const begin = async (settings: IWorkflowSettings, maxWait = 30) =>
	await stage.begin({
		node: durable({ options: { maxWait } }, CONTINUE),
		items: rows({ outcome: 'never' }),
		settings,
	});

it('are those of its sub-executions, but for what the sleep needs', async () => {
	const owners: IWorkflowSettings = {
		timezone: 'Europe/Paris',
		executionTimeout: 3600,
		redactionPolicy: 'all',
	};
	await begin({
		...owners,
		saveDataSuccessExecution: 'none',
		saveDataErrorExecution: 'none',
		callerPolicy: 'none',
		errorWorkflow: 'alarm',
		binaryMode: 'combined',
	});
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

it.each([
	['Timeout Workflow, a minute before it', 300, undefined, 240, /the end of the workflow/],
	['Max Wait, if that comes first', 3600, 2, 120, /within 2 minutes \(Max Wait\)/],
])('the wait ends with %s, and the item has the task', async (...row) => {
	const [, executionTimeout, maxWait, endS, message] = row;
	const startedMs = Date.now();
	const result = await stage.toEnd(await begin({ executionTimeout }, maxWait));
	const [task_id] = stage.taskIds();
	const words = expect.stringMatching(message) as string;
	const error = { message: words, task_id, next: 'followTask' };
	expect(errorOf(result.outputs()[0][0])).toMatchObject(error);
	// Of the virtual clock.
	expect(Math.abs((Date.now() - startedMs) / 1000 - endS)).toBeLessThan(30);
});
