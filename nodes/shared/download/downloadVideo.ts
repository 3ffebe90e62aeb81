import type { DownloadOptions } from '../item/downloadOptions';
import type { ItemResult } from '../item/output';
import type { Run } from '../item/run';
import { endOf } from '../service/answerPaths';
import type { Connection } from '../service/connection';
import { toHttpUrl } from '../service/credential';
import { mayBeEarly, mayBringFile, mayGetFile } from '../service/later';
import { contentPath } from '../service/routes';
import type { VideoTask } from '../service/videoTask';
import { createCheck } from '../task/poll';
import { type ItemOptions, type Render, toRender, toRenderItem } from '../task/render';
import { toLinkFields } from './link';
import { storeVideo, type VideoFile } from './storeVideo';
import { type AddressFailure, type FileFailure, isUnknownTask } from '../item/failure';
import { type CheckFailure, isFailure } from '../service/reason';

/** Downloads have their own limit, so that submits and polls never wait for a long file. */
export const CONCURRENT_DOWNLOADS = 4;

/** The pauses, two minutes in all, in which a task that is done may get its file. */
const FILE_PAUSES_MS = [2_000, 4_000, 8_000, 16_000, 30_000, 60_000];

/** A task as it was last known, and why its record could not be fetched, if so. */
interface Checked {
	render: Render;
	failure?: CheckFailure;
	/** Fetches the record anew: its address may have expired since it was fetched. */
	renew?: () => Promise<Checked>;
}

/** Resolves to the item with its files, or to a failure; after Stop, to the item alone. */
export async function addVideo(
	render: Render,
	options: DownloadOptions & ItemOptions & { itemIndex: number },
	run: Run,
	connection: Connection,
): Promise<ItemResult> {
	const { task } = render;
	const address = connection.baseUrl + contentPath(task.task_id);
	const check = createCheck(run, connection);
	const renew = async () => await check(toRender(task));
	const checkTask = async () => ({ render, renew });
	const result = await downloadVideo(address, task, checkTask, options, run, connection);
	// A stopped download is no failure: the item keeps the task.
	if (isFailure(result)) {
		return run.signal.aborted ? { json: toRenderItem(render, options) } : result;
	}
	const { binary } = result;
	const link = toLinkFields(binary, options.linkHours, run);
	const json = toRenderItem(render, options, link);
	return { json, binary: { [options.binaryProperty]: binary } };
}

/**
 * Downloads one video, with retries: from its address, or else from its task's `result_url`. Of a task
 * that is done, neither address is given up within two minutes because it does not know the file yet.
 *
 * @param task the task, as far as it is known
 * @param checkTask checks the task when the address gives no file
 */
export async function downloadVideo(
	...[address, task, checkTask, options, run, connection]: Parameters<typeof downloadOnce>
): Promise<VideoFile | FileFailure> {
	let result = await downloadOnce(address, task, checkTask, options, run, connection);
	// Somebody who wants no retries has said so.
	const pausesMs = options.retries === 0 || !checkTask ? [] : FILE_PAUSES_MS;
	for (const ms of pausesMs.filter((pause) => pause <= run.maxPauseMs)) {
		if (!isFailure(result) || !mayBeLate(result)) break;
		await run.clock.pause(ms);
		if (run.signal.aborted) break;
		const once = { ...options, retries: 0 };
		result = await downloadOnce(address, task, checkTask, once, run, connection);
	}
	return result;
}

/** Returns whether the address that was tried last may get the file of a task that is done. */
const mayBeLate = ({ task, because, orElse }: FileFailure) =>
	endOf(task.status) === 'done' && mayGetFile((orElse ?? because).httpCode, orElse !== undefined);

async function downloadOnce(
	address: string,
	task: Partial<VideoTask>,
	checkTask: (() => Promise<Checked>) | undefined,
	options: DownloadOptions,
	run: Run,
	connection: Connection,
): Promise<VideoFile | FileFailure> {
	const { task_id } = task;
	const fail = (
		because: FileFailure['because'],
		record = task,
		orElse?: FileFailure['orElse'],
	): FileFailure => ({
		kind: 'file',
		message: because.message,
		passes: mayBringFile(because, record.status),
		...{ because, orElse, task: { ...record, task_id } },
	});
	/** Returns the address in a task's record, unless it is the one that was tried. */
	const otherAddress = ({ render }: Checked): string | undefined => {
		const other = toHttpUrl(render.task.result_url)?.href;
		return other === toHttpUrl(address)?.href ? undefined : other;
	};
	/** The check that showed another try of this address to be pointless, for good or for now. */
	let lastCheck: Checked | undefined;
	const isPointless = async ({ httpCode }: AddressFailure) => {
		if (!checkTask || (!run.forAgent && !mayBeEarly(httpCode))) return false;
		const found = await checkTask();
		// Agents often ask too early, and the retries take half a minute.
		const end = endOf(found.render.task.status);
		const isEarly = run.forAgent && !found.failure && end !== 'done';
		const isElsewhere = httpCode === 404 && otherAddress(found) !== undefined;
		if (isEarly || isElsewhere || isUnknown(found) || end === 'failed') lastCheck = found;
		return lastCheck !== undefined;
	};
	const first = await storeVideo(address, task_id, options, run, connection, isPointless);
	if (!isFailure(first)) return first;
	if (first.everywhere || !checkTask) return fail(first);
	const found = lastCheck ?? (await checkTask());
	if (isUnknown(found)) return fail(found.failure);
	if (found.failure) return fail(first, task, found.failure);
	const { task: checked } = found.render;
	const other = otherAddress(found);
	if (other === undefined) return fail(first, checked);
	const second = await storeVideo(other, task_id, options, run, connection);
	if (!isFailure(second)) return second;
	const renewed = isExpired(second) && found.renew && otherAddress(await found.renew());
	if (renewed && renewed !== other) {
		const third = await storeVideo(renewed, task_id, options, run, connection);
		if (!isFailure(third)) return third;
	}
	return second.everywhere ? fail(second, checked) : fail(first, checked, second);
}

/** Returns whether an address may have worked before: storages say so of a signature that is too old. */
const isExpired = ({ httpCode }: AddressFailure) =>
	[400, 401, 403, 404, 410].includes(httpCode ?? 0);

/** Returns whether the service says there is no such task, so that no address will help. */
const isUnknown = (found?: Checked): found is Checked & { failure: CheckFailure } =>
	found?.failure !== undefined && isUnknownTask(found.failure);
