import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import type { RunResult } from '../../support/engine';
import { planned, toInput, useStage, videoGenerate } from '../../support/stage';
import { searchable } from './accounts';
import { MODES } from './play';

const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
/** Five in a row end a try. */
const refusedFor = (tries: number): Plan => ({ poll: Array(5 * tries).fill('unauthorized') });

/** Creates one task, and is used up then. */
const BUDGET = ['sandbox', 'budget', 1].join('-');

const stage = useStage();

const toRows = (...plans: Plan[]) =>
	toInput(...plans.map((plan, i) => ({ prompt: planned(`video ${i}`, plan) })));
const run = async (node: ReturnType<typeof videoGenerate>, ...plans: Plan[]) =>
	await stage.engine.run({ node, items: toRows(...plans), credentials: stage.credentials });
const taskIds = () => stage.sandbox.tasks().map(({ task_id }) => task_id);
const jsonOf = (result: RunResult) => result.outputs()[0].map(({ json }) => json);
const ledgerOf = ({ contextData }: RunResult) =>
	Object.values(
		contextData['node:Node Under Test'].paidTasks as Record<string, IDataObject[]>,
	).flat();

describe('Retry On Fail', () => {
	it.each(MODES)('%s: three tries, each video paid for once', async (onError) => {
		const node = videoGenerate({}, { ...RETRY_ON_FAIL, onError });
		const result = await run(node, refusedFor(2), {}, { renderMs: 200 });
		expect(result.status).toBe('success');
		expect(jsonOf(result)).toEqual(
			taskIds().map(() => expect.objectContaining({ status: 'SUCCESS', reused: true })),
		);
		expect(
			jsonOf(result)
				.map(({ task_id }) => task_id)
				.sort(),
		).toEqual(taskIds().sort());
		expect(stage.sandbox.submissions()).toHaveLength(3);
		expect(result.hints().at(-1)?.message).toMatch(
			/3 videos done.* 3 picked up from an earlier try/,
		);
	});

	it.each(MODES)('%s: a task that ended in FAILURE is submitted anew', async (onError) => {
		const node = videoGenerate({}, { ...RETRY_ON_FAIL, onError });
		const result = await run(node, { outcome: 'FAILURE', renderMs: 0 }, { renderMs: 0 });
		const ofItem =
			(i: number) =>
			({ prompt }: { prompt: string }) =>
				prompt.startsWith(`video ${i}`);
		expect(stage.sandbox.tasks().filter(ofItem(0))).toHaveLength(3);
		expect(stage.sandbox.tasks().filter(ofItem(1))).toHaveLength(1);
		// No item tells of the tries before the last one.
		expect(searchable(result.customData).sort()).toEqual(taskIds().sort());
	});

	it('without Reuse Paid Task on Retry, every try is paid for', async () => {
		const node = videoGenerate({ options: { reuseTask: false } }, RETRY_ON_FAIL);
		// The next try meets another task, whose polls are refused in turn.
		const result = await run(node, refusedFor(1));
		expect(result.status).toBe('error');
		expect(taskIds()).toHaveLength(3);
		expect(searchable(result.customData)).toEqual(taskIds());
	});
});

