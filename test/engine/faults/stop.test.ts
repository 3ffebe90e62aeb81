import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import { until } from '../../support/clock';
import type { RunRequest, RunResult } from '../../support/engine';
import {
	plannedRows,
	promptsOf,
	toInput,
	useStage,
	videoGenerate,
	videoStatus,
} from '../../support/stage';
import { searchable } from './accounts';
import { LATER } from './play';

/** Far above the second that it takes; a node that hangs would take a minute. */
const HANGS_MS = 3000;

const stage = useStage();

/** Runs, and stops as soon as `holds()`. */
async function stopWhen(request: RunRequest, holds: () => boolean) {
	const execution = stage.engine.start({ credentials: stage.credentials, ...request });
	await until(holds);
	const submitted = stage.sandbox.submissions().length;
	const stoppedAt = Date.now();
	await execution.stop();
	const result = await execution.done;
	expect(result.status).toBe('canceled');
	return { result, tookMs: Date.now() - stoppedAt, submitted };
}

const rendering = (count: number, plan: Plan) => plannedRows(...Array<Plan>(count).fill(plan));
const idsOf = (items: INodeExecutionData[] = []) => items.map(({ json }) => json.task_id);
const taskIds = () => stage.sandbox.tasks().map(({ task_id }) => task_id);
const knownAtStop = ({ saved }: RunResult) => searchable(saved.data.resultData.metadata ?? {});
// The rows of rows/others.ts have what each stage of a render leaves behind.
describe('Stop, for Video Generate', () => {
	it('submits nothing more of a large batch', async () => {
		const { sandbox } = stage;
		const concurrency = 3;
		const items = rendering(60, { renderMs: 60_000, submit: { delayMs: 20 } });
		const node = videoGenerate({ options: { polling: { concurrency, pollInterval: 60 } } });
		const { result, submitted } = await stopWhen({ node, items }, () => sandbox.tasks().length > 9);
		// Those on their way have left before the stop.
		expect(sandbox.submissions().length).toBeLessThanOrEqual(submitted + concurrency);
		expect(idsOf(result.outputs()[0]).sort()).toEqual(taskIds().sort());
		expect(knownAtStop(result).length).toBeGreaterThanOrEqual(10 - concurrency);
		expect(taskIds()).toEqual(expect.arrayContaining(knownAtStop(result)));
		expect(result.saved.data.resultData.metadata?.video_note).toMatch(/continue and are billed/);
	});

	it('keeps order, pairing and all ids of a batch that is polled', async () => {
		const { sandbox } = stage;
		const items = rendering(25, { poll: LATER });
		const all = () => sandbox.count({ status: 429 }) === 25;
		const { result, tookMs } = await stopWhen({ node: videoGenerate(), items }, all);
		const [output] = result.outputs();
		expect(promptsOf(stage, output)).toEqual(items.map(({ json }) => json.prompt));
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		expect(knownAtStop(result).sort()).toEqual(taskIds().sort());
		expect(sandbox.submissions()).toHaveLength(25);
		expect(tookMs).toBeLessThan(HANGS_MS);
	});
});

it.each<[string, Plan]>([
	['a look is under way', { poll: 'hang' }],
	['a failed look waits for its next try', { poll: LATER }],
])('Stop, for Video Status, while %s: ends, and keeps the ids', async (_name, plan) => {
	const { sandbox } = stage;
	const node = videoGenerate({ wait: 'none' });
	await stage.run(node, rendering(3, plan));
	const items = toInput(...taskIds().map((task_id) => ({ task_id })));
	const looked = () => sandbox.polls().length === 3;
	const { result, tookMs } = await stopWhen({ node: videoStatus(), items }, looked);
	const shown = result.outputs().flat();
	const ids = shown.map(({ json }) => ((json.error ?? json) as IDataObject).task_id);
	expect(ids.sort()).toEqual(taskIds().sort());
	expect(tookMs).toBeLessThan(HANGS_MS);
});
