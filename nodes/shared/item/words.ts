import type { IDataObject } from 'n8n-workflow';

import { withoutGaps } from '../lib/json';
import { lowerFirst, oneLine, sentences, startOf } from '../lib/text';
import { endOf, type TaskStatus } from '../service/answerPaths';
import type { Asking } from '../service/later';
import type { CheckFailure, Reason, UnclearSubmit } from '../service/reason';
import { BY_VENDOR } from '../service/serviceWords';
import type { VideoTask } from '../service/videoTask';
import {
	type AddressFailure,
	billedFor,
	type Failure,
	type FileFailure,
	isKeptBack,
	isRetryable,
	isUnknownTask,
	NO_FILE,
	lastReasonOf,
	nextFor,
	type RenderFailure,
	taskOf,
} from './failure';
import type { Summary } from './run';
import { NOT_BILLED, wordText } from './textWords';

/** Returns how all our words name an item: as n8n itself does, which counts from 0. */
export const toItemName = (itemIndex: number) => `[item ${itemIndex}]`;

export const toVideos = (count: number) => `${count} ${count === 1 ? 'video' : 'videos'}`;

export const toIso = (ms: number | undefined) =>
	ms === undefined ? undefined : new Date(ms).toISOString();

/** Codes of requests that were not sent, most often because of a typo in the credential. */
const OUT_OF_REACH = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EPROTO'];

const OTHER_PATHS =
	'If the service documents other paths for videos, set Service in the credential to Custom Paths.';
const OTHER_MODEL = 'Choose another Model, or ask the operator of the service.';
const OTHER_FIELDS = 'If the service wants other fields, write them into Additional Fields (JSON).';
/** What services say of a request that lacks a field, or has it in another form. */
const OF_FIELDS =
	/\b(required|missing|unmarshal|unknown|unrecogni[sz]ed|unexpected|extra|mutually exclusive|combined)\b|\b(must|should) be\b|\b(expected|invalid) (type|value|string|number|integer|object)/i;
const CHECK_BASE_URL =
	'Check the Base URL in the credential, that the service runs, and that n8n can reach it. If n8n runs in a container, localhost is that container: use host.docker.internal, or the name of the container of the service.';

/** Returns what the person can do about what a request has met; `undefined` if nothing. */
export function adviceFor(asking: Asking, reason: Reason): string | undefined {
	const { code = '', description = '', httpCode = 0 } = reason;
	if (code === 'model_not_found') return 'Choose another Model.';
	if (isUnknownTask(reason)) {
		return 'Check the task ID, and that the credential is the one it was submitted with.';
	}
	if (OUT_OF_REACH.includes(code)) return CHECK_BASE_URL;
	if ((asking === 'submit' || asking === 'check') && [404, 405].includes(httpCode)) {
		// Azure: "The API deployment for this resource does not exist".
		const isOfModel =
			code === BY_VENDOR ||
			/\b(model|deployment|application|resource|version)\b/i.test(description);
		return isOfModel ? OTHER_MODEL : OTHER_PATHS;
	}
	if (asking === 'submit' && [400, 422, 500].includes(httpCode) && OF_FIELDS.test(description)) {
		return OTHER_FIELDS;
	}
	if (![401, 402, 403, 433].includes(httpCode)) return undefined;
	return code === BY_VENDOR
		? 'Your API key is fine. Tell the operator of the service, or choose another Model.'
		: 'Check the credential and the account.';
}

export interface Words {
	message: string;
	description?: string;
}

/** Returns the words of a failure for a person. */
export function wordsFor(failure: Failure): Words {
	const { message, description } = word(failure);
	return { message: oneLine(message), description };
}

const LATER = 'Try the same request again in a minute, not right away.';

/** Returns all words of a failure in one text, for a chat or an agent. */
export function sayFailure(failure: Failure): string {
	const { message, description } = wordsFor(failure);
	if (failure.kind === 'render' && failure.state === 'failed')
		return sentences(message, NOT_AGAIN)!;
	return sentences(message, description, failure.kind === 'refused' && failure.passes && LATER)!;
}

