import { addVideo, CONCURRENT_DOWNLOADS } from '../../shared/download/downloadVideo';
import { withCheck } from '../../shared/durable/nextCheck';
import type { BatchVideo, SleepingVideo } from '../../shared/durable/sleepingVideo';
import type { ItemResult, Results } from '../../shared/item/output';
import type { Run } from '../../shared/item/run';
import { openAndWork } from '../../shared/item/runItems';
import { createLimiter, type Limiter } from '../../shared/lib/limiter';
import type { Connection } from '../../shared/service/connection';
import type { Ended, Render } from '../../shared/task/render';
import { toItemResult } from '../../shared/task/renderResult';

/** What following a video for a while gives: its end, or the render as it stands. */
export type Followed =
	| Ended
	| { state: 'rendering'; render: Render }
	| { state: 'open'; render: Render }
	| { state: 'stopped'; render: Render };

interface Following {
	follow: (video: SleepingVideo) => Promise<Followed>;
	/** So many at once; where its requests come in turns themselves, there is none. */
	limiter?: Limiter;
}

/**
 * Follows some videos of a batch at once, each for a while: the batch with what became of them.
 * Those that are done bring their file, where it is wanted.
 */
export async function followVideos(
	run: Run,
	videos: BatchVideo[],
	some: SleepingVideo[],
	open: (connection: Connection) => Following,
): Promise<BatchVideo[]> {
	const jobs = some.map((video) => ({ itemIndex: video.item, video }));
	for (const { item, render } of some) run.taskIds.set(item, render.task.task_id);
	const results: Results = [];
	/** As they were left. */
	const left = new Map<BatchVideo, SleepingVideo>();
	await openAndWork(run, jobs, results, (_run, connection) => {
		const { follow, limiter } = open(connection);
		const finish = openFinish(run, connection);
		const work = async ({ video }: { video: SleepingVideo }) => {
			const followed = await follow(video);
			left.set(video, withCheck(video, followed.render, run.clock.now()));
			return await finish(video, followed);
		};
		return { work, limiter };
	});
	return videos.map((video) => {
		const result = results[video.item];
		return result ? { item: video.item, result } : (left.get(video) ?? video);
	});
}

function openFinish(run: Run, connection: Connection) {
	const downloads = createLimiter(CONCURRENT_DOWNLOADS, run.signal);
	return async (video: SleepingVideo, end: Followed): Promise<ItemResult | undefined> => {
		const wishes = { ...video.wishes, afterSleep: true };
		if (end.state === 'rendering' || end.state === 'open' || end.state === 'stopped') {
			return undefined;
		}
		if (end.state !== 'done' || !wishes.downloadVideo) return toItemResult(end, wishes);
		return await downloads(async () => await addVideo(end.render, wishes, run, connection));
	};
}
