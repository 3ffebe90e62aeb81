import type { DownloadOptions } from '../item/downloadOptions';
import { adviceFor, type Failure, toFailure } from '../item/failure';
import type { ItemResult } from '../item/output';
import type { Run } from '../item/run';
import { lowerFirst, sentences } from '../lib/text';
import { type Address, type Connection, toUrl } from '../service/connection';
import { toHttpUrl } from '../service/credential';
import { isUnknownTask, type Trouble } from '../service/trouble';
import { contentAddress } from '../service/videoApi';
import { isFinal, type TaskStatus, type VideoTask } from '../service/videoTask';
import { type ItemLook, type Render, toRenderItem } from '../task/render';
import { addLastFrame } from './lastFrame';
import { toLinkFields } from './link';
import { storeVideo, type VideoFile } from './storeVideo';

/**
 * How many downloads run at once. They have their own limit, so that submissions and polls never
 * wait for a long file. Each holds a connection; only n8n's storage may hold a whole file in memory.
 */
export const CONCURRENT_DOWNLOADS = 4;

/** A task as it was last known, and the trouble if its record could not be fetched. */
interface Checked {
	render: Render;
	trouble?: Trouble;
}

/**
 * Resolves to the item with its file, and the picture of its last frame if there is one; a failure
 * with the task ID if the download failed; the item alone if the run was stopped.
 */
export async function addVideo(
	render: Render,
	options: DownloadOptions & ItemLook & { itemIndex: number },
	run: Run,
	connection: Connection,
): Promise<ItemResult> {
	const { task } = render;
	const address = contentAddress(task.task_id);
	const checkTask = async () => ({ render });
	const result = await downloadVideo(address, task, checkTask, options, run, connection);
	const json = toRenderItem(render, options);
	// A stopped download is no failure: the item keeps the task.
	if ('failure' in result) return run.signal.aborted ? { json } : result;
	const { binary, file_name } = result.file;
	const link = toLinkFields(binary, options.linkHours, run);
	const lastFrame = await addLastFrame(task, file_name, options, run, connection);
	return { json: { ...json, ...link }, binary: { [options.binaryProperty]: binary, ...lastFrame } };
}

/**
 * Downloads one video, with retries: from its address, or else from its task's `result_url`.
 *
 * @param task the task, as far as it is known
 * @param checkTask checks the task when the address gives no file
 */
export async function downloadVideo(
	address: Address,
	task: Partial<VideoTask>,
	checkTask: (() => Promise<Checked>) | undefined,
	options: DownloadOptions,
	run: Run,
	connection: Connection,
): Promise<{ file: VideoFile } | { failure: Failure }> {
	const { task_id } = task;
	const fail = (trouble: Trouble, known = task) => ({
		failure: toDownloadFailure(trouble, { ...known, task_id }),
	});
	/** The check that showed another try of this address to be pointless, for good or for now. */
	let hopeless: Checked | undefined;
	const isInVain = async ({ httpCode }: Trouble) => {
		if (!checkTask || (!run.forAgent && httpCode !== 400 && httpCode !== 404)) return false;
		const found = await checkTask();
		// Agents often ask too early, and the retries take half a minute.
		const { status } = found.render.task;
		const isEarly = run.forAgent && !found.trouble && status !== 'SUCCESS';
		if (isEarly || isUnknown(found) || status === 'FAILURE') hopeless = found;
		return hopeless !== undefined;
	};
	const first = await storeVideo(address, task_id, options, run, connection, isInVain);
	if ('binary' in first) return { file: first };
	const { trouble, everywhere } = first;
	if (everywhere || !checkTask) return fail(trouble);
	const found = hopeless ?? (await checkTask());
	if (isUnknown(found)) return fail(found.trouble);
	if (found.trouble) {
		const words = `The task could not be checked either: ${lowerFirst(found.trouble.message)}`;
		return fail(addWords(trouble, words));
	}
	const { task: checked } = found.render;
	const other = toHttpUrl(checked.result_url)?.href;
	const isSame = other === toHttpUrl(toUrl(address, connection.baseUrl))?.href;
	if (other === undefined || isSame) return fail(byState(trouble, checked), checked);
	const second = await storeVideo(other, task_id, options, run, connection);
	if ('binary' in second) return { file: second };
	if (second.everywhere) return fail(second.trouble, checked);
	const { message, description } = second.trouble;
	const words = `Its result_url did not work either: ${lowerFirst(message)}`;
	return fail(addWords(trouble, sentences(words, description)), checked);
}

/** Returns whether the service says there is no such task, so that no address will help. */
const isUnknown = (found?: Checked): found is Checked & { trouble: Trouble } =>
	found?.trouble !== undefined && isUnknownTask(found.trouble);

const addWords = (trouble: Trouble, words: string | undefined): Trouble => ({
	...trouble,
	description: sentences(trouble.description, words),
});

/** Lets the task's state, unless it is SUCCESS, decide the message and whether to try again. */
function byState(trouble: Trouble, { status }: VideoTask): Trouble {
	if (status === 'SUCCESS') return trouble;
	const message = isFinal(status)
		? 'The render ended in FAILURE, so there is no video'
		: `The render is not finished and its task is still ${status}`;
	return { ...trouble, message, retryable: !isFinal(status) };
}

const TO_STATUS = 'Wait for the task with Video Status, then download the video.';
/** The advice after a failed download, by the state of the task. */
const DOWNLOAD_LATER: Record<TaskStatus, string> = {
	SUCCESS: 'The video is rendered and paid for: download it later with Video Download.',
	FAILURE: 'Only a new task can produce the video, and it is billed again.',
	IN_PROGRESS: TO_STATUS,
	queued: TO_STATUS,
};
const DOWNLOAD_AGAIN =
	'Downloads are not billed: run Video Download again with this task ID, as often as you like.';
/** Said if the last try, too, ended in the gateway's own 502: an earlier one may pass. */
const WITHHELD = "the vendor's filter probably withheld it, so asking again does not help";
const AFTER_WITHHELD =
	'The render is charged all the same. Change the prompt or the image for a new one.';

/** Returns the failure of a download, with advice by the task's state, as far as it is known. */
export function toDownloadFailure(
	trouble: Trouble,
	{ task_id, status, fail_reason, hasLiveRecord }: Partial<VideoTask>,
): Failure {
	const isWithheld = status === 'SUCCESS' && hasLiveRecord === true && trouble.noFile === true;
	const isNone = status === undefined && !trouble.retryable && isUnknownTask(trouble);
	const later = status ? DOWNLOAD_LATER[status] : isNone ? adviceFor(trouble) : DOWNLOAD_AGAIN;
	const failure = toFailure({ ...trouble, retryable: trouble.retryable && !isWithheld });
	const why = isWithheld ? WITHHELD : lowerFirst(trouble.message);
	// Whoever sends the item of a paid video again pays for another one.
	const isPaid = task_id !== undefined && status !== 'FAILURE' && !isNone && !isWithheld;
	return {
		...failure,
		next: isPaid ? 'followTask' : failure.next,
		task_id,
		status,
		fail_reason,
		message: `The video could not be downloaded: ${why}${task_id ? ` (task ${task_id})` : ''}`,
		description: sentences(trouble.description, task_id && (isWithheld ? AFTER_WITHHELD : later)),
	};
}
