import type { SleepingVideo } from '../../../nodes/shared/durable/sleepingVideo';
import { describeSleep, durable, jsonOf, useDurableStage } from './support/stage';
import { rows, SLOW } from './support/videos';

const stage = useDurableStage();
const CONTINUE = { onError: 'continueRegularOutput' } as const;
const workers = () => stage.subExecutions().slice(1);

describeSleep(stage, 'the Sleep node reads its time from the first item', () => {
	it('a first item that ends before the others does not end the worker', async () => {
		const result = await stage.runThrough({ node: durable(), items: rows({}, SLOW) });
		expect(result.status).toBe('success');
		expect(workers().map(({ status, error }) => [status, error?.message])).toEqual([
			['success', undefined],
		]);
		const [first] = stage.taskIds();
		expect(stage.sandbox.polls(first)).toHaveLength(1);
	});

	it('a first item that is refused does not end the wait for the others', async () => {
		const items = rows({ submit: 'forbidden' }, SLOW);
		const result = await stage.runThrough({ node: durable({}, CONTINUE), items });
		expect(jsonOf(result.outputs()[0])).toMatchObject([{ error: {} }, { status: 'SUCCESS' }]);
		expect(workers()).toHaveLength(1);
	});
});

describeSleep(stage, 'Max Wait of an item beside others with a head start', () => {
	it('begins with its submit', async () => {
		const items = rows({ outcome: 'never' }, { renderMs: 1_000 }).map((item, i) => ({
			json: { ...item.json, headStart: i === 0 ? 0 : 60 },
		}));
		const options = { maxWait: 3, headStart: '={{ $json.headStart }}' };
		await stage.begin({ node: durable({ options }), items });
		const [[{ json }]] = workers()[0].outputs('Submitted Videos');
		const { submittedAtMs, deadlineMs } = (json.video as unknown as SleepingVideo).render;
		const waitMs = deadlineMs! - submittedAtMs!;
		expect(Date.parse(json.give_up_at as string)).toBe(deadlineMs);
		expect(waitMs).toBeGreaterThanOrEqual(180_000);
		expect(waitMs).toBeLessThan(180_500);
	});
});

describeSleep(stage, 'EXECUTIONS_DATA_SAVE_ON_PROGRESS, n8n dies between look and sleep', () => {
	it('loses no items', async () => {
		const sleeping = await stage.lookOnce(
			await stage.begin({ node: durable(), items: rows(SLOW, SLOW) }),
		);
		const result = await stage.toEnd(await stage.engine.crash(sleeping, { saveProgress: true }));
		expect(jsonOf(result.outputs()[0])).toMatchObject([
			{ status: 'SUCCESS' },
			{ status: 'SUCCESS' },
		]);
	});
});

describeSleep(stage, 'the old setting Continue On Fail', () => {
	it('keeps the good items beside the failing one', async () => {
		const settings = { continueOnFail: true };
		const items = rows({}, { outcome: 'FAILURE' });
		const result = await stage.runThrough({ node: durable({}, settings), items });
		expect(jsonOf(result.outputs()[0])).toMatchObject([{ status: 'SUCCESS' }, { error: {} }]);
	});
});
