import { planned, toInput, useStage, videoGenerate, videoStatus } from '../../support/stage';

const stage = useStage();

/** Submits one video for each plan and gives their ids. */
async function submitAll(...plans: Array<Parameters<typeof planned>[1]>): Promise<string[]> {
	const result = await stage.engine.run({
		node: videoGenerate({ wait: 'none' }),
		items: toInput(...plans.map((plan, i) => ({ prompt: planned(`video ${i}`, plan) }))),
		credentials: stage.credentials,
	});
	return result.outputs()[0].map(({ json }) => json.task_id as string);
}

const look = async (
	ids: string[],
	parameters = {},
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput' = 'stopWorkflow',
) =>
	await stage.engine.run({
		node: videoStatus(parameters, { onError }),
		items: toInput(...ids.map((task_id) => ({ task_id }))),
		credentials: stage.credentials,
	});

describe('Video Status', () => {
	it('sends each task down the output of its state', async () => {
		const ids = await submitAll(
			{ renderMs: 0 },
			{ renderMs: 60_000 },
			{ renderMs: 0, outcome: 'FAILURE', failReason: 'Too dark' },
			{ renderMs: 0, outcome: 'filtered' },
		);
		const outputs = (await look(ids)).outputs();
		expect(outputs.map((items) => items.map(({ json }) => json.task_id))).toEqual([
			[ids[0]],
			[ids[1]],
			[ids[2], ids[3]],
		]);
		expect(outputs[0][0].json).toEqual({
			task_id: ids[0],
			status: 'SUCCESS',
			progress: 100,
			result_url: expect.stringMatching(/^http/),
			finished_at: expect.any(String),
			poll_count: 1,
			reused: false,
		});
		expect(outputs[2][0].json.fail_reason).toBe('Too dark');
		expect(outputs[2][1].json.fail_reason).toMatch(/gives no link to the video/);
		expect(outputs[2].map(({ pairedItem }) => pairedItem)).toEqual([{ item: 2 }, { item: 3 }]);
	});

	it('has one output without routing', async () => {
		const ids = await submitAll({ renderMs: 0 }, { renderMs: 60_000 });
		const outputs = (await look(ids, { routeByState: false })).outputs();
		expect(outputs.map((items) => items.length)).toEqual([2]);
	});

	it('has one output for an agent, which hears no other', async () => {
		const ids = await submitAll({ renderMs: 0 });
		const result = await stage.engine.run({
			node: videoStatus({}, { rewireOutputLogTo: 'ai_tool' }),
			items: toInput({ task_id: ids[0] }),
			credentials: stage.credentials,
		});
		const outputs = result.runs()[0].data?.ai_tool;
		expect(outputs).toHaveLength(1);
		expect(outputs?.[0]?.[0].json).toMatchObject({ task_id: ids[0] });
	});

	it('looks through passing faults and counts its looks', async () => {
		const [id] = await submitAll({ renderMs: 0, poll: ['html502'] });
		const [[item]] = (await look([id])).outputs();
		expect(item.json).toMatchObject({ status: 'SUCCESS', poll_count: 2 });
	}, 10_000);

	it('carries the history of the item through a loop', async () => {
		const [id] = await submitAll({ renderMs: 0 });
		const known = { task_id: id, submitted_at: '2026-01-01T00:00:00.000Z', poll_count: 4 };
		const result = await stage.engine.run({
			node: videoStatus(),
			items: toInput(known),
			credentials: stage.credentials,
		});
		expect(result.outputs()[0][0].json).toMatchObject({ ...known, poll_count: 5 });
	});

	it('names an unknown task and its id', async () => {
		const result = await look(['task_nobody']);
		expect(result.error?.message).toMatch(
			/could not be checked.*does not know this task.*task_nobody/,
		);
	}, 10_000);

	it('Continue: failing looks leave by Failed', async () => {
		const outputs = (await look([''], {}, 'continueRegularOutput')).outputs();
		expect(outputs.map((items) => items.length)).toEqual([0, 0, 1]);
		expect(outputs[2][0].json.error).toMatchObject({ message: 'Task ID is empty [item 0]' });
	});

	it('Continue (using error output): failing looks leave by the error output', async () => {
		const [id] = await submitAll({ renderMs: 0 });
		const outputs = (await look([id, ''], {}, 'continueErrorOutput')).outputs();
		expect(outputs.map((items) => items.length)).toEqual([1, 0, 0, 1]);
	});
});