describe('"Retry execution"', () => {
	it('picks up what was submitted and submits the rest', async () => {
		const { engine, sandbox } = stage;
		// The last one still waits for its second try when the run ends.
		const failed = await run(videoGenerate(), {}, refusedFor(1), { submit: 'rateLimited' });
		expect(failed.status).toBe('error');
		expect(taskIds()).toHaveLength(2);
		expect(ledgerOf(failed).map(({ task_id }) => task_id)).toEqual(taskIds());

		const retried = await engine.retry(failed);
		expect(retried.status).toBe('success');
		expect(jsonOf(retried).map(({ reused }) => reused)).toEqual([true, true, false]);
		expect(sandbox.tasks()).toHaveLength(3);
		expect(searchable(retried.customData)).toEqual(taskIds());
	});

	it('keeps when the task was submitted', async () => {
		const failed = await run(videoGenerate(), refusedFor(1));
		const [{ task_id, submitted_at }] = ledgerOf(failed);
		const [json] = jsonOf(await stage.engine.retry(failed));
		expect(json).toMatchObject({ task_id, reused: true });
		expect(json.submitted_at).toBe(new Date(submitted_at as number).toISOString());
	});

	it('goes on with a key that has money again', async () => {
		const { engine, credentials, sandbox } = stage;
		const { videoGenerationApi } = credentials;
		const budget = { videoGenerationApi: { ...videoGenerationApi, apiKey: BUDGET } };
		const items = toRows({}, {});
		const failed = await engine.run({ node: videoGenerate(), items, credentials: budget });
		expect(failed.status).toBe('error');
		const retried = await engine.retry(failed, { credentials });
		expect(jsonOf(retried).map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS']);
		expect(sandbox.tasks()).toHaveLength(2);
	});

	it('knows the service by another spelling of its address', async () => {
		const { engine, credentials, sandbox } = stage;
		const failed = await run(videoGenerate(), refusedFor(1));
		const { videoGenerationApi } = credentials;
		const baseUrl = String(videoGenerationApi.baseUrl)
			.replace('http:', 'HTTP:')
			.replace(/127\.0\.0\.1|localhost/, (host) => (host === 'localhost' ? 'LOCALHOST' : '127.1'));
		expect(baseUrl).not.toBe(videoGenerationApi.baseUrl);
		const spelled = { videoGenerationApi: { ...videoGenerationApi, baseUrl } };
		const retried = await engine.retry(failed, { credentials: spelled });
		expect(jsonOf(retried)).toMatchObject([{ status: 'SUCCESS', reused: true }]);
		expect(sandbox.tasks()).toHaveLength(1);
	});

	it.each(MODES)('%s: tells the task though the credential is broken', async (onError) => {
		const { engine, credentials } = stage;
		const failed = await run(videoGenerate(), refusedFor(1));
		const [task_id] = taskIds();
		const { videoGenerationApi } = credentials;
		const broken = { videoGenerationApi: { ...videoGenerationApi, baseUrl: 'not an address' } };
		const node = videoGenerate({}, { onError });
		const retried = await engine.retry(failed, { node, credentials: broken });
		if (onError === 'stopWorkflow') {
			expect(JSON.stringify(retried.error)).toContain(task_id);
			return;
		}
		const [{ json }] = retried.outputs()[onError === 'continueErrorOutput' ? 1 : 0];
		expect(json.error).toMatchObject({ task_id, next: 'followTask' });
	});

	it('submits a task anew that ended in FAILURE', async () => {
		const failed = await run(videoGenerate(), { outcome: 'FAILURE', renderMs: 0 });
		expect(ledgerOf(failed)).toMatchObject([{ failedIn: expect.any(String) }]);
		const retried = await stage.engine.retry(failed);
		expect(retried.error?.message).toContain(taskIds()[1]);
		expect(taskIds()).toHaveLength(2);
	});

	it('submits nothing again after an unclear answer', async () => {
		const failed = await run(videoGenerate(), { submit: 'acceptThen500' });
		expect(failed.error?.message).toMatch(/may or may not have been accepted/);
		expect(stage.sandbox.submissions()).toHaveLength(1);
		const retried = await stage.engine.retry(failed);
		expect(retried.error?.message).toMatch(/may or may not have been accepted/);
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});

	it('with another prompt in the saved workflow, is another video', async () => {
		const { engine, sandbox, credentials } = stage;
		const failed = await run(videoGenerate(), refusedFor(1));
		const node = videoGenerate({ prompt: 'Another boat' });
		const retried = await engine.retry(failed, { node, credentials });
		expect(jsonOf(retried)).toMatchObject([{ status: 'SUCCESS', reused: false }]);
		expect(
			sandbox
				.tasks()
				.map(({ prompt }) => prompt)
				.at(-1),
		).toBe('Another boat');
		expect(sandbox.tasks()).toHaveLength(2);
	});
});
