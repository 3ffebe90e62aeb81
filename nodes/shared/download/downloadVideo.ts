import { type Failure, isFailure } from '../failure/failure';
import { delayMs, MAX_PAUSE_MS } from '../failure/later';
import { isReason } from '../failure/reason';
import { toHttpUrl } from '../lib/url';
import type { ItemResult } from '../n8n/output';
import type { Run } from '../n8n/run';
import { endOf } from '../services/answerPaths';
import type { Connection } from '../services/connection';
import type { VideoTask } from '../services/videoTask';
import { type ItemOptions, type Render, type WaitState, toRenderItem } from '../task/render';
import { DEFAULT_RETRIES, type DownloadOptions } from './downloadOptions';
import { type AddressReason, addressReason, fileFailed, type OtherWay } from './fileFailed';
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
	checkTask?: () => Promise<WaitState>;
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
 * Downloads one video. Each try asks its address and then, in turn, the `result_url` of its task, and a fresh
 * one if the host denies that and the service gives one. After a failure that passes, a try begins anew: what
 * New API answers is always the whole file.
 */
export async function downloadVideo(
	{ address: given, task, checkTask }: Wanted,
	options: DownloadOptions,
	run: Run,
	connection: Connection,
): Promise<StoredFile | Failure> {
	const { retries = DEFAULT_RETRIES } = options;
	const { clock, maxPauseMs } = run;
	const store = async (from: string) =>
		await storeVideo(from, task.task_id, options, run, connection);
	const { service } = connection;
	let fresh: string | undefined;
	let found = given === undefined ? await checkTask?.() : undefined;
	let record = recordOf(found) ?? task;
	const address = given ?? record.result_url;
	if (run.signal.aborted) return fileFailed(record, STOPPED);
	if (address === undefined) {
		// Of a render that has just ended, nothing can be deleted yet.
		const noFile = checkTask ? NAMES_NO_FILE : NAMES_NO_FILE_YET;
		return fileFailed(record, found?.because ?? noFile, undefined, service);
	}
	for (let tries = 1; ; tries++) {
		const first = await store(address);
		if (!isReason(first)) return first;
		if (first.everywhere) return fileFailed(record, first);
		found ??= await checkTask?.();
		if (run.signal.aborted) return fileFailed(record, STOPPED);
		if (found?.because?.unknownTask) return fileFailed(task, found.because);
		record = recordOf(found) ?? task;
		// Of a render that goes on, or has failed, no try brings a file.
		const hasNoFile = found && !found.because && endOf(record.status) !== 'done';
		const own = toHttpUrl(record.result_url)?.href;
		// Replicate names a file no longer that it has deleted.
		const isDeleted = found && !found.because && !hasNoFile && own === undefined;
		if (isDeleted) return fileFailed(record, NAMES_NO_FILE, undefined, service);
		const isOther = own !== undefined && own !== toHttpUrl(address)?.href;
		const second = isOther && !hasNoFile ? await store(own) : undefined;
		if (second && !isReason(second)) return second;
		if (second?.everywhere) return fileFailed(record, second);
		const last = isOther ? second : first;
		if (own && last?.host && last.mayBeGone) fresh ??= await connection.freshUrl(own);
		const third = fresh === undefined ? undefined : await store(fresh);
		if (third && !isReason(third)) return third;
		if (third?.everywhere) return fileFailed(record, third);
		const passing = [first, second, third].find((reason) => reason?.passes);
		const wantedMs = passing?.retryAfterMs ?? delayMs(tries, clock.random());
		const pauseMs = Math.min(wantedMs, MAX_PAUSE_MS);
		if (hasNoFile || !passing || tries > retries || pauseMs > maxPauseMs) {
			return fileFailed(record, first, toOtherWay(second, found), service);
		}
		await clock.pause(pauseMs);
	}
}

/** Returns the record that a check has brought; one that failed says nothing of the task's state. */
const recordOf = (found?: WaitState) => (found?.because ? undefined : found?.render.task);

const NAMES_NO_FILE_YET = addressReason(
	'The service names no file of this task that this node knows',
);
const NAMES_NO_FILE = addressReason('The service names no file of this task', { hasNoFile: true });

function toOtherWay(second?: AddressReason, found?: WaitState): OtherWay | undefined {
	if (second) return { reason: second, isCheck: false };
	return found?.because && { reason: found.because, isCheck: true };
}
