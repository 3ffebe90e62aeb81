import type { INodeExecutionData } from 'n8n-workflow';

import { type BegunRuns, noteBegin } from '../../../../nodes/shared/task/lostRuns';
import { makeRun } from '../../../support/makeRun';

it('a retry that cannot be noted does not begin, in no try', async () => {
	const store: BegunRuns = { begun: { executionId: '0', runIndex: 0 } };
	const runData: Record<string, INodeExecutionData[]> = {};
	const more = {
		node: { id: 'node' },
		getContext: () => store,
		getMode: () => 'retry',
		getExecutionDataById: async () => ({ resultData: { runData } }),
		helpers: {
			checkProcessedAndRecord: async () => await Promise.reject(new Error('no database')),
		},
	};
	for (let tries = 0; tries < 2; tries++) {
		await expect(noteBegin(makeRun({ more }))).rejects.toThrow('no database');
	}
});
