import type { IExecuteFunctions } from 'n8n-workflow';

import { noteStop, saveTaskId } from '../../../../nodes/shared/task/customData';

function createContext() {
	const logger = { info: jest.fn(), warn: jest.fn() };
	const context = {
		logger,
		getNode: () => ({ name: 'Video Generate' }),
		getWorkflowDataProxy: () => {
			throw new Error('no data');
		},
	} as unknown as IExecuteFunctions;
	return { context, logger };
}

describe('custom data that cannot be written', () => {
	it('do not end a run that is paid for: the ID is in the log', () => {
		const { context, logger } = createContext();
		saveTaskId(context, 2, 'task_1');
		expect(logger.info).toHaveBeenCalledWith('Video Generate: item 2 is video task task_1');
		expect(logger.warn).toHaveBeenCalledTimes(1);
	});

	it('do not throw within the event of a stop, which would end n8n', () => {
		const { context, logger } = createContext();
		noteStop(context);
		expect(logger.warn).toHaveBeenCalledTimes(1);
	});
});
