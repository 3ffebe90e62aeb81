import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Failure } from '../item/failure';
import { isFailed, type ItemResult } from '../item/output';
import type { Run } from '../item/run';
import type { Render } from '../task/render';
import { readRender, toRenderJson } from '../task/renderJson';
import type { ItemWishes } from '../task/renderResult';
import type { Troubles } from '../task/troubles';
import { sleepSeconds } from './sleepLength';

/** What is wanted of a video whose render still goes on. */
export interface SleeperWishes extends ItemWishes {
	downloadVideo: boolean;
	binaryProperty: string;
	maxSizeBytes?: number;
	allowPrivate?: boolean;
	/** On Error is Stop Workflow: the first failure ends the wait for all. */
	stopsOnFailure: boolean;
}

/** A render that n8n's database keeps while nobody waits for it in a process. */
export interface SleepingVideo {
	/** Index of the input item. */
	item: number;
	/** The execution that waits for it. */
	callerId: string;
	render: Render;
	wishes: SleeperWishes;
}

/** An item whose result is known; nothing more is to be done for it. */
export interface EndedVideo {
	item: number;
	result: ItemResult;
}

export type BatchVideo = SleepingVideo | EndedVideo;

export const isEnded = (video: BatchVideo): video is EndedVideo => 'result' in video;

/** Whether the wait is over: nothing renders any more, or the first failure ends it for all. */
export function isOver(videos: BatchVideo[]): boolean {
	const sleeping = videos.filter((video): video is SleepingVideo => !isEnded(video));
	const failed = videos.some((video) => isEnded(video) && isFailed(video.result));
	return sleeping.every(({ wishes }) => wishes.stopsOnFailure && failed);
}

/**
 * A video as an item of the sub-execution: first what people want to read in the executions list,
 * then what the next check needs. `sleep_seconds` is for the Wait node before that check.
 */
export function toBatchItem(
	video: BatchVideo,
	sleep_seconds: number,
	{ show }: Pick<Run, 'show'>,
): INodeExecutionData {
	const binary = isEnded(video) && !isFailed(video.result) ? video.result.binary : undefined;
	// On each item: the Wait node reads it from the first, whichever that is.
	const json = show({ ...toBatchJson(video), sleep_seconds });
	return { json, ...(binary && { binary }), pairedItem: { item: video.item } };
}

function toBatchJson(video: BatchVideo): IDataObject {
	if (isEnded(video)) {
		const { item, result } = video;
		if (isFailed(result)) {
			const { task_id, status } = result.failure;
			const failure = { ...result.failure } as unknown as IDataObject;
			return { item, ended: true, task_id, status, failure };
		}
		const { task_id, status } = result.json;
		return { item, ended: true, task_id, status, result: result.json };
	}
	const { item, callerId, render, wishes } = video;
	const { deadlineMs, troubles } = render;
	return {
		item,
		ended: false,
		...toRenderJson(render, wishes.simplify),
		caller_execution_id: callerId,
		give_up_at: new Date(deadlineMs).toISOString(),
		troubles: { ...troubles },
		wishes: { ...wishes },
	};
}

/** Reads what `toBatchItem` wrote; `undefined` for an item that it did not write. */
export function readBatchItem({ json, binary }: INodeExecutionData): BatchVideo | undefined {
	const item = json.item as number;
	if (json.ended === true) {
		const { failure, result } = json as unknown as { failure?: Failure; result?: IDataObject };
		return { item, result: failure ? { failure } : { json: result ?? {}, binary } };
	}
	if (json.ended !== false) return undefined;
	const render = readRender(String(json.task_id), json);
	render.deadlineMs = Date.parse(json.give_up_at as string);
	render.troubles = json.troubles as unknown as Troubles;
	return {
		item,
		callerId: json.caller_execution_id as string,
		render,
		wishes: json.wishes as unknown as SleeperWishes,
	};
}

/** Whole seconds until the next check of all of them. */
export const toSleepSeconds = (sleepers: SleepingVideo[], nowMs: number): number =>
	sleepSeconds(
		sleepers.map(({ render }) => render),
		nowMs,
	);
