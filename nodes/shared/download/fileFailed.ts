import { type Failure, inBrackets, nextAfter } from '../failure/failure';
import type { Reason } from '../failure/reason';
import { withoutGaps } from '../lib/json';
import type { Made } from '../lib/mediaType';
import { lowerFirst, sentences, shortReason } from '../lib/text';
import { endOf, type TaskStatus, toBilled } from '../services/answerPaths';
import type { Service } from '../services/contract';
import { nameOf, type VideoTask } from '../services/videoTask';
import { ANEW, REFUND } from '../task/renderFailed';

/** Why an address gave no file. */
export interface AddressReason extends Reason {
	/** A host that is not the service's; the message begins with what leads there. */
	readonly host?: { what: string; origin: string; mayBeService: boolean };
	/** No other address of the same file would work better. */
	readonly everywhere?: boolean;
	/** Of a task that is done and has no file, or no longer. */
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

/** The advice after a failed download, by the state of the task. */
function adviseLater(status: TaskStatus, name: Made): string {
	const end = endOf(status);
	if (end === 'failed') return `Only a new task can produce the ${name}, and it is billed again.`;
	return end === 'done'
		? `The ${name} is ${wordReady(name)} and paid for, and downloading it later is free: run Video Download with its task ID.`
		: `Wait for the task with Video Status, then download the ${name}.`;
}
const adviseNow = (name: Made) =>
	`The ${name} is ${wordReady(name)} and paid for: run Video Download now with its task ID, which is free. If that fails again, the file is gone.`;
const wordReady = (name: Made) => (name === 'video' ? 'rendered' : 'ready');
const DELETED = 'The service may have deleted it';
const EXPIRED = 'The link may have expired, or the file may be deleted';
const ASK_ANEW = 'With Source on Task, Video Download gets a fresh link by the task ID.';
const NEW_TASK = 'Only a new task can produce it again, and it is billed.';
const DOWNLOAD_AGAIN =
	'Downloads are not billed: run Video Download again with this task ID, as often as you like.';

/**
 * A file could not be downloaded.
 *
 * @param task as far as it is known
 * @param service says how long it keeps files
 */
export function fileFailed(
	task: Partial<VideoTask>,
	because: AddressReason,
	orElse?: OtherWay,
	service?: Keeper,
): Failure {
	const { task_id, status, fail_reason } = task;
	const end = endOf(status);
	// Only then does a task that is done have a reason (Veo).
	const isKeptBack = end === 'done' && fail_reason !== undefined;
	const kept = isKeptBack ? `it was kept back: ${shortReason(fail_reason)}` : undefined;
	const met = wordAddress(because, service);
	const other = orElse && wordAddress(orElse.reason, service);
	const step = orElse?.isCheck ? 'The task could not be checked' : 'Its result_url did not work';
	const mayCome = status === undefined || end === 'done' ? because.passes : end !== 'failed';
	return withoutGaps<Failure>({
		kind: 'file',
		message: `The ${nameOf(task)} could not be downloaded: ${lowerFirst(noFileReason(status) ?? kept ?? met.message)}${inBrackets(task_id)}`,
		description: sentences(
			met.description,
			other && `${step} either: ${lowerFirst(other.message)}`,
			orElse && !orElse.isCheck && other?.description,
			task_id === undefined
				? because.host && because.mayBeGone && ASK_ANEW
				: isKeptBack
					? `${REFUND} ${ANEW}`
					: adviceFor(task, because, service),
		),
		billed: task_id === undefined ? 'no' : (task.billed ?? toBilled(status)),
		next: nextFor(task, because, { isKeptBack, mayCome }),
		retryable: mayCome && !isKeptBack,
		...{ task_id, status, fail_reason, http_code: because.httpCode },
	});
}

type Keeper = Pick<Service, 'keepsFiles' | 'label'>;

const wordKept = (service?: Keeper) =>
	service?.keepsFiles ? `: ${service.label} keeps files for ${service.keepsFiles}` : '';

function adviceFor(
	{ status, ...task }: Partial<VideoTask>,
	{ advice, hasNoFile, host, isGone, mayBeGone, unknownTask }: AddressReason,
	service?: Keeper,
): string | undefined {
	if (endOf(status) === 'done' && (hasNoFile || isGone)) {
		return sentences(DELETED + wordKept(service), NEW_TASK);
	}
	if (endOf(status) === 'done' && host && mayBeGone) return adviseNow(nameOf(task));
	if (status) return adviseLater(status, nameOf(task));
	return unknownTask ? advice : DOWNLOAD_AGAIN;
}

function nextFor(
	{ task_id, status }: Partial<VideoTask>,
	{ account, hasNoFile, host, isGone, unknownTask }: AddressReason,
	{ isKeptBack, mayCome }: { isKeptBack: boolean; mayCome: boolean },
): Failure['next'] {
	if (isKeptBack || ((hasNoFile || isGone) && endOf(status) === 'done')) return 'changeRequest';
	const isLost = unknownTask && !status;
	if (task_id !== undefined && endOf(status) !== 'failed' && !isLost) return 'followTask';
	// Who denies an expired link knows nothing of the account.
	return nextAfter({ account: account && host?.mayBeService !== false, passes: mayCome });
}

/** Words what an address met. Of a host elsewhere no word is shown: perhaps only n8n reaches it. */
function wordAddress(
	{ account, code, description, host, httpCode, mayBeGone, message }: AddressReason,
	service?: Keeper,
) {
	if (!host) return { message, description };
	const { what, origin, mayBeService } = host;
	const end =
		httpCode === undefined
			? `did not answer (${code})`
			: httpCode < 300
				? 'sent a text instead of a file'
				: `${account ? 'denies access to it' : 'does not give it'} (HTTP ${httpCode})`;
	const advice = `The API key was not sent: it only goes to the address of the credential, and no further once a redirect leads elsewhere. If ${origin} is the service, enter it there.`;
	return {
		message: `${what} leads to ${origin}, which ${end}`,
		description:
			account && mayBeService ? advice : mayBeGone ? EXPIRED + wordKept(service) : undefined,
	};
}

/** Returns why a task has no file to download; `undefined` if its state is no reason. */
function noFileReason(status?: TaskStatus): string | undefined {
	if (status === undefined || endOf(status) === 'done') return undefined;
	return endOf(status) === 'failed'
		? `The task ended in ${status}, so there is no file`
		: `The render is not finished and its task is still ${status}`;
}
