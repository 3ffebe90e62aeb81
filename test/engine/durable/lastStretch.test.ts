import type { Plan } from '../../../sandbox/service';
import { until } from '../../support/clock';
import { byId } from '../../support/stage';
import { describeSleep, durable, jsonOf, useDurableStage } from './support/stage';
import { rows } from './support/videos';

const stage = useDurableStage();
/** At the first look, after 66 s, it is at 82 percent: 14 s are left. */
const NEAR: Plan = { renderMs: 80_000 };
const FAR: Plan = { renderMs: 600_000 };
const CONTINUE: { onError?: 'continueRegularOutput' } = { onError: 'continueRegularOutput' };
const VEO = 'veo-3.1-fast-generate-001';
const SEEDANCE = 'dreamina-seedance-2-0-fast';
/** All polls of one stretch at the shortest pauses: 4, 4.8, 5.8, 6.9 and 8 s, and one at its end. */
const MAX_POLLS = 8;

const begin = async (plans: Plan[], { model = SEEDANCE, options = {}, settings = CONTINUE } = {}) =>
	await stage.begin({
		node: durable({ model: byId(model), options }, settings),
		items: rows(...plans),
	});
const looks = () => stage.subExecutions()[1].runs('Check Videos');
const seconds = (from: unknown, to: unknown) =>
	(Date.parse(to as string) - Date.parse(from as string)) / 1000;
const waitedMs = () => stage.pauses().reduce((sum, ms) => sum + ms, 0);

describeSleep(stage, 'a video that is nearly ready', () => {
	it('is seen when it is, not after another sleep', async () => {
		const result = await stage.lookOnce(await begin([NEAR]));
		expect(result.status).toBe('success');
		const [{ status, submitted_at, finished_at }] = jsonOf(result.outputs()[0]);
		expect(status).toBe('SUCCESS');
		expect(seconds(submitted_at, finished_at)).toBeLessThan(80 + 11);
		expect(looks()).toHaveLength(1);
		expect(stage.sandbox.polls().length).toBeLessThanOrEqual(1 + MAX_POLLS);
	});

	it('of Veo: is followed by its file, and its record is asked for once', async () => {
		const result = await stage.lookOnce(await begin([NEAR], { model: VEO }));
		expect(jsonOf(result.outputs()[0])).toMatchObject([{ status: 'SUCCESS' }]);
		expect(stage.sandbox.polls()).toHaveLength(1);
		expect(stage.sandbox.count({ path: /content$/ })).toBeGreaterThan(1);
	});

	it('beside one that is not: only it is watched, and the other sleeps on', async () => {
		const sleeping = await stage.lookOnce(await begin([FAR, NEAR]));
		const [far, near] = stage.taskIds();
		expect(sleeping.status).toBe('waiting');
		expect(looks()[0].data!.main[1]!.map(({ json }) => json)).toMatchObject([
			{ task_id: far, ended: false, sleep_seconds: expect.any(Number) },
			{ task_id: near, ended: true, status: 'SUCCESS' },
		]);
		expect(stage.sandbox.polls(far)).toHaveLength(1);
		expect(stage.sandbox.polls(near).length).toBeGreaterThan(1);
		const items = jsonOf((await stage.toEnd(sleeping)).outputs()[0]);
		expect(items).toMatchObject([{ status: 'SUCCESS' }, { status: 'SUCCESS' }]);
		expect(stage.sandbox.submissions()).toHaveLength(2);
	});

	it('by one of the same model that is done, where nothing tells of progress', async () => {
		const silent = { progress: 'absent' } as const;
		const plans: Plan[] = [
			{ ...silent, renderMs: 60_000 },
			{ ...silent, ...NEAR },
		];
		const result = await stage.lookOnce(await begin(plans));
		expect(jsonOf(result.outputs()[0])).toMatchObject([
			{ status: 'SUCCESS' },
			{ status: 'SUCCESS' },
		]);
		expect(looks()).toHaveLength(1);
	});

	it('fails in the default mode: the others are not watched any further', async () => {
		const fails: Plan = { ...NEAR, outcome: 'FAILURE' };
		const never: Plan = { outcome: 'never', renderMs: 70_000 };
		const result = await stage.lookOnce(await begin([fails, never], { settings: {} }));
		const [failed, other] = stage.taskIds();
		expect(result.status).toBe('error');
		expect(result.error?.message).toContain(failed);
		expect(result.error?.description).toContain(other);
		const [first, ...more] = stage.sandbox.polls(other).map(({ at }) => at);
		expect(Math.max(first, ...more) - first).toBeLessThan(40_000);
	});

	it('n8n dies while it is watched: nothing is lost, and nothing paid twice', async () => {
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

describeSleep(stage, 'a video that is not', () => {
	it('is slept over where nothing tells that it is near', async () => {
		const sleeping = await stage.lookOnce(await begin([{ ...NEAR, progress: 'absent' }]));
		expect(sleeping.status).toBe('waiting');
		expect(stage.sandbox.polls()).toHaveLength(1);
		expect(stage.pauses()).toEqual([]);
	});

	it('though it seemed so holds the process for 45 s, and sleeps again', async () => {
		const never: Plan = { outcome: 'never', renderMs: 70_000 };
		let sleeping = await stage.lookOnce(await begin([never]));
		expect(sleeping.status).toBe('waiting');
		expect(waitedMs()).toBeGreaterThan(35_000);
		expect(waitedMs()).toBeLessThanOrEqual(45_000);
		const polls = stage.sandbox.polls().length;
		expect(polls).toBeLessThanOrEqual(1 + MAX_POLLS);
		for (let look = 0; look < 3; look++) sleeping = await stage.lookOnce(sleeping);
		expect(stage.sandbox.polls()).toHaveLength(polls + 3);
		expect(waitedMs()).toBeLessThanOrEqual(45_000);
	});

	it('of Veo: keeps the progress that its record told', async () => {
		const never: Plan = { outcome: 'never', renderMs: 70_000 };
		await stage.lookOnce(await begin([never], { model: VEO }));
		const [{ json }] = looks()[0].data!.main[1]!;
		expect(json).toMatchObject({ status: 'IN_PROGRESS', progress: 94 });
		expect(json.poll_count).toBeGreaterThan(1);
	});

	it('is given up at the end of Max Wait, as without a stretch', async () => {
		const never: Plan = { outcome: 'never', renderMs: 70_000 };
		const result = await stage.toEnd(await begin([never], { options: { maxWait: 2.5 } }));
		expect(result.outputs()[0][0].json.error).toMatchObject({
			message: expect.stringMatching(/not ready within 2.5 minutes/),
		});
		const [{ at: submitted }] = stage.sandbox.submissions();
		const { at: last } = stage.sandbox.polls().at(-1)!;
		expect(last - submitted).toBeGreaterThanOrEqual(150_000);
		expect(last - submitted).toBeLessThan(155_000);
		expect(stage.pauses()).not.toEqual([]);
	});

	it('meets trouble: is left to the next look', async () => {
		const sleeping = await stage.lookOnce(await begin([{ ...NEAR, poll: ['ok', 'html502'] }]));
		expect(sleeping.status).toBe('waiting');
		expect(stage.sandbox.polls()).toHaveLength(2);
		expect(jsonOf((await stage.toEnd(sleeping)).outputs()[0])).toMatchObject([
			{ status: 'SUCCESS' },
		]);
	});
});
