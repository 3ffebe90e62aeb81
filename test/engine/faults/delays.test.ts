import { delayMs, MAX_REFUSAL_RETRIES } from '../../../nodes/shared/service/later';
import type { Plan } from '../../../sandbox/service';
import { hurry } from '../../support/clock';
import { plannedRows, useStage, videoGenerate } from '../../support/stage';

const stage = useStage();

const tooMany = (after: string) => ({ status: 429, text: '', headers: { 'retry-after': after } });

/** Renders 300 times as fast and gives the pauses that were asked for, in milliseconds. */
async function pausesOf(plan: Plan, options = {}): Promise<number[]> {
	const haste = hurry(300);
	try {
		await stage.run(videoGenerate({ options }), plannedRows({ renderMs: 0, ...plan }));
	} finally {
		haste.restore();
	}
	return haste.delaysMs.filter((ms) => ms >= 500);
}

/** Without half a minute and two, which are also how long a request waits for its answer. */
const shorter = (pauses: number[]) => pauses.filter((ms) => ms !== 30_000 && ms !== 120_000);

it('a refused submit waits longer each time, up to half a minute, never quite the same', async () => {
	const full = Array.from({ length: MAX_REFUSAL_RETRIES }, (_, i) => delayMs(i + 1, 0));
	const pauses = shorter(await pausesOf({ submit: { always: 'rateLimited' } }));
	expect(pauses).toHaveLength(full.length);
	pauses.forEach((ms, i) => {
		expect(ms).toBeGreaterThanOrEqual(full[i] * 0.75);
		expect(ms).toBeLessThanOrEqual(full[i]);
	});
	expect(pauses).not.toEqual(full);
	const again = shorter(await pausesOf({ submit: { always: 'rateLimitedEmpty' } }));
	expect(again).not.toEqual(pauses);
});

it('Retry-After of a submit is honoured, up to two minutes', async () => {
	const usual = await pausesOf({ submit: tooMany('7') });
	expect(shorter(usual)).toEqual([7000]);
	stage.sandbox.reset();
	// With the two minutes that a request waits for its answer, in the n8n that counts them like this.
	const most = await pausesOf({ submit: tooMany('3600') });
	expect(most).toEqual(usual.map((ms) => (ms === 7000 ? 120_000 : ms)));
	expect(stage.sandbox.submissions()).toHaveLength(2);
});

it('Retry-After of a poll is honoured, up to Max Wait', async () => {
	// A wait looks every few seconds whether it is over.
	const sum = (pauses: number[]) => shorter(pauses).reduce((all, ms) => all + ms, 0);
	expect(sum(await pausesOf({ poll: tooMany('7') }))).toBe(7000);
	const most = sum(await pausesOf({ poll: tooMany('3600') }, { maxWait: 0.05 }));
	expect(most).toBeGreaterThan(2000);
	expect(most).toBeLessThanOrEqual(3000);
});
