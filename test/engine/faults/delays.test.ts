import type { Plan } from '../../../sandbox/service';
import { hurry } from '../../support/clock';
import { planned, toInput, useStage, videoGenerate } from '../../support/stage';

const stage = useStage();

const tooMany = (after?: string) => ({
	status: 429,
	text: '',
	...(after && { headers: { 'retry-after': after } }),
});

/** Renders 300 times as fast and gives the delays that were asked for, in milliseconds. */
async function delaysOf(plan: Plan, options = {}): Promise<number[]> {
	const haste = hurry(300);
	try {
		await stage.engine.run({
			node: videoGenerate({ options }),
			items: toInput({ prompt: planned('A boat', { renderMs: 0, ...plan }) }),
			credentials: stage.credentials,
		});
	} finally {
		haste.restore();
	}
	return haste.asked;
}

/** Half a minute and two minutes are also how long a request waits for its answer. */
const waits = (delays: number[]) =>
	delays.filter((ms) => ms >= 500 && ![30_000, 120_000].includes(ms));

describe('delays', () => {
	it('a refused submit waits longer each time, up to half a minute, never quite the same', async () => {
		const full = [1, 2, 4, 8, 16, 30, 30, 30].map((seconds) => seconds * 1000);
		const delays = waits(await delaysOf({ submit: { always: 'rateLimited' } }));
		expect(delays).toHaveLength(full.length);
		delays.forEach((ms, i) => {
			expect(ms).toBeGreaterThanOrEqual(full[i] * 0.75);
			expect(ms).toBeLessThanOrEqual(full[i]);
		});
		expect(delays).not.toEqual(full);
		const again = waits(await delaysOf({ submit: { always: 'rateLimitedEmpty' } }));
		expect(again).not.toEqual(delays);
	});

	it('Retry-After of a submit is honoured', async () => {
		expect(waits(await delaysOf({ submit: tooMany('7') }))).toEqual([7000]);
	});

	it('Retry-After of a submit has a limit of two minutes', async () => {
		const asked = async (after: string) =>
			(await delaysOf({ submit: tooMany(after) })).filter((ms) => ms >= 500);
		const usual = await asked('7');
		stage.sandbox.reset();
		// With the two minutes that a request waits for its answer, in the n8n that counts them like this.
		expect(await asked('3600')).toEqual(usual.map((ms) => (ms === 7000 ? 120_000 : ms)));
		expect(usual).toContain(7000);
		expect(stage.sandbox.submissions()).toHaveLength(2);
	});

	it('Retry-After of a poll is honoured', async () => {
		expect(waits(await delaysOf({ poll: tooMany('7') }))).toEqual([7000]);
	});

	it('Retry-After of a poll does not reach beyond Max Wait', async () => {
		const delays = waits(await delaysOf({ poll: tooMany('3600') }, { maxWait: 0.05 }));
		expect(delays).toHaveLength(1);
		expect(delays[0]).toBeLessThanOrEqual(3000);
	});
});
