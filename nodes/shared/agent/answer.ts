import type { IDataObject } from 'n8n-workflow';

import { shortReason } from '../item/audience';
import { toHttpUrl } from '../service/baseUrl';
import type { Connection } from '../service/connection';
import { usableResultUrl } from '../download/resultUrl';
import { isFinal, type VideoTask } from '../service/videoTask';
import { NO_VIDEO } from '../task/taskFailure';
import { BETWEEN_NEWS_MS } from './pace';

const RENDERING = `Still rendering, which takes minutes. Call Video Status with this task_id: it waits up to ${BETWEEN_NEWS_MS / 1000} seconds for news. Do not submit the video again.`;
const READY = 'The video is ready.';
const KEY_NEEDED = 'The link opens only with the API key of the service.';
const NO_LINK =
	'There is no link that can be opened from here; Video Download can download the file.';
const SAME_VIDEO =
	'The same request was submitted before, so this is that video and nothing new was submitted.';

/** What to do about a FAILURE, for one who would ask for the same again at once. */
export const NOT_AGAIN =
	'Do not ask for the same video again: change the request, or ask the person who wants the video. Each new video is billed.';

/** What a submit that was refused has cost, and what to do where the refusal may pass. */
export const NOT_BILLED = 'Nothing is billed.';
export const ASK_LATER = `${NOT_BILLED} Try the same request again in a minute, not right away.`;

/**
 * A task as an agent hears of it: few fields and a sentence, whatever Simplify says. What the service
 * sent is of no use to a model, and the link never holds a key.
 */
export function toAgentJson(
	task: VideoTask,
	connection: Pick<Connection, 'baseUrl'>,
	{ reused = false } = {},
): IDataObject {
	const { task_id, status, progress, fail_reason } = task;
	const result_url = usableResultUrl(task.result_url, connection);
	return {
		task_id,
		status,
		progress,
		...(result_url !== undefined && { result_url }),
		...(fail_reason !== undefined && { fail_reason: shortReason(fail_reason) }),
		message: [reused && SAME_VIDEO, describe(task, result_url, connection)]
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
