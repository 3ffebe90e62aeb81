import type { IDataObject } from 'n8n-workflow';

import { parseJson, toObject, toText } from '../lib/json';
import { isNoAnswer, mayAnswer, type NoAnswer, REDIRECTS, type ServiceAnswer } from './http';
import { type Asking, isDailyQuota, mayPass, type Outlook, readRetryAfter } from './later';
import { errorOf, quoteBody, readStatement, toSentence } from './serviceWords';
import { namesTask, readTaskIds, type VideoTask } from './videoTask';

/** Why something did not come about: facts alone, complete when made. `item/words.ts` words them. */
export interface Failure extends Outlook {
	/** `read`: an item, its credential or its files; `render`: the end of the wait for a task. */
	readonly during: Asking | 'read' | 'render';
	/** One sentence for a person, without the item and the step. */
	readonly message: string;
	/** The service's own words, or advice that belongs to the message. */
	readonly description?: string;
	/** When a submit was sent, in milliseconds since 1970. */
	readonly submittedAtMs?: number;
	/** The beginning of an unclear answer: it may help a person to find what was paid for. */
	readonly body?: string;
	readonly task?: Partial<VideoTask>;
	/** Of `render`: how the wait ended, and what decided it. */
	readonly end?: RenderEnd;
	/** What an earlier step met: the last check of a task, or its file. */
	readonly because?: Failure;
	/** Of a shot: what the shot before it met. */
	readonly behind?: Failure;
	/** Of `file`: what the other way to the file met, which is a check of its task or another address. */
	readonly orElse?: Failure;
	/** A text written by a model: paid for, but not usable as it is. */
	readonly text?: string;
	/** The address and the host that gave no file; the message begins with them. */
	readonly place?: { what: string; origin: string };
	/** No other address of the same file would work better. */
	readonly everywhere?: boolean;
	/** Of `text`: how an answer ended that cannot be used as it is. */
	readonly textEnd?: TextEnd;
	/** What else helps with this item. */
	readonly advice?: string;
	/** It concerns all items, for example a credential that cannot be read. */
	readonly ofAllItems?: boolean;
}

export interface RenderEnd {
	/**
	 * `failed`: the service says FAILURE. `timedOut`: Max Wait is over. `lost`: too many checks in a row
	 * failed.
	 */
	state: 'failed' | 'timedOut' | 'lost';
	maxWaitMs: number;
	/** The workflow's own limit ends the wait, and not Max Wait. */
	workflowEnds?: boolean;
}

export interface TextEnd {
	/**
	 * `cut`: only a part came, and `missing`: nothing. `unstored`: n8n could not take it. `stopped`: the
	 * model ended it. `blocked`: a filter did. `empty`: it holds nothing. `unfit`: it is not what was asked
	 * for.
	 */
	how: 'cut' | 'missing' | 'unstored' | 'stopped' | 'blocked' | 'empty' | 'unfit';
	/** Why the model stopped, or a filter blocked, in the service's word. */
	reason?: string;
	/** As it came. */
	usage: IDataObject;
}

export const isFailure = (value: object | undefined): value is Failure =>
	value !== undefined && 'during' in value;

/** Returns a failure for anything thrown by a parameter, an expression, a credential or a file. */
export function toReadFailure(
	thrown: unknown,
	facts?: Pick<Failure, 'task' | 'ofAllItems'>,
): Failure {
	const { message, description } = (thrown ?? {}) as { message?: unknown; description?: unknown };
	return {
		during: 'read',
		message: toText(message) ?? 'The item was not processed',
		description: toText(description),
		passes: false,
		...facts,
	};
}

/** Returns why there is no file; unless `facts` say so, another try would not help. */
export const fileFailure = (message: string, facts: Partial<Failure> = {}): Failure => ({
	...{ during: 'file', message, passes: false, ...facts },
});

/** Reads why an answer of any shape, or none at all, is not what was asked for. */
export function readFailure(
	during: Asking,
	answer: ServiceAnswer | NoAnswer,
	facts: Partial<Failure> = {},
): Failure {
	const isPaid = during === 'submit' || during === 'text';
	const certainty: Failure['certainty'] = isPaid
		? isRefused(during, answer)
			? 'refused'
			: 'unclear'
		: undefined;
	const sent = (isNoAnswer(answer) ? answer.begin : answer.body) ?? '';
	const [task_id] =
		certainty === 'unclear' && during === 'submit' ? readTaskIds(parseJson(sent)) : [];
	const own = {
		certainty,
		...(certainty === 'unclear' && { body: quoteBody(sent) }),
		...(task_id !== undefined && { task: { task_id } }),
		...facts,
	};
	if (isNoAnswer(answer)) {
		const { code, message } = answer;
		return { during, message, code, passes: mayAnswer(answer), ...own };
	}
	const statement = readStatement(answer.body);
	return {
		during,
		message: toSentence(answer, statement, during === 'file'),
		description: statement.words,
		httpCode: answer.status,
		code: statement.code,
		passes: mayPass(during, answer.status, statement.code) && !isDailyQuota(answer),
		retryAfterMs: readRetryAfter(answer),
		...own,
	};
}

/** Client statuses after which the work may go on: the last two are a load balancer's and a proxy's. */
const GAVE_UP_WAITING = [408, 409, 424, 425, 460, 499];
/** Codes with which New API says that a task exists, or may: a bill not settled, a duplicate. */
const HAS_TASK = /settle|unknown|duplicate|exists/;
/** New API's codes: words in small letters, or Jimeng's number. */
const NEW_API_CODE = /^([a-z]+([_:][a-z]+)*|\d{5})$/;
/** Codes of a 503 that comes before any work: no channel for the model, or an overload. */
const BEFORE_WORK = /^(model_not_found|get_channel_failed|service_unavailable|(\w+_)?overloaded)$/;

/**
 * Returns whether an answer to a request that costs money says no before any work was done. Words never
 * decide, only statuses, shapes and codes; all that is not listed here may hide paid work. An answer that
 * names a task has one, perhaps an earlier one.
 */
export function isRefused(during: 'submit' | 'text', answer: ServiceAnswer | NoAnswer): boolean {
	if (isNoAnswer(answer)) return answer.network === 'notSent';
	const { status, body } = answer;
	if (status < 300 || (during === 'submit' && namesTask(parseJson(body)))) return false;
	// What is not followed did no work, but 303 leads to the result of work (RFC 9110).
	if (status < 400) return REDIRECTS.includes(status) && status !== 303;
	const fields = toObject(parseJson(body));
	const error = errorOf(fields);
	if (error.type === 'new_api_panic') return false;
	// New API answers so once it has given the money back and keeps no task.
	const { code, data } = fields;
	const word = toText(code);
	if (word !== undefined && data === null && NEW_API_CODE.test(word)) return !HAS_TASK.test(word);
	if (status < 500) return !GAVE_UP_WAITING.includes(status);
	if (status !== 503) return false;
	// Google says 503 of a text model that is overloaded.
	if (during === 'text' && error.code === 503) return true;
	return error.type === 'new_api_error' || BEFORE_WORK.test(String(error.code));
}