function word(failure: Failure): Words {
	switch (failure.kind) {
		case 'read': {
			const { message, description, task_id } = failure;
			return { message, description: sentences(description, task_id && `Task ID: ${task_id}`) };
		}
		case 'refused':
			return {
				message: `The video was not submitted: ${lowerFirst(failure.message)}`,
				description: sentences(failure.description, adviceFor('submit', failure), NOT_BILLED),
			};
		case 'unclear':
			return wordUnclear(failure);
		case 'check':
			return {
				message: `The task could not be checked: ${lowerFirst(failure.message)} (task ${failure.task_id})`,
				description: sentences(failure.description, adviceFor('check', failure)),
			};
		case 'render':
			return wordRender(failure);
		case 'file':
			return wordFile(failure);
		case 'text':
			return wordText(failure, adviceFor('text', failure));
	}
}

const MAYBE_BILLED =
	'A task may exist and be billed, although its ID is not known, so the video was not submitted again. Do not submit it again before a person has looked at the usage page of the service.';
const MAYBE_THIS =
	'The service names a task, which may be this video or another one, so the video was not submitted again. Look at it with Video Status before you do.';

function wordUnclear({ message, description, body, task_id }: UnclearSubmit): Words {
	return {
		message: `The video may or may not have been accepted: ${lowerFirst(message)}${inBrackets(task_id)}`,
		description: sentences(
			// The answer is quoted as it came, so words that it contains are not said twice.
			description && body?.includes(description) ? '' : description,
			task_id === undefined ? MAYBE_BILLED : MAYBE_THIS,
			body && `What the service sent: ${body}`,
		),
	};
}

const inBrackets = (task_id?: string) => (task_id === undefined ? '' : ` (task ${task_id})`);

const GOES_ON = 'The render continues and is billed: follow it with Video Status and its task ID.';
const NOBODY_KNOWS =
	'Whether the render continues, and is billed, the usage page of the service shows.';
const REFUND = 'Most services refund a failed render: see the usage page.';
const ANEW = 'Change the prompt or the image first: a new task is billed.';
/** ByteDance's code for a video that was kept back for its sound alone (Seedance), and its words, which New API keeps. */
const OF_SOUND = /OutputAudioSensitiveContent|output audio\b/i;
const WITHOUT_SOUND = 'Turn Generate Audio off, or change the prompt: a new task is billed.';
/** The advice on a FAILURE, for an agent that would ask for the same video again at once. */
export const NOT_AGAIN =
	'Do not ask for the same video again: change the request, or ask the person who wants the video. Each new video is billed.';

function wordRender({ state, task, because, maxWaitMs, workflowEnds }: RenderFailure): Words {
	const { task_id, fail_reason = '', unknownStatus } = task;
	const id = inBrackets(task_id);
	switch (state) {
		case 'failed':
			return {
				message: `The video could not be rendered: ${shortReason(fail_reason) || 'the service gave no reason'}${id}`,
				description: sentences(REFUND, OF_SOUND.test(fail_reason) ? WITHOUT_SOUND : ANEW),
			};
		case 'timedOut':
			return {
				message: workflowEnds
					? `The video was not ready before the end of the workflow (Timeout Workflow)${id}`
					: `The video was not ready within ${toMinutes(maxWaitMs)} (Max Wait)${id}`,
				description: sentences(
					because && `The last check failed: ${because.message}`,
					because?.description,
					unknownStatus &&
						`The service's last word was "${unknownStatus}", which this node does not know`,
					GOES_ON,
				),
			};
		case 'lost':
			return {
				message: `The task can no longer be followed: ${lowerFirst(because?.message ?? '')}${id}`,
				description: sentences(
					because?.description,
					because && adviceFor('check', because),
					because && isUnknownTask(because) ? NOBODY_KNOWS : GOES_ON,
				),
			};
	}
}

