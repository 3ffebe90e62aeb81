import type { Plan } from '../../../sandbox/service';
import { durable, FAILS, jsonOf, rows, SLOW, useDurableStage } from './support/stage';

const stage = useDurableStage();

describe('Retry execution', () => {
	/** The second submit is refused once, which ends the execution before it sleeps. */
	const failed = async (first: Plan) =>
		await stage.begin({ node: durable(), items: rows(first, { submit: ['forbidden'] }) });
	const tasksOf = (i: number) =>
		stage.sandbox.tasks().filter(({ prompt }) => prompt.startsWith(`video ${i}`)).length;

	it('picks up what was paid for, and waits for it durably', async () => {
		const result = await stage.toEnd(await stage.engine.retry(await failed({})));
		expect(jsonOf(result.outputs()[0])).toMatchObject([
			{ status: 'SUCCESS', reused: true },
			{ status: 'SUCCESS', reused: false },
		]);
		expect([0, 1].map(tasksOf)).toEqual([1, 1]);
		expect(result.customData.video_task_ids.split(',').sort()).toEqual(stage.taskIds().sort());
	});

	it('submits a task that ended in FAILURE anew', async () => {
		const first = await failed({ ...FAILS, renderMs: 0 });
		const result = await stage.toEnd(await stage.engine.retry(first));
		expect(result.error?.message).toMatch(/could not be rendered: .*\[item 0\]/);
		expect([0, 1].map(tasksOf)).toEqual([2, 1]);
	});

	it('costs nothing after a sleep: n8n says the same again without running the node', async () => {
		const first = await stage.runThrough({ node: durable(), items: rows({}, FAILS) });
		const again = await stage.toEnd(await stage.engine.retry(first));
		expect(again.error?.message).toMatch(/could not be rendered/);
		expect(stage.sandbox.submissions()).toHaveLength(2);
	});
});

it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'Retry On Fail, %s: a first item that has failed lets nothing run beside the sleep',
	async (onError) => {
		const tries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const items = rows({ submit: { always: 'badRequest' } }, SLOW, SLOW);
		const sleeping = await stage.begin({ node: durable({}, { ...tries, onError }), items });
		expect(stage.subExecutions()).toHaveLength(2);
		expect(stage.sandbox.submissions()).toHaveLength(3);
		const received = jsonOf((await stage.toEnd(sleeping)).outputs().flat());
		expect(received.flatMap(({ task_id }) => task_id ?? [])).toEqual(stage.taskIds());
		expect(received.filter(({ error }) => error)).toHaveLength(1);
	},
);
