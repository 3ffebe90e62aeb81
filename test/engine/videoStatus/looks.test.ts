import type { IDataObject } from 'n8n-workflow';

import {
	type Mode,
	planned,
	toInput,
	useStage,
	videoGenerate,
	videoStatus,
} from '../../support/stage';

const stage = useStage();

/** Submits one video for each plan and gives their ids. */
async function submitAll(...plans: Array<Parameters<typeof planned>[1]>): Promise<string[]> {
	const result = await stage.run(
		videoGenerate({ wait: 'none' }),
		toInput(...plans.map((plan, i) => ({ prompt: planned(`video ${i}`, plan) }))),
	);
	return result.outputs()[0].map(({ json }) => json.task_id as string);
}

const look = async (
	tasks: Array<string | IDataObject>,
	parameters = {},
	onError: Mode = 'stopWorkflow',
) =>
	await stage.run(
		videoStatus(parameters, { onError }),
		toInput(...tasks.map((task) => (typeof task === 'string' ? { task_id: task } : task))),
	);

describe('Video Status', () => {
	it('sends each task down the output of its state', async () => {
		const ids = await submitAll(
			{ renderMs: 0 },
			{ renderMs: 60_000 },
			{ renderMs: 0, outcome: 'FAILURE', failReason: 'Too dark' },
		);
		const outputs = (await look(ids)).outputs();
		expect(outputs.map((items) => items.map(({ json }) => json.task_id))).toEqual([
			[ids[0]],
			[ids[1]],
			[ids[2]],
		]);
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
		const ids = await submitAll({ renderMs: 0 }, { renderMs: 60_000 });
		const one = (await look(ids, { routeByState: false })).outputs();
		expect(one.map((items) => items.length)).toEqual([2]);
		const result = await stage.run(
			videoStatus({}, { rewireOutputLogTo: 'ai_tool' }),
			toInput({ task_id: ids[0] }),
		);
		const outputs = result.runs()[0].data?.ai_tool;
		expect(outputs).toHaveLength(1);
		expect(outputs?.[0]?.[0].json).toMatchObject({ task_id: ids[0] });
	});

	it('looks through passing faults and goes on counting', async () => {
		const [task_id] = await submitAll({ renderMs: 0, poll: ['html502'] });
		// As in a loop, the item holds what is known so far.
		const earlier = { task_id, submitted_at: '2026-01-01T00:00:00.000Z', poll_count: 4 };
		const [[item]] = (await look([earlier])).outputs();
		expect(item.json).toMatchObject({ ...earlier, status: 'SUCCESS', poll_count: 6 });
	}, 10_000);

	it.each([
		['continueRegularOutput', [1, 0, 1]],
		['continueErrorOutput', [1, 0, 0, 1]],
	] as const)(
		'%s: failing looks leave by Failed, or by the error output',
		async (onError, counts) => {
			const [id] = await submitAll({ renderMs: 0 });
			const outputs = (await look([id, ''], {}, onError)).outputs();
			expect(outputs.map((items) => items.length)).toEqual(counts);
			const message = 'Task ID is empty [item 1]';
			expect(outputs.at(-1)![0].json.error).toMatchObject({ message });
		},
	);
});
