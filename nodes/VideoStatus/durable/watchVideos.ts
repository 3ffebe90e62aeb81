import { afterStretch, type LastStretch } from '../../shared/durable/lastStretch';
import type { BatchVideo, SleepingVideo } from '../../shared/durable/sleepingVideo';
import { findFamily } from '../../shared/family/families';
import type { Run } from '../../shared/item/run';
import { createLimiter } from '../../shared/lib/limiter';
import type { Connection } from '../../shared/service/connection';
import { CONCURRENT_CHECKS } from '../../shared/task/checkTask';
import { openFetch, openSeldomFetch } from '../../shared/task/openFetch';
import { pollTask } from '../../shared/task/pollTask';
import { followVideos } from './followVideos';

/** As Video Generate polls in process, unless somebody wants it otherwise. */
const PACE = { pollIntervalMs: 5_000, maxPollIntervalMs: 10_000, startAtOnce: false };

/**
 * Checks the videos that are nearly ready until they are, or the stretch is over. One that meets
 * trouble is left to the next check: whether it lasts is seen better with a sleep in between.
 */
export async function watchVideos(
	run: Run,
	videos: BatchVideo[],
	{ near, untilMs }: LastStretch,
): Promise<BatchVideo[]> {
	const { clock, report } = run;
	const startedMs = clock.now();
	report.debug(`checking ${near.length} videos that are nearly ready`);
	const watched = await followVideos(run, videos, near, (connection) => ({
		follow: openWatch(run, connection, untilMs),
	}));
	return afterStretch(watched, clock.now() - startedMs);
}

function openWatch({ clock, signal: runSignal }: Run, connection: Connection, untilMs: number) {
	const halt = new AbortController();
	const signal = AbortSignal.any([runSignal, halt.signal]);
	const fetchTask = openFetch(connection, { clock, signal });
	const openSeldom = openSeldomFetch(connection, fetchTask, { clock, signal });
	const limiter = createLimiter(CONCURRENT_CHECKS, signal);
	return async ({ render, wishes }: SleepingVideo) => {
		const asksSeldom = findFamily(render.task.model ?? '')?.asksVendor === true;
		// Its record has just been read.
		const seldom = () => openSeldom({ ...render, reused: false });
		const end = await pollTask(
			render,
			{ ...PACE, untilMs, leavesAtTrouble: true },
			{ fetchTask: asksSeldom ? seldom() : fetchTask, limiter, clock, signal },
		);
		// In the default On Error mode nobody waits for the others any more.
		if (wishes.stopsOnFailure && FAILED.includes(end.state)) halt.abort();
		// Its file tells nothing of its progress.
		const hasNoNews = asksSeldom && end.state === 'open';
		return hasNoNews ? { ...end, render: { ...end.render, task: render.task } } : end;
	};
}

const FAILED = ['failed', 'noVideo', 'trouble'];
