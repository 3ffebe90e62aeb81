import type { IDataObject } from 'n8n-workflow';

import { withoutGaps } from '../lib/json';
import { lowerFirst, oneLine, sentences, startOf } from '../lib/text';
import type { Failure } from '../service/failure';
import { billedFor, isRetryable, isUnknownTask, nextFor } from '../service/next';
import { BY_VENDOR } from '../service/serviceWords';
import type { TaskStatus } from '../service/answerPaths';
import type { VideoTask } from '../service/videoTask';
import type { Summary } from './run';
import { wordTextEnd } from './textWords';

/** Who reads the words. A chat and an agent get one text; an agent's keeps it from paying twice. */
type Audience = 'person' | 'chat' | 'agent';

/** Returns how all our words name an item: as n8n itself does, which counts from 0. */
export const toItemName = (itemIndex: number) => `[item ${itemIndex}]`;

export const toVideos = (count: number) => `${count} ${count === 1 ? 'video' : 'videos'}`;

/** Codes of requests that were not sent, most often because of a typo in the credential. */
const OUT_OF_REACH = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EPROTO'];

const OTHER_PATHS =
	'If the service documents other paths for videos, set API in the credential to Custom Paths.';
const OTHER_MODEL = 'Choose another Model, or ask the operator of the service.';
const OTHER_FIELDS = 'If the service wants other fields, write them into Additional Fields (JSON).';
/** What services say of a request that lacks a field, or has it in another form. */
const OF_FIELDS =
	/\b(required|missing|unmarshal|unknown|unrecogni[sz]ed|unexpected|extra|mutually exclusive|combined)\b|\b(must|should) be\b|\b(expected|invalid) (type|value|string|number|integer|object)/i;
const CHECK_BASE_URL =
	'Check the Base URL in the credential, and that the service runs. If n8n runs in a container, localhost is that container: use host.docker.internal, or the name of the container of the service.';

/** Returns what an item's owner can do about a failure; `undefined` if nothing. */
export function adviceFor(failure: Failure): string | undefined {
	const { code = '', description = '', during, httpCode } = failure;
	if (code === 'model_not_found') return 'Choose another Model.';
	if (isUnknownTask(failure)) {
		return 'Check the task ID, and that the credential is the one it was submitted with.';
	}
	if (OUT_OF_REACH.includes(code)) return CHECK_BASE_URL;
	const isOfVideo = during === 'submit' || during === 'check';
	if (isOfVideo && (httpCode === 404 || httpCode === 405)) {
		return code === BY_VENDOR ? OTHER_MODEL : OTHER_PATHS;
	}
	const isOfFields = httpCode === 400 || httpCode === 422 || httpCode === 500;
	if (during === 'submit' && isOfFields && OF_FIELDS.test(description)) return OTHER_FIELDS;
	if (httpCode !== 401 && httpCode !== 403) return undefined;
	return code === BY_VENDOR
		? 'Your API key is fine. Tell the operator of the service, or choose another Model.'
		: 'Check the credential and the account.';
}

interface Words {
	message: string;
	description?: string;
}

/** Returns the words of a failure; for a chat and for an agent, all of them in `message`. */
export function wordsFor(failure: Failure, audience: Audience = 'person'): Words {
	const words = WORDS[failure.during]?.(failure, audience) ?? failure;
	const message = oneLine(words.message);
	const description = sentences(words.description, failure.advice);
	if (audience === 'person') return { message, description };
	const reason = shortReason(failReasonOf(failure));
	return { message: sentences(message, reason, description) ?? message };
}

type Wording = (failure: Failure, audience: Audience) => Words;

/** The wording by the step that failed; without one, the message says all. */
const WORDS: Partial<Record<Failure['during'], Wording>> = {
	submit: wordSubmit,
	check: (failure) => ({
		message: `The task could not be checked: ${lowerFirst(failure.message)}${inBrackets(failure)}`,
		description: sentences(failure.description, adviceFor(failure)),
	}),
	render: wordRender,
	file: wordFile,
	text(failure) {
		const { certainty, description, message, textEnd } = failure;
		if (textEnd) return wordTextEnd(failure, textEnd);
		if (certainty !== 'refused') return failure;
		return {
			message: `Nothing was generated: ${lowerFirst(message)}`,
			description: sentences(description, adviceFor(failure), NOT_BILLED),
		};
	},
};

