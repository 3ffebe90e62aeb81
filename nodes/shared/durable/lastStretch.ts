import { meetsTrouble } from '../task/render';
import { openTimeLeft } from './nextCheck';
import { MIN_SLEEP_S } from './sleepLength';
import { isSleeping, type BatchVideo, type SleepingVideo } from './sleepingVideo';

/** What is probably ready within this is not slept over. It is also the longest stretch. */
const STRETCH_MS = 45_000;
/** All stretches of one batch: a render that stands at 99 percent holds the process for no longer. */
const ALL_STRETCHES_MS = 3 * STRETCH_MS;
/** A shorter one has hardly a check in it. */
const SHORTEST_MS = 10_000;

/** A time in which some videos of a batch are checked again and again instead of slept over. */
export interface LastStretch {
	/** The videos that are probably ready by then. */
	near: SleepingVideo[];
	/** When it ends at the latest, in milliseconds since 1970. */
	untilMs: number;
}

/**
 * The stretch before the next sleep of a batch; `undefined` where nothing is likely to end in it.
 * It leaves a whole sleep to the earliest deadline, so that Max Wait is kept as without it.
 */
export function toLastStretch(videos: BatchVideo[], nowMs: number): LastStretch | undefined {
	const sleepers = videos.filter(isSleeping);
	const toTimeLeft = openTimeLeft(videos, nowMs);
	const near = sleepers.filter((video) => {
		if (meetsTrouble(video.render)) return false;
		const left = toTimeLeft(video);
		return left?.isLikely === true && left.ms <= STRETCH_MS;
	});
	const spentMs = Math.max(0, ...sleepers.map(({ stretchedMs = 0 }) => stretchedMs));
	const deadlineMs = Math.min(...sleepers.map(({ render }) => render.deadlineMs ?? Infinity));
	const lengthMs = Math.min(
		STRETCH_MS,
		ALL_STRETCHES_MS - spentMs,
		deadlineMs - MIN_SLEEP_S * 1000 - nowMs,
	);
	if (near.length === 0 || lengthMs < SHORTEST_MS) return undefined;
	return { near, untilMs: nowMs + lengthMs };
}

/** The batch after a stretch that took so long; each video knows, since any may be the last one. */
export const afterStretch = (videos: BatchVideo[], tookMs: number): BatchVideo[] =>
	videos.map((video) =>
		isSleeping(video) ? { ...video, stretchedMs: (video.stretchedMs ?? 0) + tookMs } : video,
	);
