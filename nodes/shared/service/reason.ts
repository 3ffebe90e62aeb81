import { parseJson, toObject, toText } from '../lib/json';
import { isNoAnswer, mayAnswer, type NoAnswer, REDIRECTS, type ServiceAnswer } from './http';
import { type Asking, isDailyQuota, mayPass, type Outlook, readRetryAfter } from './later';
import { errorOf, quoteBody, readStatement, toSentence } from './serviceWords';
import { namesTask, readTaskIds } from './videoTask';

/** Why an answer, or none at all, is not what was asked for. */
export interface Reason extends Outlook {
	/** One sentence for a person, without the item and the step. */
	readonly message: string;
	/** The service's own words, or advice that belongs to the message. */
	readonly description?: string;
}

/** The service said no to a submit before it did any work: nothing is charged. */
export interface RefusedSubmit extends Reason {
	readonly kind: 'refused';
}

/** The submit may have been carried out, and charged. */
export interface UnclearSubmit extends Reason {
	readonly kind: 'unclear';
	/** When it was sent, in milliseconds since 1970. */
	readonly submittedAtMs?: number;
	/** The beginning of what came: it may help a person to find what was paid for. */
	readonly body?: string;
	/** What came names it; nobody knows whether it is this video's. */
	readonly task_id?: string;
}

/** The record of a task could not be fetched. */
export interface CheckFailure extends Reason {
	readonly kind: 'check';
	readonly task_id: string;
}

export const isFailure = <Value extends object>(
	value: Value | undefined,
): value is Extract<Value, { readonly kind: string }> => value !== undefined && 'kind' in value;

/** Reads why an answer of any shape, or none at all, is not what was asked for. */
export function readReason(asking: Asking, answer: ServiceAnswer | NoAnswer): Reason {
	if (isNoAnswer(answer)) {
		const { code, message } = answer;
		return { message, code, passes: mayAnswer(answer) };
	}
	const statement = readStatement(answer.body);
	return {
		message: toSentence(answer, statement, asking === 'file'),
		description: statement.words,
		httpCode: answer.status,
		code: statement.code,
		passes: mayPass(asking, answer.status, statement.code) && !isDailyQuota(answer),
		retryAfterMs: readRetryAfter(answer),
	};
}

/** Reads why an answer to a submit names no task. */
export function readSubmitFailure(
	answer: ServiceAnswer | NoAnswer,
	submittedAtMs: number,
): RefusedSubmit | UnclearSubmit {
	const reason = readReason('submit', answer);
	if (isRefused('submit', answer)) return { kind: 'refused', ...reason };
	const sent = (isNoAnswer(answer) ? answer.begin : answer.body) ?? '';
	const [task_id] = readTaskIds(parseJson(sent));
	return { kind: 'unclear', ...reason, submittedAtMs, body: quoteBody(sent), task_id };
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
