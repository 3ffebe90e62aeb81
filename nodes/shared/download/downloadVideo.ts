import type { ServiceError } from '../service/trouble';
import { usableResultUrl } from './resultUrl';
import type { FetchResult } from '../service/videoApi';
import { isFinal, type VideoTask } from '../service/videoTask';
import { lowerFirst, sentences } from '../item/serviceFailure';
import { storeVideo, type StoreRequest, type StoreTools, type VideoFile } from './storeVideo';

/** Time without a byte, and further tries, where the person sets nothing. */
export const DEFAULT_TIMEOUT_MS = 120_000;
export const DEFAULT_RETRIES = 5;

/**
 * Videos under way at once, apart from submissions and polls, which must not wait for a long file.
 * Each holds a connection, none holds its file in memory.
 */
export const CONCURRENT_DOWNLOADS = 4;

export interface DownloadRequest extends StoreRequest {
	/** The documented content endpoint of a task, or what the person gave. */
	address: string;
	/** Tells the task once that address gives nothing: its `result_url` may. */
	lookAtTask?: () => Promise<FetchResult>;
	/** Looks before the first try: whoever asks may ask too early, and tries take half a minute. */
	lookFirst?: boolean;
}

export type DownloadResult =
	| { kind: 'file'; file: VideoFile }
	/** `task` where it was looked at on the way. */
	| { kind: 'failed'; error: ServiceError; task?: VideoTask };

export type DownloadTools = StoreTools;

/** Downloads one video, with retries: from its address, or else from its task's `result_url`. */
export async function downloadVideo(
	request: DownloadRequest,
	tools: DownloadTools,
): Promise<DownloadResult> {
	const { address, lookAtTask } = request;
	const early = request.lookFirst ? await lookAtTask?.() : undefined;
	if (early?.kind === 'task' && early.task.status !== 'SUCCESS') {
		const { task } = early;
		return { kind: 'failed', error: byState({ message: '', retryable: true }, task), task };
	}
	const first = await storeVideo(address, request, tools);
	if ('file' in first) return { kind: 'file', file: first.file };
	const { error } = first;
	if (first.everywhere || !lookAtTask) return { kind: 'failed', error };
	const look = await lookAtTask();
	if (look.kind === 'trouble') {
		const words = `The task could not be looked at, either: ${lowerFirst(look.error.message)}`;
		return { kind: 'failed', error: addWords(error, words) };
	}
	const { task } = look;
	const other = usableResultUrl(task.result_url, tools.connection, address);
	if (other === undefined) return { kind: 'failed', error: byState(error, task), task };
	const second = await storeVideo(other, request, tools);
	if ('file' in second) return { kind: 'file', file: second.file };
	if (second.everywhere) return { kind: 'failed', error: second.error, task };
	const words = `Its result_url did not give it, either: ${lowerFirst(second.error.message)}`;
	return { kind: 'failed', error: addWords(error, words), task };
}

const addWords = (error: ServiceError, words: string): ServiceError => ({
	...error,
	description: sentences(error.description, words),
});

/** A task without a video says more than the content endpoint does. */
function byState(error: ServiceError, { status }: VideoTask): ServiceError {
	if (status === 'SUCCESS') return error;
	const message = isFinal(status)
		? 'The render ended in FAILURE, so there is no video'
		: `The render is not finished, the task is ${status}`;
	return { ...error, message, retryable: !isFinal(status) };
}
