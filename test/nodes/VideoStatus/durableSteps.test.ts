import type { IExecuteFunctions } from 'n8n-workflow';

import type { BatchVideo } from '../../../nodes/shared/durable/sleepingVideo';
import { isCallerGone } from '../../../nodes/VideoStatus/durableSteps';

const ended: BatchVideo = { itemIndex: 0, result: { json: { task_id: 'task_0' } } };
const sleeping = { itemIndex: 1, callerId: '17', render: {} } as unknown as BatchVideo;
const noAnswer = () => {
	throw new Error('SQLITE_BUSY');
};

// Stop and deletion: test/engine/durable/trouble.test.ts.
it.each<[what: string, stored: () => unknown, videos: BatchVideo[], gone: boolean]>([
	['it sleeps', () => ({ resultData: {} }), [ended, sleeping], false],
	['it was stopped', () => ({ resultData: { error: {} } }), [ended, sleeping], true],
	['it was deleted', () => undefined, [ended, sleeping], true],
	['the database does not answer', noAnswer, [ended, sleeping], false],
	['nothing renders any more', () => undefined, [ended], false],
])('whether the caller is gone: %s', async (_what, stored, videos, gone) => {
	const getExecutionDataById = async (id: string) => (id === '17' ? stored() : undefined);
	const context = { getExecutionDataById } as unknown as IExecuteFunctions;
	expect(await isCallerGone(context, videos)).toBe(gone);
});