const NOT_BILLED = 'Nothing is billed for it.';

const inBrackets = ({ task }: Failure) => (task?.task_id ? ` (task ${task.task_id})` : '');

const MAYBE_BILLED =
	'A task may exist and be billed, although its ID is not known, so the video was not submitted again. Do not submit it again before a person has looked at the usage page of the service.';
const MAYBE_THIS =
	'The service names a task, which may be this video or another one, so the video was not submitted again. Look at it with Video Status before you do.';
/** What is known of a submit whose ledger is lost, in a retried execution. */
export const INTERRUPTED: Failure = {
	during: 'submit',
	certainty: 'unclear',
	message:
		'This execution retries one that was killed or stopped, and n8n has not stored what that one had paid for',
	description:
		'n8n\'s log contains the IDs that were known by then ("[item 0] is video task ..."), and the custom data of a stopped execution does, too: Video Status and Video Download take them. To submit the video in any case, start a new execution.',
	passes: false,
};

const ASK_LATER = 'Try the same request again in a minute, not right away.';

function wordSubmit(failure: Failure, audience: Audience): Words {
	const { behind, certainty, message, description, body, passes } = failure;
	const why = behind ? `, because ${lowerFirst(wordsFor(behind).message)}` : '';
	const reason = lowerFirst(message) + why;
	if (certainty === 'refused') {
		const later = audience === 'agent' && passes && ASK_LATER;
		return {
			message: `The video was not submitted: ${reason}`,
			description: sentences(description, adviceFor(failure), NOT_BILLED, later),
		};
	}
	// The answer is quoted as it came, so words that it contains are not said twice.
	const words = description && body?.includes(description) ? '' : description;
	return {
		message: `The video may or may not have been accepted: ${reason}${inBrackets(failure)}`,
		description: sentences(
			words,
			failure.task ? MAYBE_THIS : MAYBE_BILLED,
			body && `What the service sent: ${body}`,
		),
	};
}

const GOES_ON = 'The render continues and is billed: follow it with Video Status and its task ID.';
const ANEW = 'Change the prompt or the image first: a new task is billed.';
const REFUND = 'Most services refund a failed render: see the usage page.';
/** The advice on a FAILURE, for an agent that would ask for the same video again at once. */
export const NOT_AGAIN =
	'Do not ask for the same video again: change the request, or ask the person who wants the video. Each new video is billed.';
function wordRender(failure: Failure, audience: Audience): Words {
	const { task, because } = failure;
	const { state, maxWaitMs, workflowEnds } = failure.end!;
	const word = (message: string, ...description: Array<string | undefined>): Words => ({
		message: message + inBrackets(failure),
		description: sentences(...description),
	});
	switch (state) {
		case 'lost':
			return word(
				`The task can no longer be followed: ${lowerFirst(because?.message ?? '')}`,
				...[because?.description, because && adviceFor(because), GOES_ON],
			);
		case 'timedOut':
			return word(
				workflowEnds
					? 'The video was not ready before the end of the workflow (Timeout Workflow)'
					: `The video was not ready within ${Number((maxWaitMs / 60_000).toFixed(2))} minutes (Max Wait)`,
				because && `The last check failed: ${because.message}`,
				...[because?.description, lastWord(task), GOES_ON],
			);
		case 'failed': {
			const silence = task?.fail_reason ? undefined : 'The service gave no reason.';
			const advice = audience === 'agent' ? [NOT_AGAIN] : [silence, REFUND, ANEW];
			return word('The video could not be rendered', ...advice);
		}
	}
}

