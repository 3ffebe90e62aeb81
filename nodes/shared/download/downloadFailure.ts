import { adviceFor, type Failure, toFailure } from '../item/failure';
import { lowerFirst, sentences } from '../lib/text';
import { isUnknownTask, type Trouble } from '../service/trouble';
import type { TaskStatus, VideoTask } from '../service/videoTask';

/** What to do about a video that did not come, by what is known of its task. */
const DOWNLOAD_LATER: Record<TaskStatus, string> = {
	SUCCESS: 'The video is rendered and paid for: download it later with Video Download.',
	FAILURE: 'Only a new task can produce the video, and it is billed again.',
	IN_PROGRESS: 'Wait for the task with Video Status, then download the video.',
	queued: 'Wait for the task with Video Status, then download the video.',
};
const DOWNLOAD_AGAIN =
	'Downloads are not billed: run Video Download again with this task ID, as often as you like.';

/** One try is no proof; this is said once all of them had the same answer. */
const WITHHELD = "the vendor's filter probably withheld it, so asking again does not help";
const AFTER_WITHHELD =
	'The render is charged all the same. Change the prompt or the image for a new one.';

/** A download that did not work out: the paid task is safe at the service. */
export function toDownloadFailure(
	trouble: Trouble,
	{ task_id, status, fail_reason, mayBeWithheld }: Partial<VideoTask>,
): Failure {
	const isWithheld = mayBeWithheld === true && trouble.noFile === true;
	const isNone = status === undefined && !trouble.retryable && isUnknownTask(trouble);
	const again = isNone ? adviceFor(trouble) : DOWNLOAD_AGAIN;
	const later = status ? DOWNLOAD_LATER[status] : again;
	const failure = toFailure(isWithheld ? { ...trouble, retryable: false } : trouble);
	const why = isWithheld ? WITHHELD : lowerFirst(trouble.message);
	const renders = status === 'queued' || status === 'IN_PROGRESS';
	return {
		...failure,
		next: renders ? 'followTask' : failure.next,
		task_id,
		status,
		fail_reason,
		message: `The video could not be downloaded: ${why}${task_id ? ` (task ${task_id})` : ''}`,
		description: sentences(trouble.description, task_id && (isWithheld ? AFTER_WITHHELD : later)),
	};
}
