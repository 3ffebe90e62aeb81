import type { Run } from '../../../../nodes/shared/item/run';
import { createRedaction } from '../../../../nodes/shared/service/redact';
import { noteStop, saveTaskId } from '../../../../nodes/shared/task/customData';

function createRun() {
	const stop = new AbortController();
	const report = { info: jest.fn(), warn: jest.fn(), debug: jest.fn(), hint: jest.fn() };
	const getWorkflowDataProxy = () => {
		throw new Error('no data');
	};
	const parts = {
		context: { getWorkflowDataProxy },
		report,
		taskIds: new Map(),
		redaction: createRedaction(),
		stop: stop.signal,
	};
	return { run: parts as unknown as Run, report, stop };
}

describe('custom data that cannot be written', () => {
	it('do not end a run that is paid for: the ID is in the log, and known to the run', () => {
		const { run, report } = createRun();
		saveTaskId(run, 2, 'task_1');
		expect(report.info).toHaveBeenCalledWith('item 2 is video task task_1');
		expect(report.warn).toHaveBeenCalledTimes(1);
		expect(run.taskIds.get(2)).toBe('task_1');
	});

	it('do not throw within the event of a stop, which would end n8n', () => {
		const { run, report, stop } = createRun();
		noteStop(run);
		stop.abort();
		expect(report.warn).toHaveBeenCalledTimes(1);
	});

	it('are left alone once the run has ended', () => {
		const { run, report, stop } = createRun();
		noteStop(run)();
		stop.abort();
		expect(report.warn).not.toHaveBeenCalled();
	});
});
