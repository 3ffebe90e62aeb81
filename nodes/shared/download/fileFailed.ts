import { type Failure, inBrackets, nextAfter } from '../failure/failure';
import type { Reason } from '../failure/reason';
import { withoutGaps } from '../lib/json';
import { lowerFirst, sentences, shortReason } from '../lib/text';
import { endOf, type TaskStatus, toBilled } from '../services/answerPaths';
import type { VideoTask } from '../services/videoTask';
import { ANEW, REFUND } from '../task/renderFailed';

/** Why an address gave no file. */
export interface AddressReason extends Reason {
	/** A host that is not the service's; the message begins with what leads there. */
	readonly host?: { what: string; origin: string };
	/** No other address of the same file would work better. */
	readonly everywhere?: boolean;
	/** Of a task that is done and has no file, or no longer: Replicate deletes files after an hour. */
	readonly hasNoFile?: boolean;
}

/** Unless `facts` say so, another try would not help. */
export const addressReason = (
	message: string,
	facts: Partial<AddressReason> = {},
): AddressReason => ({ passes: false, ...facts, message });

/** What the other way to a file met: a check of its task, or another address. */
export interface OtherWay {
	reason: AddressReason;
	isCheck: boolean;
}

const TO_STATUS = 'Wait for the task with Video Status, then download the video.';
/** The advice after a failed download, by the state of the task. */
const DOWNLOAD_LATER: Record<TaskStatus, string> = {
	SUCCESS: 'The video is rendered and paid for: download it later with Video Download.',
	FAILURE: 'Only a new task can produce the video, and it is billed again.',
	IN_PROGRESS: TO_STATUS,
	queued: TO_STATUS,
};
/** New API answers so for a video that Google's filter kept back, too. */
const NO_FILE_YET =
	'Try Video Download again in some minutes. If the file never comes, a filter has kept it back: change the prompt or the image; a new task is billed.';
const DELETED =
	'The service may have deleted it, as Replicate does after an hour. Only a new task can produce it again, and it is billed.';
const DOWNLOAD_AGAIN =
	'Downloads are not billed: run Video Download again with this task ID, as often as you like.';

/**
 * A video could not be downloaded.
 *
 * @param task as far as it is known
 */
export function fileFailed(
	task: Partial<VideoTask>,
	because: AddressReason,
	orElse?: OtherWay,
): Failure {
	const { task_id, status, fail_reason } = task;
	const end = endOf(status);
	// Only then does a task that is done have a reason (Veo).
	const isKeptBack = end === 'done' && fail_reason !== undefined;
	const kept = isKeptBack ? `it was kept back: ${shortReason(fail_reason)}` : undefined;
	const met = wordAddress(because);
	const other = orElse && wordAddress(orElse.reason);
	const step = orElse?.isCheck ? 'The task could not be checked' : 'Its result_url did not work';
	const mayCome = status === undefined || end === 'done' ? because.passes : end !== 'failed';
	return withoutGaps<Failure>({
		kind: 'file',
		message: `The video could not be downloaded: ${lowerFirst(noFileReason(status) ?? kept ?? met.message)}${inBrackets(task_id)}`,
		description: sentences(
			met.description,
			other && `${step} either: ${lowerFirst(other.message)}`,
			orElse && !orElse.isCheck && other?.description,
			task_id !== undefined && (isKeptBack ? `${REFUND} ${ANEW}` : adviceFor(status, because)),
		),
		billed: task_id === undefined ? 'no' : (task.billed ?? toBilled(status)),
		next: nextFor(task, because, { isKeptBack, mayCome }),
		retryable: mayCome && !isKeptBack,
		...{ task_id, status, fail_reason, http_code: because.httpCode },
	});
}

function adviceFor(status: TaskStatus | undefined, because: AddressReason): string | undefined {
	const { advice, fileMayCome, hasNoFile, unknownTask } = because;
	if (endOf(status) === 'done' && fileMayCome) return NO_FILE_YET;
	if (endOf(status) === 'done' && hasNoFile) return DELETED;
	if (status) return DOWNLOAD_LATER[status];
	return unknownTask ? advice : DOWNLOAD_AGAIN;
}

function nextFor(
	{ task_id, status }: Partial<VideoTask>,
	{ account, hasNoFile, unknownTask }: AddressReason,
	{ isKeptBack, mayCome }: { isKeptBack: boolean; mayCome: boolean },
): Failure['next'] {
	if (isKeptBack || (hasNoFile && endOf(status) === 'done')) return 'changeRequest';
	const isGone = unknownTask && !status;
	if (task_id !== undefined && endOf(status) !== 'failed' && !isGone) return 'followTask';
	return nextAfter({ account, passes: mayCome });
}

/** Words what an address met. Of a host elsewhere no word is shown: perhaps only n8n reaches it. */
function wordAddress({ account, code, description, host, httpCode, message }: AddressReason) {
	if (!host) return { message, description };
	const { what, origin } = host;
	const end =
		httpCode === undefined
			? `did not answer (${code})`
			: httpCode < 300
				? 'sent a text instead of a file'
				: `${account ? 'denies access to it' : 'does not give it'} (HTTP ${httpCode})`;
	const advice = `The API key was not sent: it only goes to the address of the credential, and no further once a redirect leads elsewhere. If ${origin} is the service, enter it there.`;
	return {
		message: `${what} leads to ${origin}, which ${end}`,
		description: account ? advice : undefined,
	};
}

/** Returns why a task has no file to download; `undefined` if its state is no reason. */
function noFileReason(status?: TaskStatus): string | undefined {
	if (status === undefined || endOf(status) === 'done') return undefined;
	return endOf(status) === 'failed'
		? `The render ended in ${status}, so there is no video`
		: `The render is not finished and its task is still ${status}`;
}