/** Returns the last word that nobody knows, of a render that seems to go on. */
const lastWord = ({ unknownStatus }: Partial<VideoTask> = {}) =>
	unknownStatus && `The service's last word was "${unknownStatus}", which this node does not know`;

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
function wordFile(failure: Failure): Words {
	const { task, because = failure, orElse } = failure;
	const { task_id, status } = task ?? {};
	const met = wordAddress(because);
	const reason = noFileReason(status) ?? met.message;
	const adviseOn = () => {
		if (status) return DOWNLOAD_LATER[status];
		return isUnknownTask(failure) ? adviceFor(failure) : DOWNLOAD_AGAIN;
	};
	const other = orElse && wordAddress(orElse);
	return {
		message: `The video could not be downloaded: ${lowerFirst(reason)}${inBrackets(failure)}`,
		description: sentences(
			met.description,
			other &&
				`${orElse.during === 'check' ? 'The task could not be checked' : 'Its result_url did not work'} either: ${lowerFirst(other.message)}`,
			orElse?.during === 'file' ? other?.description : undefined,
			task_id === undefined ? undefined : adviseOn(),
		),
	};
}

/** Words what an address met. Of a host elsewhere no word is shown: perhaps only n8n reaches it. */
function wordAddress({ message, description, place, httpCode, code }: Failure): Words {
	if (!place) return { message, description };
	const isDenied = httpCode === 401 || httpCode === 403;
	const end =
		httpCode === undefined
			? `did not answer (${code})`
			: httpCode < 300
				? 'sent a text instead of a file'
				: `${isDenied ? 'denies access to it' : 'does not give it'} (HTTP ${httpCode})`;
	const advice = `The API key was not sent: it only goes to the Base URL, and no further once a redirect leads elsewhere. If ${place.origin} is the service, enter it as the Base URL.`;
	return {
		message: `${place.what} leads to ${place.origin}, which ${end}`,
		description: isDenied ? advice : undefined,
	};
}

/** Returns why a task has no file to download; `undefined` if its state is no reason. */
function noFileReason(status?: TaskStatus): string | undefined {
	if (status === undefined || status === 'SUCCESS') return undefined;
	return status === 'FAILURE'
		? 'The render ended in FAILURE, so there is no video'
		: `The render is not finished and its task is still ${status}`;
}

const failReasonOf = ({ task, textEnd }: Failure) => task?.fail_reason ?? textEnd?.reason;

/**
 * Returns the fields under `error` in a failing item.
 *
 * @param submits whether the node submits videos, and so says whether the item is billed
 */
export function toErrorFields(
	failure: Failure,
	itemIndex: number,
	{ model, prompt, place, videoError }: Summary = {},
	submits = false,
): IDataObject {
	const { message, description } = wordsFor(failure);
	const { task, because, submittedAtMs, text, certainty } = failure;
	return withoutGaps({
		message: withItem(message, failure, itemIndex),
		description,
		item_index: itemIndex,
		model,
		prompt,
		...place,
		task_id: task?.task_id,
		status: task?.status,
		fail_reason: failReasonOf(failure),
		http_code: (because ?? failure).httpCode,
		// The usage page shows the submit at this time, and the ledger knows a returned item by it.
		submitted_at: certainty === 'unclear' ? toIso(submittedAtMs) : undefined,
		text,
		billed: submits ? billedFor(failure) : undefined,
		retryable: isRetryable(failure),
		next: nextFor(failure),
		// n8n's error output puts this error in its place.
		video_error: task?.task_id === undefined ? videoError : undefined,
	});
}

export const toIso = (ms: number | undefined) =>
	ms === undefined ? undefined : new Date(ms).toISOString();

/** Adds the item to a message, unless it concerns all items. */
export const withItem = (message: string, { ofAllItems }: Failure, itemIndex: number) =>
	ofAllItems ? message : `${message} ${toItemName(itemIndex)}`;

/** The most characters of the service's own words that an agent or a chat gets. */
const MAX_REASON_CHARS = 500;

/** Returns the service's words on one line, cut so that a whole page or file does not appear. */
export const shortReason = (words = ''): string => startOf(words, MAX_REASON_CHARS);

/** Returns the JSON of a failing item of a tool in the mode "Continue". */
export function toAgentErrorJson(failure: Failure): IDataObject {
	const { task, text } = failure;
	const { task_id, status } = task ?? {};
	const error = wordsFor(failure, 'agent').message;
	return withoutGaps({ error, text, task_id, status, retryable: isRetryable(failure) });
}
