import type { IExecuteFunctions } from 'n8n-workflow';

import { isCallerGone } from '../../../../nodes/shared/durable/subExecution';
import type { BatchVideo } from '../../../../nodes/shared/durable/sleepingVideo';

const ended: BatchVideo = { item: 0, result: { json: { task_id: 'task_0' } } };
const sleeping = { item: 1, callerId: '17', render: {}, wishes: {} } as unknown as BatchVideo;

/** What n8n has stored of execution 17. */
async function isGone(stored: () => unknown, videos: BatchVideo[] = [ended, sleeping]) {
	const getExecutionDataById = async (id: string) => (id === '17' ? stored() : undefined);
	return await isCallerGone({ getExecutionDataById } as unknown as IExecuteFunctions, videos);
}

describe('isCallerGone', () => {
	it('is false while the caller sleeps', async () => {
		expect(await isGone(() => ({ resultData: { runData: {} } }))).toBe(false);
	});

	it('is true once it was stopped: n8n stores the reason', async () => {
		expect(await isGone(() => ({ resultData: { error: { message: 'canceled' } } }))).toBe(true);
	});

	it('is true once it was deleted', async () => {
		expect(await isGone(() => undefined)).toBe(true);
	});

	it('is false where the database does not answer: a check costs nothing', async () => {
		const noAnswer = () => {
			throw new Error('SQLITE_BUSY');
		};
		expect(await isGone(noAnswer)).toBe(false);
	});

	it('does not matter where nothing renders any more', async () => {
		expect(await isGone(() => undefined, [ended])).toBe(false);
		expect(await isGone(() => undefined, [])).toBe(false);
	});
});
