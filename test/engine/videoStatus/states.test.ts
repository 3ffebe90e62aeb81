import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import { hurry } from '../../support/clock';
import {
	type Mode,
	plannedRows,
	to,
	toInput,
	useStage,
	videoGenerate,
	videoStatus,
} from '../../support/stage';

const stage = useStage();
const DONE: Plan = { renderMs: 0 };
const RENDERS: Plan = { renderMs: 60_000 };

/** Submits one video for each plan and gives their IDs. */
async function submitAll(...plans: Plan[]): Promise<string[]> {
	const { outputs } = await stage.run(videoGenerate({ wait: 'none' }), plannedRows(...plans));
	return outputs()[0].map(({ json }) => json.task_id as string);
}

const check = async (rows: IDataObject[], parameters = {}, onError: Mode = 'stopWorkflow') =>
	(await stage.run(videoStatus(parameters, { onError }), toInput(...rows))).outputs();

it('sends each task down the output of its state', async () => {
	const failing: Plan = { ...DONE, outcome: 'FAILURE', failReason: 'Too dark' };
	const ids = await submitAll(DONE, RENDERS, failing);
	const outputs = await check(ids.map((task_id) => ({ task_id })));
	expect(outputs.map((items) => items.map(({ json }) => json.task_id))).toEqual(
		ids.map((id) => [id]),
	);
	expect(outputs[0][0].json).toEqual({
		task_id: ids[0],
		status: 'SUCCESS',
		progress: 100,
		result_url: expect.stringMatching(/^http/),
		finished_at: expect.any(String),
		poll_count: 1,
		reused: false,
		billed: 'yes',
	});
	expect(outputs[2][0].json.fail_reason).toBe('Too dark');
	expect(outputs[2].map(({ pairedItem }) => pairedItem)).toEqual([{ item: 2 }]);
});

it('has one output without routing, and for an agent, which hears no other', async () => {
	const [task_id, other] = await submitAll(DONE, RENDERS);
	const one = await check([{ task_id }, { task_id: other }], { routeByState: false });
	expect(one.map((items) => items.length)).toEqual([2]);
	const node = videoStatus({}, { rewireOutputLogTo: 'ai_tool' });
	const outputs = (await stage.run(node, toInput({ task_id }))).runs()[0].data!.ai_tool;
	expect(outputs).toMatchObject([[{ json: { task_id } }]]);
});

it('sees through passing faults, and counts on from what its item holds, as in a loop', async () => {
	const [task_id] = await submitAll({ ...DONE, poll: ['html502'] });
	const earlier = { task_id, submitted_at: '2026-01-01T00:00:00.000Z', poll_count: 4 };
	const haste = hurry(100);
	const [[{ json }]] = await check([earlier]).finally(haste.restore);
	expect(json).toMatchObject({ ...earlier, status: 'SUCCESS', poll_count: 6 });
});

it('a loop with Wait goes on while the record is empty (xAI)', async () => {
	const EMPTY = { status: 202, text: '' };
	const [task_id] = await submitAll({ ...DONE, poll: [EMPTY, EMPTY] });
	const result = await stage.engine.run({
		nodes: [
			{ name: 'Click', type: 'n8n-nodes-base.manualTrigger' },
			{ ...videoStatus(), name: 'Status' },
			{ name: 'Wait', type: 'n8n-nodes-base.noOp' },
			{ name: 'End', type: 'n8n-nodes-base.noOp' },
		],
		connections: {
			Click: { main: [to('Status')] },
			Status: { main: [to('End'), to('Wait')] },
			Wait: { main: [to('Status')] },
		},
		items: toInput({ task_id }),
		credentials: stage.credentials,
	});
	expect(result.runs('Status')).toHaveLength(3);
	expect(stage.sandbox.polls()).toHaveLength(3);
	expect(result.outputs('End')[0][0].json).toMatchObject({ status: 'SUCCESS', poll_count: 3 });
});

it.each([
	['continueRegularOutput', [1, 0, 1]],
	['continueErrorOutput', [1, 0, 0, 1]],
] as const)(
	'%s: failing checks leave by Failed, or by the error output',
	async (onError, counts) => {
		const [task_id] = await submitAll(DONE);
		const outputs = await check([{ task_id }, { task_id: '' }], {}, onError);
		expect(outputs.map((items) => items.length)).toEqual(counts);
		const error = { message: 'Task ID is empty [item 1]' };
		expect(outputs.at(-1)).toMatchObject([{ json: { error } }]);
	},
);
