import type { Plan } from '../../../sandbox/service';
import { until } from '../../support/clock';
import { byId, CONTINUE } from '../../support/stage';
import { describeSleep, durable, jsonOf, rows, useDurableStage } from './support/stage';

const stage = useDurableStage();
/** At the first look, after 66 s, it is at 82 percent: 14 s are left. */
const NEAR: Plan = { renderMs: 80_000 };
const FAR: Plan = { renderMs: 600_000 };
const SEEDANCE = 'dreamina-seedance-2-0-fast';

const begin = async (plans: Plan[], { model = SEEDANCE, options = {} } = {}) =>
	await stage.begin({
		node: durable({ model: byId(model), options }, CONTINUE),
		items: rows(...plans),
	});
const seconds = (from: unknown, to: unknown) =>
	(Date.parse(to as string) - Date.parse(from as string)) / 1000;

describeSleep(stage, 'a video that is nearly ready', () => {
	it('is seen when it is, not after another sleep', async () => {
		const result = await stage.lookOnce(await begin([NEAR]));
		expect(result.status).toBe('success');
		const [{ status, submitted_at, finished_at }] = jsonOf(result.outputs()[0]);
		expect(status).toBe('SUCCESS');
		expect(seconds(submitted_at, finished_at)).toBeLessThan(80 + 11);
		expect(stage.sandbox.polls().length).toBeLessThanOrEqual(4);
	});

	it('of Veo, where each check is a question to the vendor, is slept over', async () => {
		const more = {
			model: 'veo-3.1-fast-generate-001',
			options: { polling: { pollInterval: undefined } },
		};
		const sleeping = await stage.lookOnce(await begin([NEAR], more));
		expect(sleeping.status).toBe('waiting');
		expect(stage.sandbox.polls()).toHaveLength(1);
		expect(stage.pauses()).toEqual([]);
	});

	it('beside one that is not: only it is checked again, and the other sleeps on', async () => {
		const sleeping = await stage.lookOnce(await begin([FAR, NEAR]));
		const [far, near] = stage.taskIds();
		expect(sleeping.status).toBe('waiting');
		expect(stage.sandbox.polls(far)).toHaveLength(1);
		expect(stage.sandbox.polls(near).length).toBeGreaterThan(1);
		const items = jsonOf((await stage.toEnd(sleeping)).outputs()[0]);
		expect(items).toMatchObject([{ status: 'SUCCESS' }, { status: 'SUCCESS' }]);
		expect(stage.sandbox.submissions()).toHaveLength(2);
	});

	it('when n8n dies: nothing is lost, and nothing paid twice', async () => {
		const slow = { delayMs: 1_000 };
		const sleeping = await begin([{ ...NEAR, poll: ['ok', slow] }, FAR]);
		void stage.lookOnce(sleeping);
		await until(() => stage.sandbox.polls(stage.taskIds()[0]).length === 2);
		await stage.engine.die();
		const after = await stage.engine.settle(sleeping);
		expect(after.status).toBe('waiting');
		const items = jsonOf((await stage.toEnd(after)).outputs()[0]);
		expect(items).toMatchObject([{ status: 'SUCCESS' }, { status: 'SUCCESS' }]);
		expect(stage.sandbox.submissions()).toHaveLength(2);
	});
});
