import type { IDataObject } from 'n8n-workflow';

import type { Plan, RequestRecord } from '../../../sandbox/service';
import { until } from '../../support/clock';
import {
	plannedRows,
	promptsOf,
	toInput,
	useStage,
	videoGenerate,
	videoStatus,
} from '../../support/stage';
import {
	always,
	failing,
	LATER,
	RETRY_ON_FAIL,
	row,
	searchable,
	testFaults,
	type FaultRow,
} from './support/faults';

// Stop at each stage: what is paid for stays known, and nothing is submitted any more.

const isUnderWay = (path: RegExp) => (requests: RequestRecord[]) =>
	requests.some((request) => path.test(request.path));
const isToldToWait = (requests: RequestRecord[]) => requests.some(({ status }) => status === 429);
const submits = isUnderWay(/generations$/);
const polls = isUnderWay(/generations\/.+/);
const unclear = failing(/^The video may or may not have been accepted/, { retryable: false });

const stops: FaultRow[] = [
	row('a submit is under way and answers soon', { submit: { delayMs: 100 } }, 'queued', {
		stopWhen: submits,
		looks: 0,
	}),
	row('a submit is under way and never answers', { submit: 'acceptThenHang' }, unclear, {
		settings: RETRY_ON_FAIL,
		stopWhen: submits,
	}),
	row('a refused submit waits for its next try', { submit: always(LATER) }, 'no item', {
		stopWhen: isToldToWait,
		paid: 0,
	}),
	row('polling sleeps', { outcome: 'never', poll: ['ok', LATER] }, 'IN_PROGRESS', {
		stopWhen: isToldToWait,
		looks: 2,
	}),
	row('a poll is under way', { poll: 'hang' }, 'queued', { stopWhen: polls, looks: 1 }),
	row('a download is under way', { renderMs: 0, content: 'stall' }, 'SUCCESS', {
		parameters: { downloadVideo: true },
		stopWhen: isUnderWay(/content$/),
	}),
];

const stage = useStage();
testFaults(stage, stops);

it('a large batch: nothing more is submitted, and each item has its own ID', async () => {
	const { engine, sandbox, credentials } = stage;
	const concurrency = 3;
	const items = plannedRows(...Array<Plan>(40).fill({ renderMs: 60_000, submit: { delayMs: 20 } }));
	const node = videoGenerate({ options: { polling: { concurrency, pollInterval: 60 } } });
	const execution = engine.start({ node, items, credentials });
	await until(() => sandbox.tasks().length > 9);
	const submitted = sandbox.submissions().length;
	await execution.stop();
	const result = await execution.done;
	// Those on their way have left before the stop.
	expect(sandbox.submissions().length).toBeLessThanOrEqual(submitted + concurrency);
	const [output] = result.outputs();
	const itemOf = ({ pairedItem }: { pairedItem?: unknown }) =>
		(pairedItem as { item: number }).item;
	expect(promptsOf(stage, output)).toEqual(output.map((one) => items[itemOf(one)].json.prompt));
	expect(output).toHaveLength(sandbox.tasks().length);
	// n8n stores nothing of what a node returns after a stop.
	const { metadata } = result.saved.data.resultData;
	expect(searchable(metadata).length).toBeGreaterThanOrEqual(10 - concurrency);
	expect(metadata?.video_note).toMatch(/continue and are billed/);
});

it('Video Status keeps the IDs, and looks no more', async () => {
	const { engine, sandbox, credentials } = stage;
	await stage.run(videoGenerate({ wait: 'none' }), plannedRows({ poll: always(LATER) }));
	const [{ task_id }] = sandbox.tasks();
	const execution = engine.start({ node: videoStatus(), items: toInput({ task_id }), credentials });
	await until(() => sandbox.count({ status: 429 }) === 1);
	await execution.stop();
	const [{ json }] = (await execution.done).outputs().flat();
	expect(((json.error ?? json) as IDataObject).task_id).toBe(task_id);
	expect(sandbox.polls()).toHaveLength(1);
});
