import type { IBinaryKeyData } from 'n8n-workflow';

import { type Failure, isFailure } from '../failure/failure';
import { delayMs, MAX_PAUSE_MS } from '../failure/later';
import { isReason } from '../failure/reason';
import { toHttpUrl } from '../lib/url';
import { toBinary } from '../n8n/carried';
import type { ItemResult } from '../n8n/output';
import type { Run } from '../n8n/run';
import { endOf } from '../services/answerPaths';
import type { Connection } from '../services/connection';
import { addressesOf, hasNoMedia } from '../services/taskFiles';
import type { VideoTask } from '../services/videoTask';
import {
	type ItemOptions,
	type Render,
	toItemResult,
	toRenderItem,
	type WaitState,
} from '../task/render';
import { DEFAULT_RETRIES, type DownloadOptions } from './downloadOptions';
import { type AddressReason, addressReason, fileFailed, type OtherWay } from './fileFailed';
import { toLinkFields } from './link';
import type { StoredFile } from './storeFile';
import { STOPPED, fetchFile } from './fetchFile';

/** Downloads have their own limit, so that submits and polls never wait for a long file. */
export const CONCURRENT_DOWNLOADS = 4;

/** What is wanted as files. */
interface Wanted {
	/** The one address that is tried first; without it, the task's own are. */
	address?: string;
	/** As far as it is known. Its own addresses are the others. */
	task: Partial<VideoTask>;
	/** Fetches the task's record, if the address gives no file. */
	checkTask?: () => Promise<WaitState>;
	/** Which of the task's files that address is; 0 is the first. */
	index?: number;
}

/** What a task has made: no file if it is a text, or something else than a video, an image or a sound. */
export interface Downloaded {
	files: StoredFile[];
	/** As far as it is known. */
	task: Partial<VideoTask>;
}

/** Resolves to the item with its files, or to a failure; after Stop, to the item alone. */
export async function addFiles(
	render: Render,
	options: DownloadOptions & ItemOptions,
	run: Run,
	connection: Connection,
): Promise<ItemResult> {
	const { task } = render;
	const address = connection.contentUrl(task.task_id);
	const result = await downloadFiles({ address, task }, options, run, connection);
	if (isFailure(result)) {
		// A stopped download is no failure: the item keeps the task.
		return run.signal.aborted ? toItemResult({ state: 'stopped', render }, options)! : result;
	}
	const own = toBinaries(result.files, options.binaryProperty);
	const link = toLinkFields(Object.values(own), options.linkHours, run);
	return { json: toRenderItem(render, options, link), ...toBinary(options.carriedFiles, own) };
}

/** Returns stored files as an item has them: `data`, `data_1`, `data_2`. */
export const toBinaries = (files: StoredFile[], name: string): IBinaryKeyData =>
	Object.fromEntries(files.map(({ binary }, i) => [i === 0 ? name : `${name}_${i}`, binary]));

/** Downloads the files of one task, one after the other: all of them, or a failure. */
export async function downloadFiles(
	{ address, task, checkTask, index = 0 }: Wanted,
	options: DownloadOptions,
	run: Run,
	connection: Connection,
): Promise<Downloaded | Failure> {
	const found = address === undefined ? await checkTask?.() : undefined;
	const record = recordOf(found) ?? task;
	if (run.signal.aborted) return fileFailed(record, STOPPED);
	if (address === undefined && hasNoMedia(record)) return { files: [], task: record };
	const addresses = address === undefined ? addressesOf(record) : [address];
	if (addresses.length === 0) {
		// Of a render that has just ended, nothing can be deleted yet.
		const noFile = checkTask ? NAMES_NO_FILE : NAMES_NO_FILE_YET;
		return fileFailed(record, found?.because ?? noFile, undefined, connection.service);
	}
	const files: StoredFile[] = [];
	for (const [i, one] of addresses.entries()) {
		const wanted = { address: one, task: record, checkTask, index: index + i };
		const file = await downloadFile(wanted, found, options, run, connection);
		if (isFailure(file)) return file;
		files.push(file);
	}
	return { files, task: record };
}

/**
 * Downloads one file. Each try asks its address and then, in turn, the one that its task's record has for it,
 * and a fresh one if the host denies that and the service gives one. After a failure that passes, a try begins
 * anew: what New API answers is always the whole file.
 *
 * @param found what a check of the task has brought, if there was one
 */
async function downloadFile(
	{ address, task, checkTask, index }: Wanted & { address: string; index: number },
	found: WaitState | undefined,
	options: DownloadOptions,
	run: Run,
	connection: Connection,
): Promise<StoredFile | Failure> {
	const { retries = DEFAULT_RETRIES } = options;
	const { clock, maxPauseMs } = run;
	const { service } = connection;
	const { task_id, kind } = task;
	const store = async (from: string) =>
		await fetchFile(from, { task_id, kind, index }, options, run, connection);
	let fresh: string | undefined;
	for (let tries = 1; ; tries++) {
		const met = await store(address);
		if (!isReason(met)) return met;
		// A file of a render that has just ended cannot be gone yet: its host may not have it so far.
		const first = checkTask ? met : { ...met, isGone: undefined };
		let record = recordOf(found) ?? task;
		if (first.everywhere) return fileFailed(record, first);
		found ??= await checkTask?.();
		if (run.signal.aborted) return fileFailed(record, STOPPED);
		if (found?.because?.unknownTask) return fileFailed(task, found.because);
		record = recordOf(found) ?? task;
		// Of a render that goes on, or has failed, no try brings a file.
		const hasNoFile = found && !found.because && endOf(record.status) !== 'done';
		const own = toFileAddress(addressesOf(record)[index]);
		// Replicate names a file no longer that it has deleted.
		const isDeleted = found && !found.because && !hasNoFile && own === undefined;
		if (isDeleted) return fileFailed(record, NAMES_NO_FILE, undefined, service);
		const isOther = own !== undefined && own !== toFileAddress(address);
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

/** Returns an address as it is compared; data URIs are their own. */
const toFileAddress = (address?: string) =>
	address?.startsWith('data:') ? address : toHttpUrl(address)?.href;

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
