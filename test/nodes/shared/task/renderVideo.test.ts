import fc from 'fast-check';

import { play, type Plan, type World } from '../../../support/renderWorld';

const plan: fc.Arbitrary<Plan> = fc.record({
	renderMs: fc.integer({ min: 0, max: 200_000 }),
	outcome: fc.constantFrom('SUCCESS', 'SUCCESS', 'FAILURE', 'never'),
	submit: fc.constantFrom('accepted', 'accepted', 'accepted', 'refused', 'unclear'),
	troubleEvery: fc.constantFrom(0, 0, 1, 2, 3),
	httpCode: fc.constantFrom(401, 404, 429, 500, 502),
});

const world: fc.Arbitrary<World> = fc.record(
	{
		plans: fc.array(plan, { minLength: 1, maxLength: 12 }),
		concurrency: fc.integer({ min: 1, max: 5 }),
		latencyMs: fc.integer({ min: 1, max: 2_000 }),
		pollIntervalMs: fc.integer({ min: 100, max: 20_000 }),
		maxWaitMs: fc.integer({ min: 1_000, max: 300_000 }),
		stopAtMs: fc.integer({ min: 1, max: 200_000 }),
	},
	{ requiredKeys: ['plans', 'concurrency', 'latencyMs', 'pollIntervalMs', 'maxWaitMs'] },
);

describe('renderVideo in virtual time', () => {
	it('holds its promises for arbitrary batches', async () => {
		await fc.assert(
			fc.asyncProperty(world, async (given) => {
				const { ends, submitted, kept, polls, broken } = await play(given);
				expect(broken).toEqual([]);
				// Each item ends in exactly one state, in the order of the items.
				expect(ends.map(({ job }) => job.itemIndex)).toEqual(given.plans.map((_, i) => i));
				// Nothing is submitted twice.
				expect(new Set(submitted).size).toBe(submitted.length);
				// Every id that became known is kept and is in its outcome.
				const known = submitted.filter((i) => given.plans[i].submit === 'accepted');
				expect(kept.map(Number).sort()).toEqual([...known].sort());
				for (const { job, outcome } of ends) {
					const accepted = known.includes(job.itemIndex);
					expect('render' in outcome).toBe(accepted);
				}
				// No poll starts after its task's time is up, queueing for a free place aside.
				for (const times of polls.values()) {
					const first = times[0];
					const queueMs = given.latencyMs * given.plans.length * 2;
					const last = times[times.length - 1];
					expect(last - first).toBeLessThanOrEqual(given.maxWaitMs + queueMs);
				}
			}),
			{ numRuns: 300 },
		);
	});

	it('sees a finished render after half a poll interval on the average', async () => {
		const plans = Array.from({ length: 200 }, (_, i) => ({
			renderMs: 30_000 + i * 150,
			outcome: 'SUCCESS' as const,
			submit: 'accepted' as const,
			troubleEvery: 0,
			httpCode: 0,
		}));
		const { ends, submittedAt } = await play({
			plans,
			concurrency: 10,
			latencyMs: 1,
			pollIntervalMs: 5_000,
			maxWaitMs: 600_000,
		});
		const delays = ends.map(
			({ job, atMs }) =>
				atMs - (submittedAt.get(String(job.itemIndex))! + plans[job.itemIndex].renderMs),
		);
		const mean = delays.reduce((sum, delay) => sum + delay, 0) / delays.length;
		expect(mean).toBeLessThanOrEqual(0.6 * 10_000);
	});

	it('polls first after the poll interval, then ever less often, up to ten seconds', async () => {
		const never = { renderMs: 0, outcome: 'never', submit: 'accepted', troubleEvery: 0 } as const;
		const { polls, submittedAt } = await play({
			plans: [{ ...never, httpCode: 0 }],
			concurrency: 1,
			latencyMs: 1,
			pollIntervalMs: 2_000,
			maxWaitMs: 200_000,
		});
		const times = [submittedAt.get('0')!, ...polls.get('0')!];
		const delays = times.slice(1).map((time, i) => time - times[i]);
		const wanted = [2_000, 2_400, 2_880, 3_456];
		wanted.forEach((ms, i) => {
			expect(delays[i]).toBeLessThanOrEqual(ms + 1);
			expect(delays[i]).toBeGreaterThanOrEqual(0.8 * ms);
		});
		expect(Math.max(...delays)).toBeLessThanOrEqual(10_001);
		expect(Math.max(...delays)).toBeGreaterThan(9_000);
	});

	it.each([
		['401 that stays', 401, 5],
		['an unknown id that stays', 404, 6],
		['a gateway that stays down', 502, 60],
	])('ends the wait after %s (%d)', async (_name, httpCode, polls) => {
		const lasting = {
			renderMs: 0,
			outcome: 'SUCCESS',
			submit: 'accepted',
			troubleEvery: 1,
		} as const;
		const result = await play({
			plans: [{ ...lasting, httpCode }],
			concurrency: 1,
			latencyMs: 1,
			pollIntervalMs: 5_000,
			maxWaitMs: 3_600_000,
		});
		expect(result.ends[0].outcome).toMatchObject({
			state: 'trouble',
			render: { pollCount: polls },
		});
	});
});
