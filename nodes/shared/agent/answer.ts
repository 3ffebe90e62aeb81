import type { IDataObject } from 'n8n-workflow';

import { IN_OUTPUT, usableResultUrl } from '../download/link';
import { shortReason } from '../item/failure';
import type { Connection } from '../service/connection';
import { toHttpUrl } from '../service/credential';
import { isFinal, type VideoTask } from '../service/videoTask';
import { NO_VIDEO } from '../task/taskResult';

/**
 * The longest time, in milliseconds, that a call of an agent's tool waits for the end of a task.
 */
export const WAIT_FOR_NEWS_MS = 45_000;

const RENDERING = `Still rendering, which takes minutes. Call Video Status with this task_id: it waits up to ${WAIT_FOR_NEWS_MS / 1000} seconds for news. Do not submit the video again.`;
const READY = 'The video is ready.';
const KEY_NEEDED =
	'The link opens only with the API key of the service. Video Download, if you have it, gives one that opens for people.';
const NO_LINK =
	'There is no link that can be opened from here; Video Download can download the file.';
const SAME_VIDEO =
	'The same request was submitted before, so this is that video and nothing new was submitted.';

const DOWNLOADED = 'The video was downloaded completely.';
const NO_FILE = 'A tool cannot return files: pass on the task_id.';
const FOR_PEOPLE = 'Answer with this link as it is:';

const isLink = (words: string) => words.startsWith('[');

/**
 * Returns the item of a file in the words for an agent. The link is long and a model reads all of
 * it, so it is in the message only, ready to be passed on.
 */
export function toFileAgentJson(json: IDataObject): IDataObject {
	const words = typeof json.message === 'string' ? json.message : IN_OUTPUT;
	const answer = isLink(words) ? [FOR_PEOPLE, words] : [words, NO_FILE];
	const told: IDataObject = { ...json, message: [DOWNLOADED, ...answer].join(' ') };
	delete told.link;
	return told;
}

/** The advice on a FAILURE, for an agent that would ask for the same video again at once. */
export const NOT_AGAIN =
	'Do not ask for the same video again: change the request, or ask the person who wants the video. Each new video is billed.';

/**
 * Says that a refused submit cost nothing; `ASK_LATER` also says what to do if the refusal may
 * pass.
 */
export const NOT_BILLED = 'Nothing is billed.';
export const ASK_LATER = `${NOT_BILLED} Try the same request again in a minute, not right away.`;

/**
 * Returns a task in the words for an agent: few fields and a sentence, whatever Simplify says. The
 * service's raw answer is of no use to a model, and the link never holds a key.
 * @param film words about the video's file, if it is stored
 */
export function toAgentJson(
	task: VideoTask,
	connection: Pick<Connection, 'baseUrl'>,
	{ reused = false, film }: { reused?: boolean; film?: string } = {},
): IDataObject {
	const { task_id, status, progress, fail_reason } = task;
	const result_url = usableResultUrl(task.result_url, connection);
	return {
		task_id,
		status,
		progress,
		// One link is enough, and this one mostly does not open for people.
		...(result_url !== undefined && !(film && isLink(film)) && { result_url }),
		...(fail_reason !== undefined && { fail_reason: shortReason(fail_reason) }),
		message: [
			reused && SAME_VIDEO,
			film === undefined
				? describe(task, result_url, connection)
				: `${READY} ${isLink(film) ? `${FOR_PEOPLE} ` : ''}${film}`,
		]
			.filter(Boolean)
			.join(' '),
	};
}

function describe(
	task: VideoTask,
	link: string | undefined,
	{ baseUrl }: Pick<Connection, 'baseUrl'>,
): string {
	if (!isFinal(task.status)) return RENDERING;
	if (task.status === 'FAILURE') return `The video could not be rendered. ${NOT_AGAIN}`;
	if (!task.result_url) return `${NO_VIDEO.message}. ${NO_VIDEO.description}`;
	if (link === undefined) return `${READY} ${NO_LINK}`;
	const own = toHttpUrl(link)?.origin === toHttpUrl(baseUrl)?.origin;
	return own ? `${READY} ${KEY_NEEDED}` : READY;
}
