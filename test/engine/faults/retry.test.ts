import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import type { EngineNode, RunResult } from '../../support/engine';
import {
	inLoop,
	MODES,
	planned,
	plannedRows,
	toInput,
	useStage,
	videoGenerate,
} from '../../support/stage';
import { searchable } from './accounts';
import { always, RETRY_ON_FAIL, times } from './play';

/** Five in a row end a try. */
const refusedFor = (tries: number): Plan => ({ poll: times('unauthorized', 5 * tries) });

const stage = useStage();

const run = async (node: EngineNode, ...plans: Plan[]) =>
	await stage.run(node, plannedRows(...plans));
const taskIds = () => stage.sandbox.tasks().map(({ task_id }) => task_id);
const jsonOf = (result: RunResult) => result.outputs()[0].map(({ json }) => json);
const ledgerOf = ({ contextData }: RunResult) =>
	contextData['node:Node Under Test'].paid as Array<IDataObject & { task: IDataObject }>;

describe('Retry On Fail', () => {
	it.each(MODES)('%s: three tries, each video paid for once', async (onError) => {
		const node = videoGenerate({}, { ...RETRY_ON_FAIL, onError });
		const result = await run(node, refusedFor(2), {}, { renderMs: 200 });
		expect(result.status).toBe('success');
		const ids = jsonOf(result).map(({ task_id, status, reused }) => {
			expect({ status, reused }).toEqual({ status: 'SUCCESS', reused: true });
			return task_id;
		});
		expect(ids.sort()).toEqual(taskIds().sort());
		expect(stage.sandbox.submissions()).toHaveLength(3);
	});

	it.each(MODES)('%s: a task that ended in FAILURE is submitted anew', async (onError) => {
		const node = videoGenerate({}, { ...RETRY_ON_FAIL, onError });
		const result = await run(node, { outcome: 'FAILURE', renderMs: 0 }, { renderMs: 0 });
		const begins = stage.sandbox.tasks().map(({ prompt }) => prompt.slice(0, 'video 0'.length));
		expect(begins.sort()).toEqual([...times('video 0', 3), 'video 1']);
		// No item tells of the tries before the last one.
		expect(searchable(result.customData).sort()).toEqual(taskIds().sort());
	});
});

/** As New API of Veo once Google has forgotten a task that it had finished. */
const FORGOTTEN: Plan = {
	renderMs: 0,
	poll: ['ok', always({ status: 200, json: { code: 'success', data: { status: 'FAILURE' } } })],
};

it.each(['Retry On Fail', '"Retry execution"'])(
	'%s brings a finished video though its record says FAILURE by now',
	async (how) => {
		const more = how === 'Retry On Fail' ? RETRY_ON_FAIL : {};
		const node = videoGenerate({ downloadVideo: true }, more);
		let last = await run(node, FORGOTTEN, refusedFor(1));
		if (how !== 'Retry On Fail') last = await stage.engine.retry(last);
		expect(last.status).toBe('success');
		expect(jsonOf(last).map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS']);
		expect(last.outputs()[0][0].binary).toBeDefined();
		expect(taskIds()).toHaveLength(2);
	},
);

describe('"Retry execution"', () => {
	const credentialsWith = (changes: IDataObject) => ({
		videoGenerationApi: { ...stage.credentials.videoGenerationApi, ...changes },
	});

	it('picks up what was submitted and submits the rest', async () => {
		// The last one still waits for its second try when the run ends.
		const failed = await run(videoGenerate(), {}, refusedFor(1), { submit: 'rateLimited' });
		expect(failed.status).toBe('error');
		expect(taskIds()).toHaveLength(2);
		expect(ledgerOf(failed).map(({ task }) => task.task_id)).toEqual(taskIds());
		const submitted = ledgerOf(failed).map(({ submittedAtMs }) => submittedAtMs as number);

		const retried = await stage.engine.retry(failed);
		expect(retried.status).toBe('success');
		expect(jsonOf(retried).map(({ reused }) => reused)).toEqual([true, true, false]);
		expect(jsonOf(retried).slice(0, 2)).toMatchObject(
			submitted.map((at) => ({ submitted_at: new Date(at).toISOString() })),
		);
		expect(taskIds()).toHaveLength(3);
		expect(searchable(retried.customData)).toEqual(taskIds());
	});

	it.each(MODES)('%s: tells the task though the credential is broken', async (onError) => {
		const failed = await run(videoGenerate(), refusedFor(1));
		const [task_id] = taskIds();
		const credentials = credentialsWith({ baseUrl: 'not an address' });
		const node = videoGenerate({}, { onError });
		const retried = await stage.engine.retry(failed, { node, credentials });
		if (onError === 'stopWorkflow') {
			expect(JSON.stringify(retried.error)).toContain(task_id);
			return;
		}
		const [{ json }] = retried.outputs()[onError === 'continueErrorOutput' ? 1 : 0];
		expect(json.error).toMatchObject({ task_id, next: 'followTask' });
	});

	it('tells all that is paid for or unclear where one item cannot be read', async () => {
		const failed = await run(videoGenerate(), refusedFor(1), { submit: ['acceptThen502'] }, {});
		const maxWait = "={{ $itemIndex === 0 ? 'x' : 5 }}";
		const node = videoGenerate({ options: { maxWait } });
		const { credentials } = stage;
		const { error } = await stage.engine.retry(failed, { node, credentials });
		expect(error?.message).toMatch(/^Max Wait .*must be a number greater than 0 \[item 0\]$/);
		const [first, , third] = taskIds();
		expect(error?.description).toMatch(
			new RegExp(`Task ID: ${first}\\. .* 1 other is billed: \\[item 2\\] ${third}\\.`),
		);
		expect(error?.description).toMatch(/Also unclear, and perhaps billed: \[item 1\]\./);
	});
});

describe('what only looks like a retry', () => {
	it('two identical items are two videos, also after a retry', async () => {
		const prompt = planned('the same', refusedFor(1));
		const node = videoGenerate({}, { ...RETRY_ON_FAIL, onError: 'continueRegularOutput' });
		const request = { node, items: toInput({ prompt }, { prompt }) };
		const result = await stage.engine.run({ ...request, credentials: stage.credentials });
		expect(new Set(jsonOf(result).map(({ task_id }) => task_id))).toEqual(new Set(taskIds()));
		expect(stage.sandbox.submissions()).toHaveLength(2);
	});

	const loop = async (...prompts: string[]) =>
		await stage.engine.run({
			...inLoop(videoGenerate()),
			items: toInput(...prompts.map((prompt) => ({ prompt }))),
			credentials: stage.credentials,
		});

	it('the passes of a loop are separate videos', async () => {
		const result = await loop('the same', 'the same', 'the same');
		const ids = result.outputs('End')[0].map(({ json }) => json.task_id);
		expect(new Set(ids).size).toBe(3);
		expect(ids).toEqual(taskIds());
	});

	it('a loop that failed in a later pass goes on there', async () => {
		const failed = await loop('the same', planned('refused', refusedFor(1)), 'the same');
		expect(failed.status).toBe('error');
		const retried = await stage.engine.retry(failed);
		const items = retried.outputs('End')[0].map(({ json }) => json);
		expect(items.map(({ reused }) => reused)).toEqual([false, true, false]);
		expect(items.map(({ task_id }) => task_id)).toEqual(taskIds());
	});
});
