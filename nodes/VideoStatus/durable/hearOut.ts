import { hasBegun, isUnsubmitted, type BatchVideo } from '../../shared/durable/sleepingVideo';
import { readSubmitter } from '../../shared/durable/stored';
import type { Run } from '../../shared/item/run';
import { toInterrupted } from './failures';

/** Looks, two a second: one that n8n took for dead by mistake ends what it has begun, and stores it. */
const LOOKS = 6;

/**
 * What has become of the videos that an earlier Submitter had begun: what it has stored of them
 * meanwhile, or that it is unclear. None of them is submitted again.
 */
export async function hearOut(
	{ context, clock }: Run,
	videos: BatchVideo[],
): Promise<BatchVideo[]> {
	let known = videos;
	for (let look = 1; known.some(hasBegun) && look <= LOOKS; look++) {
		known = await Promise.all(
			known.map(async (video) => {
				if (!isUnsubmitted(video) || !video.begun) return video;
				const left = await readSubmitter(context, video.submitterId, []);
				const now = left?.find(({ item }) => item === video.item);
				return !now || isUnsubmitted(now) ? video : now;
			}),
		);
		if (known.some(hasBegun) && look < LOOKS) await clock.pause(500);
	}
	return known.map((video) =>
		hasBegun(video) ? { item: video.item, result: { failure: toInterrupted() } } : video,
	);
}
