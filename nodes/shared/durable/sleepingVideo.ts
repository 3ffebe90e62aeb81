import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Failure } from '../item/failure';
import { isFailed, type ItemResult } from '../item/output';
import type { Run } from '../item/run';
import type { SubmitRequest } from '../service/videoApi';
import type { Render } from '../task/render';
import { readRender, toRenderJson } from '../task/renderJson';
import type { ItemWishes } from '../task/renderResult';
import type { Troubles } from '../task/troubles';
import type { Reading } from './timeLeft';

/** What is wanted of a video whose render still goes on. */
export interface SleeperWishes extends ItemWishes {
	downloadVideo: boolean;
	binaryProperty: string;
	maxSizeBytes?: number;
	allowPrivate?: boolean;
	linkHours?: number;
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
	/** The last two progresses, the newest one last; none before the first check. */
	readings?: Reading[];
	/** How long its batch was checked in process instead of slept over, in milliseconds. */
	stretchedMs?: number;
	wishes: SleeperWishes;
}

/** An item whose result is known; nothing more is to be done for it. */
export interface EndedVideo {
	item: number;
	result: ItemResult;
}

/** A video that is submitted once n8n has stored that all executions wait for it (Crash-Safe Submit). */
export interface UnsubmittedVideo {
	item: number;
	callerId: string;
	request: SubmitRequest;
	/** Submits under way at once, and how many are lost sight of at most if n8n dies. */
	concurrency: number;
	/** Its submit may be under way: whatever happens then, it is not submitted again. */
	begun: boolean;
	/** Set once it has been handed to the Submitter: the Keeper, which waits for that. */
	keeperId?: string;
	/** The Submitter that began it, and did not come to its end. */
	submitterId?: string;
	wishes: SleeperWishes;
}

export type BatchVideo = SleepingVideo | EndedVideo | UnsubmittedVideo;

export const isEnded = (video: BatchVideo): video is EndedVideo => 'result' in video;
export const isSleeping = (video: BatchVideo): video is SleepingVideo => 'render' in video;
export const isUnsubmitted = (video: BatchVideo): video is UnsubmittedVideo => 'request' in video;
/** Its submit may be under way, or was when n8n died. */
export const hasBegun = (video: BatchVideo) => isUnsubmitted(video) && video.begun;

/** Whether the wait is over: nothing is open any more, or the first failure ends it for all. */
export function isOver(videos: BatchVideo[]): boolean {
	const failed = videos.some((video) => isEnded(video) && isFailed(video.result));
	return videos.every((video) => isEnded(video) || (video.wishes.stopsOnFailure && failed));
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
	const shown = show({ ...toBatchJson(video), sleep_seconds });
	// What is sent is what the person wrote, whatever it says; its pictures would take long to search.
	const json = isUnsubmitted(video) ? { ...shown, request: video.request } : shown;
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
	if (isUnsubmitted(video)) return toUnsubmittedJson(video);
	const { item, callerId, render, readings, stretchedMs, wishes } = video;
	const { deadlineMs, troubles } = render;
	return {
		item,
		ended: false,
		...toRenderJson(render, wishes.simplify),
		caller_execution_id: callerId,
		...(deadlineMs !== undefined && { give_up_at: new Date(deadlineMs).toISOString() }),
		...(readings && { progress_read: readings.map(toReadingJson) }),
		...(stretchedMs !== undefined && { watched_seconds: stretchedMs / 1000 }),
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
	if (json.request !== undefined) return readUnsubmitted(json);
	const render = readRender(String(json.task_id), json);
	if (json.give_up_at !== undefined) render.deadlineMs = Date.parse(json.give_up_at as string);
	render.troubles = json.troubles as unknown as Troubles;
	const readings = json.progress_read as ReadingJson[] | undefined;
	const watched = json.watched_seconds as number | undefined;
	return {
		item,
		callerId: json.caller_execution_id as string,
		render,
		...(readings && { readings: readings.map(readReading) }),
		...(watched !== undefined && { stretchedMs: Math.round(watched * 1000) }),
		wishes: json.wishes as unknown as SleeperWishes,
	};
}

type ReadingJson = { at: string; progress: number };
const toReadingJson = ({ atMs, progress }: Reading): ReadingJson => ({
	at: new Date(atMs).toISOString(),
	progress,
});
const readReading = ({ at, progress }: ReadingJson): Reading => ({
	atMs: Date.parse(at),
	progress,
});

/** All but the request. */
function toUnsubmittedJson({ item, begun, keeperId, ...video }: UnsubmittedVideo): IDataObject {
	const { concurrency, callerId, submitterId, wishes } = video;
	return {
		item,
		ended: false,
		status: begun ? BEGUN : 'not submitted yet',
		concurrency,
		caller_execution_id: callerId,
		...(keeperId !== undefined && { keeper_execution_id: keeperId }),
		...(submitterId !== undefined && { submitter_execution_id: submitterId }),
		wishes: { ...wishes },
	};
}

const BEGUN = 'being submitted';

const readUnsubmitted = (json: IDataObject): UnsubmittedVideo => ({
	item: json.item as number,
	callerId: json.caller_execution_id as string,
	request: json.request as SubmitRequest,
	concurrency: json.concurrency as number,
	begun: json.status === BEGUN,
	keeperId: json.keeper_execution_id as string | undefined,
	submitterId: json.submitter_execution_id as string | undefined,
	wishes: json.wishes as unknown as SleeperWishes,
});

/** Items of a sub-execution as videos; what is no video of a batch is left out. */
export const readBatch = (items: INodeExecutionData[]): BatchVideo[] =>
	items.map(readBatchItem).filter((video) => video !== undefined);
