import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { connect } from '../../shared/item/connect';
import { lookAtSleeper } from '../../shared/durable/checkSleeper';
import { isCallerGone } from '../../shared/durable/caller';
import {
	isEnded,
	isOver,
	readBatchItem,
	toBatchItem,
	type BatchVideo,
	type SleepingVideo,
} from '../../shared/durable/sleepingVideo';
import { sleepSeconds } from '../../shared/durable/sleepLength';
import type { Failure } from '../../shared/item/failure';
import type { ItemResult } from '../../shared/item/output';
import { addVideo } from '../../shared/download/addVideo';
import { CONCURRENT_DOWNLOADS, type DownloadTools } from '../../shared/download/downloadVideo';
import { createLimiter } from '../../shared/lib/limiter';
import { toItemResult } from '../../shared/task/taskItem';
import { createWait } from '../../shared/lib/pause';
import type { Connection } from '../../shared/service/http';
import { createSend } from '../../shared/service/connection';
import { fetchTask } from '../../shared/service/videoApi';

/** Looks under way at once. */
const CONCURRENT_LOOKS = 10;

/**
 * One look at the whole batch. Outputs: [the wait is over, something still renders]; the batch
 * leaves as one, because the node before it sleeps for all.
 */
export async function lookAtBatch(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = context.getInputData();
	const before = items.map(readBatchItem).filter((video) => video !== undefined);
	if (await isCallerGone(context, before)) return [items, []];
	const videos = await lookAtAll(context, before);
	const over = isOver(videos);
	const sleeping = videos.filter((video): video is SleepingVideo => !isEnded(video));
	const times = sleeping.map(({ render, deadlineMs }) => ({ ...render, deadlineMs }));
	const seconds = over ? 0 : sleepSeconds(times, Date.now());
	const next = over ? '' : `, next look in ${seconds} s`;
	context.logger.debug(
		`${context.getNode().name}: ${sleeping.length} of ${videos.length} videos still render${next}`,
	);
	const looked = videos.map((video) => toBatchItem(video, seconds));
	return over ? [looked, []] : [[], looked];
}

async function lookAtAll(context: IExecuteFunctions, videos: BatchVideo[]): Promise<BatchVideo[]> {
	const connection = await connect(context, 'videoGenerationApi');
	if ('failure' in connection) {
		return videos.map((video) => (isEnded(video) ? video : withoutAccess(video, connection)));
	}
	const tools = createTools(context, connection);
	return await Promise.all(
		videos.map(async (video) => (isEnded(video) ? video : await look(video, tools))),
	);
}

type Tools = ReturnType<typeof createTools>;

function createTools(context: IExecuteFunctions, connection: Connection) {
	const send = createSend(context, connection);
	const signal = context.getExecutionCancelSignal() ?? new AbortController().signal;
	return {
		context,
		connection,
		fetchTask: async (task_id: string) => await fetchTask(send, task_id),
		signal,
		wait: createWait(signal),
		now: Date.now,
		random: Math.random,
		looks: createLimiter(CONCURRENT_LOOKS),
		downloads: createLimiter(CONCURRENT_DOWNLOADS),
	} satisfies DownloadTools & Record<string, unknown>;
}

async function look(sleeper: SleepingVideo, tools: Tools): Promise<BatchVideo> {
	const outcome = await tools.looks(async () => await lookAtSleeper(sleeper, tools));
	if (!('state' in outcome)) return outcome;
	const wishes = { ...sleeper.wishes, itemIndex: sleeper.item, afterSleep: true };
	const result =
		outcome.state === 'done' && wishes.downloadVideo
			? await tools.downloads(async () => await addVideo(outcome.render, wishes, tools))
			: toItemResult(outcome, wishes);
	return result ? { item: sleeper.item, result } : sleeper;
}

/** The credential is gone or cannot be read: the task is safe, and so is its id. */
function withoutAccess({ item, render }: SleepingVideo, result: { failure: Failure }): BatchVideo {
	const { task_id, status } = render.task;
	const failure: Failure = { ...result.failure, task_id, status };
	return { item, result: { failure } satisfies ItemResult };
}