function toMinutes(ms: number): string {
	const minutes = Number((ms / 60_000).toFixed(2));
	return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
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

function wordFile(failure: FileFailure): Words {
	const { task, because, orElse, description } = failure;
	const { task_id, status, fail_reason } = task;
	const kept = isKeptBack(failure) ? `it was kept back: ${shortReason(fail_reason)}` : undefined;
	const met = wordAddress(because);
	const other = orElse && wordAddress(orElse);
	const step =
		orElse?.kind === 'check' ? 'The task could not be checked' : 'Its result_url did not work';
	const later = () => {
		if (kept) return `${REFUND} ${ANEW}`;
		if (endOf(status) === 'done' && because.httpCode === 502) return NO_FILE_YET;
		if (endOf(status) === 'done' && because.code === NO_FILE) return DELETED;
		if (status) return DOWNLOAD_LATER[status];
		return isUnknownTask(because) ? adviceFor('check', because) : DOWNLOAD_AGAIN;
	};
	return {
		message: `The video could not be downloaded: ${lowerFirst(noFileReason(status) ?? kept ?? met.message)}${inBrackets(task_id)}`,
		description: sentences(
			met.description,
			other && `${step} either: ${lowerFirst(other.message)}`,
			orElse?.kind === 'address' && other?.description,
			task_id !== undefined && later(),
			description,
		),
	};
}

/** Words what an address met. Of a host elsewhere no word is shown: perhaps only n8n reaches it. */
function wordAddress(failure: AddressFailure | CheckFailure): Words {
	const { message, description, httpCode, code } = failure;
	if (failure.kind === 'check' || !failure.host) return { message, description };
	const { what, origin } = failure.host;
	const isDenied = httpCode === 401 || httpCode === 403;
	const end =
		httpCode === undefined
			? `did not answer (${code})`
			: httpCode < 300
				? 'sent a text instead of a file'
				: `${isDenied ? 'denies access to it' : 'does not give it'} (HTTP ${httpCode})`;
	const advice = `The API key was not sent: it only goes to the Base URL, and no further once a redirect leads elsewhere. If ${origin} is the service, enter it as the Base URL.`;
	return {
		message: `${what} leads to ${origin}, which ${end}`,
		description: isDenied ? advice : undefined,
	};
}

/** Returns why a task has no file to download; `undefined` if its state is no reason. */
function noFileReason(status?: TaskStatus): string | undefined {
	if (status === undefined || endOf(status) === 'done') return undefined;
	return endOf(status) === 'failed'
		? `The render ended in ${status}, so there is no video`
		: `The render is not finished and its task is still ${status}`;
}

/** The most characters of the service's own words in a message. */
const MAX_REASON_CHARS = 500;

/** Returns the service's words on one line, cut so that a whole page or file does not appear. */
export const shortReason = (words = ''): string => startOf(words, MAX_REASON_CHARS);

/**
 * Returns the fields under `error` in a failing item.
 *
 * @param submits whether the node submits videos, and so says whether the item is billed
 */
export function toErrorFields(
	failure: Failure,
	itemIndex: number,
	{ model, prompt, place }: Summary = {},
	submits = false,
): IDataObject {
	const { message, description } = wordsFor(failure);
	const { task_id, status, fail_reason }: Partial<VideoTask> = taskOf(failure);
	const ofText = failure.kind === 'text' ? failure : undefined;
	return withoutGaps({
		message: withItem(message, failure, itemIndex),
		description,
		item_index: itemIndex,
		...{ model, prompt, ...place, task_id, status },
		fail_reason: fail_reason ?? ofText?.reason,
		http_code: lastReasonOf(failure).httpCode,
		// The usage page shows the submit at this time, and the ledger knows a returned item by it.
		submitted_at: failure.kind === 'unclear' ? toIso(failure.submittedAtMs) : undefined,
		text: ofText?.text,
		billed: submits ? billedFor(failure) : undefined,
		retryable: isRetryable(failure),
		next: nextFor(failure),
	});
}

/** Adds the item to a message, unless it concerns all items. */
export const withItem = (message: string, failure: Failure, itemIndex: number) =>
	failure.kind === 'read' && failure.ofAllItems ? message : `${message} ${toItemName(itemIndex)}`;

/** Returns the JSON of a failing item of a tool in the mode "Continue". */
export function toAgentErrorJson(failure: Failure): IDataObject {
	const { task_id, status } = taskOf(failure);
	const text = failure.kind === 'text' ? failure.text : undefined;
	return withoutGaps({
		...{ error: sayFailure(failure), text, task_id, status },
		retryable: isRetryable(failure),
	});
}
