import type { IDataObject } from 'n8n-workflow';

import { IN_OUTPUT, usableResultUrl } from '../download/link';
import { isFailure } from '../failure/failure';
import { toText, withoutGaps } from '../lib/json';
import { kindOf } from '../lib/mediaType';
import { sentences, shortReason } from '../lib/text';
import { toHttpUrl } from '../lib/url';
import { type ItemResult } from '../n8n/output';
import { endOf } from '../services/answerPaths';
import type { Connection } from '../services/connection';
import { hasNoMedia } from '../services/taskFiles';
import { nameOf, type VideoTask } from '../services/videoTask';
import type { LedgerKey, ToWait } from '../task/job';
import type { Ledger } from '../task/ledger';
import type { Outcome } from '../task/render';
import { NOT_AGAIN, sayFailed } from '../task/renderFailed';

/** How long a call of Video Generate waits for its new task, in milliseconds. */
const FIRST_WAIT_MS = 20_000;
/** The same of any other call. */
export const WAIT_FOR_NEWS_MS = 45_000;

/**
 * Returns how long a job of an agent waits: briefly unless somebody set Max Wait, and also with Do
 * Not Wait if its task is paid for already.
 */
export function toAgentWait(
	job: LedgerKey & ToWait & { briefly: boolean },
	ledger: Ledger,
): Partial<ToWait> {
	const isPaid = ledger.find(job)?.task !== undefined;
	const wait = job.wait === 'none' && isPaid ? 'inProcess' : job.wait;
	return job.briefly ? { wait, maxWaitMs: isPaid ? WAIT_FOR_NEWS_MS : FIRST_WAIT_MS } : { wait };
}

const RENDERING = `Still rendering, which takes minutes. Call Video Status with this task_id: it waits up to ${WAIT_FOR_NEWS_MS / 1000} seconds for news. Do not submit it again.`;
const ready = (what: string) => `The ${what} is ready.`;
const DOWNLOAD = 'Video Download, if you have it, gives a link that opens for people.';
const SAME_TASK =
	'The same request was submitted before, so this is that task (a changed prompt makes another one), and nothing new was submitted.';
const NO_FILE = 'A tool cannot return files: pass on the task_id.';
const toAnswer = (link: string) => `Answer with this link as it is: ${link}`;

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
 * @param stored words about the video's file, or a link to it, if n8n has it
 */
export function toAgentJson(
	{ task_id, status, progress, fail_reason, ...task }: VideoTask,
	{ baseUrl }: Pick<Connection, 'baseUrl'>,
	reused = false,
	stored = '',
): IDataObject {
	const address = usableResultUrl(task.result_url, { baseUrl });
	// An address of the service opens with its API key, which nobody has who hears the answer.
	const isOpen = toHttpUrl(address)?.origin !== toHttpUrl(baseUrl)?.origin;
	const result_url = isOpen && !isLink(stored) ? address : undefined;
	const { text, output } = task;
	const isFile = !hasNoMedia(task);
	const next = isLink(stored) ? toAnswer(stored) : stored || (result_url ? '' : DOWNLOAD);
	const end = endOf(status);
	const words = {
		done: isFile
			? sentences(ready(nameOf(task)), next)
			: ready(text === undefined ? 'result' : 'text'),
		failed: `${sayFailed(task)}. ${NOT_AGAIN}`,
	};
	return withoutGaps({
		...{ task_id, status, progress, text, output, result_url },
		fail_reason: fail_reason && shortReason(fail_reason),
		message: sentences(reused && SAME_TASK, end ? words[end] : RENDERING),
	}) as IDataObject;
}

/** Returns the item of a file for an agent. A link is long, so only the message has it. */
export function toFileAgentJson(json: IDataObject): IDataObject {
	// What a model has written, or made otherwise, is in the item.
	if (json.mime_type === undefined) return json;
	const words = toText(json.message) ?? IN_OUTPUT;
	const kind = kindOf(toText(json.mime_type)) ?? 'video';
	const answer = isLink(words) ? toAnswer(words) : `${words} ${NO_FILE}`;
	return withoutGaps({
		...{ ...json, link: undefined, links: undefined },
		message: `The ${kind} was downloaded completely. ${answer}`,
	});
}
