import { DEFAULT_RETRIES, type DownloadOptions } from '../item/downloadOptions';
import {
	type AddressFailure,
	addressFailure,
	type FileFailure,
	isUnknownTask,
	NO_FILE,
} from '../item/failure';
import type { ItemResult } from '../item/output';
import type { Run } from '../item/run';
import { endOf } from '../service/answerPaths';
import type { Connection } from '../service/connection';
import { toHttpUrl } from '../service/credential';
import { delayMs, mayBringFile } from '../service/later';
import { type CheckFailure, isFailure } from '../service/reason';
import type { VideoTask } from '../service/videoTask';
import { type ItemOptions, type Render, type TaskOutcome, toRenderItem } from '../task/render';
import { toLinkFields } from './link';
import type { StoredFile } from './storeFile';
import { STOPPED, storeVideo } from './storeVideo';

/** Downloads have their own limit, so that submits and polls never wait for a long file. */
export const CONCURRENT_DOWNLOADS = 4;

/** A video that is wanted as a file. */
interface Wanted {
	/** The address that is tried first; without one, the record is asked for it. */
	address?: string;
	/** As far as it is known. Its `result_url` is the other address. */
	task: Partial<VideoTask>;
	/** Fetches the task's record, if the address gives no file. */
	checkTask?: () => Promise<TaskOutcome>;
}

/** Resolves to the item with its file, or to a failure; after Stop, to the item alone. */
export async function addVideo(
	render: Render,
	options: DownloadOptions & ItemOptions,
	run: Run,
	connection: Connection,
): Promise<ItemResult> {
	const { task } = render;
	const address = connection.contentUrl(task.task_id) ?? task.result_url;
	const result = await downloadVideo({ address, task }, options, run, connection);
	if (isFailure(result)) {
		// A stopped download is no failure: the item keeps the task.
		return run.signal.aborted ? { json: toRenderItem(render, options) } : result;
	}
	const { binary } = result;
	const link = toLinkFields(binary, options.linkHours, run);
	const json = toRenderItem(render, options, link);
	return { json, binary: { [options.binaryProperty]: binary } };
}

/**
 * Downloads one video. Each try asks its address and then, in turn, the `result_url` of its task. After a
 * failure that passes, a try begins anew: what New API answers is always the whole file.
 */
export async function downloadVideo(
	{ address: given, task, checkTask }: Wanted,
	options: DownloadOptions,
	run: Run,
	connection: Connection,
): Promise<StoredFile | FileFailure> {
	const { retries = DEFAULT_RETRIES } = options;
	const { clock, maxPauseMs } = run;
	const store = async (from: string) =>
		await storeVideo(from, task.task_id, options, run, connection);
	let found = given === undefined ? await checkTask?.() : undefined;
	let record = recordOf(found) ?? task;
	const address = given ?? record.result_url;
	if (run.signal.aborted) return toFileFailure(record, STOPPED);
	if (address === undefined) return toFileFailure(record, found?.failure ?? NO_ADDRESS);
	for (let tries = 1; ; tries++) {
		const first = await store(address);
		if (!isFailure(first)) return first;
		if (first.everywhere) return toFileFailure(record, first);
		found ??= await checkTask?.();
		if (run.signal.aborted) return toFileFailure(record, STOPPED);
		if (found?.failure && isUnknownTask(found.failure)) return toFileFailure(task, found.failure);
		record = recordOf(found) ?? task;
		// Of a render that goes on, or has failed, no try brings a file.
		const hasNoFile = found && !found.failure && endOf(record.status) !== 'done';
		const other = toHttpUrl(record.result_url)?.href;
		const isOther = other !== undefined && other !== toHttpUrl(address)?.href;
		const second = isOther && !hasNoFile ? await store(other) : undefined;
		if (second && !isFailure(second)) return second;
		if (second?.everywhere) return toFileFailure(record, second);
		const passing = [first, second].find((failure) => failure?.passes);
		const pauseMs = passing?.retryAfterMs ?? delayMs(tries, clock.random());
		if (hasNoFile || !passing || tries > retries || pauseMs > maxPauseMs) {
			return toFileFailure(record, first, second ?? found?.failure);
		}
		await clock.pause(pauseMs);
	}
}

/** Returns the record that a check has brought; one that failed says nothing of the task's state. */
const recordOf = (found?: TaskOutcome) => (found?.failure ? undefined : found?.render.task);

const NO_ADDRESS = addressFailure('The service names no file of this task', { code: NO_FILE });

const toFileFailure = (
	task: Partial<VideoTask>,
	because: AddressFailure | CheckFailure,
	orElse?: AddressFailure | CheckFailure,
): FileFailure => ({
	kind: 'file',
	message: because.message,
	passes: mayBringFile(because, task.status),
	because,
	orElse,
	task,
});
