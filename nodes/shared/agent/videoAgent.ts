import type { IDataObject } from 'n8n-workflow';

import { IN_OUTPUT, usableResultUrl } from '../download/link';
import { type ItemResult } from '../item/output';
import { NOT_AGAIN, shortReason } from '../item/words';
import { toText, withoutGaps } from '../lib/json';
import { sentences } from '../lib/text';
import type { Connection } from '../service/connection';
import { toHttpUrl } from '../service/credential';
import { isFinal, type VideoTask } from '../service/videoTask';
import type { Ledger } from '../task/ledger';
import type { Outcome, RenderJob } from '../task/render';
import { isFailure } from '../service/reason';

/** The time, in milliseconds, that a call of Video Generate polls its new task. */
const FIRST_POLLS_MS = 20_000;
/** The time, in milliseconds, that any other call waits for the end of a task. */
export const WAIT_FOR_NEWS_MS = 45_000;

/**
 * Returns how long a job of an agent waits: briefly unless somebody set Max Wait, and also with Do
 * Not Wait if its task is paid for already.
 */
export function toAgentWait(
	job: RenderJob & { briefly: boolean },
	ledger: Ledger,
): Partial<RenderJob> {
	const isPaid = ledger.find(job)?.task !== undefined;
	const wait = job.wait === 'none' && isPaid ? 'inProcess' : job.wait;
	if (!job.briefly) return { wait };
	const maxWaitMs = isPaid ? WAIT_FOR_NEWS_MS : FIRST_POLLS_MS;
	return { wait, maxWaitMs };
}

const RENDERING = `Still rendering, which takes minutes. Call Video Status with this task_id: it waits up to ${WAIT_FOR_NEWS_MS / 1000} seconds for news. Do not submit the video again.`;
const READY = 'The video is ready.';
const KEY_NEEDED =
	'The link opens only with the API key of the service. Video Download, if you have it, gives one that opens for people.';
const NO_LINK =
	'There is no link that can be opened from here; Video Download can download the file.';
const SAME_VIDEO =
	'The same request was submitted before, so this is that video (a changed prompt makes another one), and nothing new was submitted.';
const DOWNLOADED = 'The video was downloaded completely.';
const NO_FILE = 'A tool cannot return files: pass on the task_id.';
const FOR_PEOPLE = 'Answer with this link as it is:';

const isLink = (words: string) => words.startsWith('[');

/** Returns a result of Video Generate in the words and fields for an agent. */
export function toAgentResult(
	result: ItemResult | undefined,
	outcome: Outcome,
	connection: Connection,
): ItemResult | undefined {
	if (!result || isFailure(result) || !outcome || isFailure(outcome)) return result;
	const { task, reused } = outcome.render;
	return { ...result, json: toAgentJson(task, connection, reused, toText(result.json.message)) };
}

/**
 * Returns a task in the words for an agent: few fields and a sentence, whatever the person's options say.
 *
 * @param stored words about the video's file, if n8n has it
 */
export function toAgentJson(
	task: VideoTask,
	{ baseUrl }: Pick<Connection, 'baseUrl'>,
	reused = false,
	stored?: string,
): IDataObject {
	const { task_id, status, progress, fail_reason } = task;
	const result_url = usableResultUrl(task.result_url, { baseUrl });
	const isFileLink = stored !== undefined && isLink(stored);
	const describe = () => {
		if (isFileLink) return `${READY} ${FOR_PEOPLE} ${stored}`;
		if (stored !== undefined) return sentences(READY, stored);
		if (!isFinal(status)) return RENDERING;
		if (status === 'FAILURE') return `The video could not be rendered. ${NOT_AGAIN}`;
		if (result_url === undefined) return `${READY} ${NO_LINK}`;
		const isOwn = toHttpUrl(result_url)?.origin === toHttpUrl(baseUrl)?.origin;
		return isOwn ? `${READY} ${KEY_NEEDED}` : READY;
	};
	return withoutGaps({
		...{ task_id, status, progress },
		// The file's link is enough, and `result_url` mostly does not open for people.
		result_url: isFileLink ? undefined : result_url,
		fail_reason: fail_reason && shortReason(fail_reason),
		message: sentences(reused ? SAME_VIDEO : '', describe()),
	});
}

/** Returns the item of a file for an agent. A link is long, so only the message has it. */
export function toFileAgentJson(json: IDataObject): IDataObject {
	const words = toText(json.message) ?? IN_OUTPUT;
	const answer = isLink(words) ? `${FOR_PEOPLE} ${words}` : `${words} ${NO_FILE}`;
	return withoutGaps({ ...json, link: undefined, message: `${DOWNLOADED} ${answer}` });
}
