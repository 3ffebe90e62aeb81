import { readRoutes } from '../../../nodes/shared/service/routes';
import { createBatch } from '../../../nodes/VideoGenerate/generateVideos';
import { createProgress } from '../../../nodes/VideoGenerate/progress';
import type { VideoJob } from '../../../nodes/VideoGenerate/job';
import type { Connection } from '../../../nodes/shared/service/connection';
import { makeRun } from '../../support/makeRun';
import { toFact } from '../../../nodes/shared/task/wish';

/** An n8n that can wait durably, as far as that is asked of it. */
const CAN_SLEEP = {
	onExecutionFinish: () => {},
	sendMessageToUI: () => {},
	getKnownNodeTypes: () => ({ 'n8n-nodes-base.wait': {} }),
	getWorkflow: () => ({ id: '1' }),
	getExecutionId: () => '1',
	getContext: () => ({}),
	getParentNodes: () => [],
	getWorkflowDataProxy: () => ({
		$runIndex: 0,
		$execution: { customData: { get: () => undefined, set: () => {} } },
	}),
};

const toJob = (itemIndex: number): VideoJob => ({
	...{
		itemIndex,
		wish: { prompt: toFact(itemIndex) },
		model: 'm',
		requestFor: () => ({ model: 'm', prompt: String(itemIndex) }),
		loadBytes: async () => Buffer.alloc(0),
	},
	...{
		wait: 'durable',
		headStartMs: 0,
		maxWaitMs: 60_000,
		pollIntervalMs: 1,
	},
	...{ timeOutFails: true, briefly: false, rawResponse: false, dryRun: false },
	...{ downloadVideo: false, binaryProperty: 'data', notes: [] },
	concurrency: 1,
});

/** A connection to New API that answers so. */
const openTo = (send: unknown) =>
	({
		...{ baseUrl: 'https://api.example.com', send, requestBody: 'auto', writesByModel: true },
		traits: { routes: readRoutes({}), isNewApi: true },
	}) as unknown as Connection;

it('a video that is ready when a failure ends the run keeps its task, though its download never begins', async () => {
	const run = makeRun({ parameters: [{}], more: CAN_SLEEP });
	const send = async ({ body }: { body?: object }) => {
		if (!body) run.onFailure();
		const task = { task_id: 'task_1', status: 'SUCCESS', result_url: 'https://a.example/v.mp4' };
		return { status: 200, headers: {}, body: JSON.stringify(task) };
	};
	const connection = openTo(send);
	const job: VideoJob = { ...toJob(0), wait: 'inProcess', downloadVideo: true };
	const batch = createBatch(run, connection, [job], Infinity, createProgress(run));

	expect(await batch.work(job)).toMatchObject({ json: { task_id: 'task_1', status: 'SUCCESS' } });
});
