import { createPace } from '../../../../nodes/shared/task/pace';
import { createFetch, poll, WAITS } from '../../../../nodes/shared/task/poll';
import { toRender } from '../../../../nodes/shared/task/render';
import { DONE, openWorld, record, serve } from './support/world';

/** Renders so many videos, whose lengths are spread evenly; tells when each was asked, and its end seen. */
async function renderAll(count: number, fromS: number, toS: number) {
	const { run, time } = openWorld();
	const { clock, signal } = run;
	const endsAtS = (i: number) => fromS + ((toS - fromS) * i) / Math.max(1, count - 1);
	const askedAtMs: number[] = [];
	const pace = createPace(clock, signal);
	const works = Array.from({ length: count }, async (_, i) => {
		const { connection } = serve({
			fetch: () => {
				askedAtMs.push(time.now());
				return time.now() >= endsAtS(i) * 1000 ? DONE : record();
			},
		});
		const wait = { ...WAITS.inProcess, fetch: createFetch(clock, connection), clock, signal, pace };
		await poll(toRender({ task_id: 'task_1' }, { submittedAtMs: 0 }), wait);
		return time.now() / 1000 - endsAtS(i);
	});
	return { lateS: await time.run(Promise.all(works)), askedAtMs };
}

const most = (numbers: number[]) => numbers.reduce((one, other) => Math.max(one, other), 0);

const mean = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** Returns the most requests in a second. */
const mostInASecond = (askedAtMs: number[]) =>
	most(askedAtMs.map((from) => askedAtMs.filter((at) => at >= from && at < from + 1000).length));

it.each([
	['10 short ones', 10, 4, 7, 10, 1],
	['100 of a minute', 100, 30, 60, 10, 3],
	['1000 of two minutes', 1000, 60, 120, 51, 6.5],
])('the ends of %s are seen soon', async (_what, count, fromS, toS, rate, lateS) => {
	const seen = await renderAll(count, fromS, toS);
	expect(mostInASecond(seen.askedAtMs)).toBeLessThanOrEqual(rate);
	expect(mean(seen.lateS)).toBeLessThanOrEqual(lateS);
	// Each task is asked every 20 seconds, however many there are.
	expect(most(seen.lateS)).toBeLessThanOrEqual(20);
});

it('a turn ends with the run', async () => {
	const { run, time, stop } = openWorld();
	const pace = createPace(run.clock, run.signal);
	const turns = [1, 2, 3].map(async () => await pace.turn());
	stop.abort();
	await time.run(Promise.all(turns));
	expect(time.now()).toBe(0);
});
