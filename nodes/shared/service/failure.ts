import type { IDataObject } from 'n8n-workflow';

import { isObject, parseExactJson, parseJson, toObject, toText } from '../lib/json';
import { findStatus, objectsIn, statusOf } from './answerReader';
import { isNoAnswer, type NoAnswer, REDIRECTS, type ServiceAnswer } from './http';
import { type Asking, mayPass, meansPassing, type Outlook, readRetryAfter } from './later';
import {
	CODE_MESSAGES,
	findError,
	isPage,
	meansSuccess,
	quoteBody,
	readErrorObject,
	readStatement,
	type Statement,
	toSentence,
} from './serviceWords';
import { findTraces, toId } from './taskIds';
import type { VideoTask } from './videoTask';

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
	/** The address elsewhere that gave no file, as a message begins with it, and its host. */
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
	 * `failed`: the service says FAILURE. `noVideo`: it says SUCCESS but gives no link. `timedOut`: Max
	 * Wait is over. `lost`: too many checks in a row failed.
	 */
	state: 'failed' | 'noVideo' | 'timedOut' | 'lost';
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
	ratings?: string[];
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

type Facts = Pick<Failure, 'submittedAtMs' | 'task' | 'place' | 'certainty'>;

/** Returns why there is no file; unless `facts` say so, another try would not help. */
export const fileFailure = (message: string, facts: Partial<Failure> = {}): Failure => ({
	...{ during: 'file', message, passes: false, ...facts },
});

/** Reads why an answer of any shape, or none at all, is not what was asked for. */
export function readFailure(
	during: Asking,
	answer: ServiceAnswer | NoAnswer,
	facts?: Facts,
): Failure {
	const certainty = facts?.certainty ?? readCertainty(during, answer);
	const whole = isNoAnswer(answer) ? answer.begin : answer.body;
	const unclear = (certainty === 'unclear' && whole) || '';
	const task = findNamedTask(during, unclear);
	const place = certainty === 'unclear' && !isNoAnswer(answer) ? placeOf(answer) : undefined;
	const body = [place && quoteBody(`Location: ${place}`), quoteAnswer(unclear)]
		.filter(Boolean)
		.join(' ');
	const own = { certainty, body: body || undefined, ...(task && { task }), ...facts };
	if (!isNoAnswer(answer)) {
		return { ...toFacts(during, answer, readStatement(answer.body)), ...own };
	}
	const { network, code, message } = answer;
	return { during, message, code, passes: network !== 'canceled', ...own };
}

const toFacts = (during: Asking, answer: ServiceAnswer, statement: Statement): Failure => ({
	during,
	message: toSentence(answer, statement, during === 'file'),
	description: statement.words,
	httpCode: answer.status,
	code: statement.code,
	passes: mayPass(during, answer.status, statement.code),
	retryAfterMs: readRetryAfter(answer),
	// A 502 with JSON is the gateway's, about the vendor. A proxy's 502 is a page.
	noFile:
		(during === 'file' && answer.status === 502 && isObject(parseJson(answer.body))) || undefined,
});

/**
 * Reads what the service reports in the middle of a text whose status was 200. The code in it is most
 * often the status that the answer would have had; without one, `httpCode` is missing.
 *
 * @param hasPart a part of the text came before, so work was done
 */
export function readReport(report: IDataObject, hasPart: boolean): Failure {
	const statement = readErrorObject(report);
	const status = Number(statement.code);
	if (status >= 400 && status < 600) {
		// The answer began with success, so work had begun unless the status blames the request.
		const isRefused = !hasPart && status < 500 && !GAVE_UP_WAITING.has(status);
		const certainty = isRefused ? 'refused' : 'unclear';
		return { ...toFacts('text', { status, headers: {}, body: '' }, statement), certainty };
	}
	return {
		during: 'text',
		message: CODE_MESSAGES.get(statement.code ?? '') ?? 'The service did not continue its answer',
		description: statement.words,
		code: statement.code,
		passes: mayPass('text', 200, statement.code),
		certainty: 'unclear',
	};
}

/** Returns whether a paid request that did not bring what was asked for is refused or unclear. */
function readCertainty(during: Asking, answer: ServiceAnswer | NoAnswer): Failure['certainty'] {
	if (during !== 'submit' && during !== 'text') return undefined;
	const isRefused = isNoAnswer(answer) ? answer.network === 'notSent' : isRefusal(during, answer);
	return isRefused ? 'refused' : 'unclear';
}

/** Statuses of hosts that gave up on another: 460 is a load balancer's, 499 a proxy's. */
const GAVE_UP_WAITING = new Set([408, 424, 460, 499]);
/** Returns whether a code says the same, with whatever status. */
const meansGaveUp = (code: unknown): boolean =>
	/^(?!.*invalid).*(time_?out|timed_?out|deadline_?exceeded)(_?error)?$/i.test(String(code));

/** Returns whether an answer says that work goes on, also without an ID. */
const isRunning = (answer: unknown): boolean =>
	objectsIn(answer).some((one) =>
		['queued', 'IN_PROGRESS'].includes(findStatus(statusOf(one) || 'failed') ?? 'FAILURE'),
	);

/** Returns the task that an unclear answer to a submit names; nobody knows whether it is the item's. */
function findNamedTask(during: Asking, body: string): Partial<VideoTask> | undefined {
	if (during !== 'submit') return undefined;
	const task_id = toId(findTraces(body).find(({ id }) => id !== undefined)?.id);
	return task_id === undefined ? undefined : { task_id };
}

/** Quotes an answer from its beginning, or from its task's ID or address on if that would be cut off. */
function quoteAnswer(body: string): string | undefined {
	const quoted = quoteBody(body);
	const words = findTraces(body)[0]?.words;
	if (words === undefined || quoted?.includes(words) || !body.includes(words)) return quoted;
	return quoteBody(`...${body.slice(body.indexOf(words))}`);
}

/** Returns where an answer says that its work is. */
const placeOf = ({ headers }: ServiceAnswer): string | undefined =>
	headers['operation-location'] ?? headers.location;

/**
 * Returns whether a redirect may lead to the work: to an address below that of a submit, or with an ID
 * in its path. A host that moved redirects to its own submit, a login to a page.
 */
const leadsToTask = (place = ''): boolean =>
	/\/(?:videos?|generations?|renders?|requests?|tasks?|jobs?|predictions?|operations|status|results?)\/(?=[^/?#]*\d)[^/?#]{6,}|[?&]((?:task|video|job)(_?id)?|id)=./i.test(
		place,
	);

/** Returns whether a type or code is one that the gateway uses before it passes a request on. */
const isGateways = (type: unknown) => typeof type === 'string' && type.endsWith('_api_error');

const isShaped = ({ code, message, data }: IDataObject) =>
	toText(code) !== undefined && typeof message === 'string' && data === null;

/**
 * Returns whether a code of that shape is one of the gateway's, in small letters or Jimeng's number, and comes before its task
 * exists, which a bill that it could not settle or an unknown end of a submit do not.
 */
const isBeforeTask = (code: unknown): boolean =>
	/^(?!.*(settle|unknown|duplicate|exists|already|pending|gateway))([a-z]+([_:][a-z]+)*|\d{5})$/.test(
		toText(code) ?? '',
	) &&
	!meansSuccess(code) &&
	!meansGaveUp(code);

/** Returns whether an answer that says no is the gateway's own, and not that of a proxy before it. */
export function isOfGateway(body: string): boolean {
	const fields = toObject(parseJson(body));
	return isShaped(fields) || isGateways(findError(fields)?.type);
}

/** Returns whether a code says no as HTTP does. Nobody knows what deployments mean by other numbers. */
const meansNo = (code: unknown): boolean =>
	['string', 'number'].includes(typeof code) &&
	/^4\d\d$/.test(String(code)) &&
	![...GAVE_UP_WAITING, 409].includes(Number(code));

/**
 * Returns whether an answer that did not bring what was asked for says no before any work was done.
 * If it does not say so plainly, it may hide paid work, above all if it is a proxy's page with a
 * 5xx status. Words never decide, only statuses, shapes and codes. The Gemini protocol has errors of
 * its own, which no video endpoint sends.
 */
function isRefusal(during: 'submit' | 'text', answer: ServiceAnswer): boolean {
	const { status, body } = answer;
	const parsed = parseExactJson(body);
	const fields = toObject(parsed);
	const error = findError(fields) ?? {};
	// The gateway crashed; nobody knows how far it had come.
	if (error.type === 'new_api_panic') return false;
	// A task exists, perhaps an earlier one: a person must look at it. What has an ID besides was
	// carried out, for all that anybody knows.
	const isTask = findTraces(body).length > 0 || isRunning(parsed);
	const hasPlace = placeOf(answer) !== undefined && (status < 300 || status >= 400);
	if (during === 'submit' && (isTask || hasPlace)) return false;
	// The gateway's own shape for errors: when it answers so, it has given the money back and keeps no
	// task. With a status that says yes, other video services use this shape for success.
	const { code } = fields;
	const isGatewaysNo = isShaped(fields) && isBeforeTask(code);
	if (isGatewaysNo && (status >= 300 || during === 'text')) return true;
	if (status < 300) {
		return isPlainNo(fields, error) || (during === 'text' && isPage(body));
	}
	// A redirect is not followed, so no work was done; but 303 points to the result of work.
	if (status < 400) {
		return REDIRECTS.includes(status) && status !== 303 && !leadsToTask(placeOf(answer));
	}
	// The service has the same already, paid for, in whatever words it names it.
	if (status === 409 && during === 'submit') return isGateways(error.type);
	if (status < 500)
		return !GAVE_UP_WAITING.has(status) && ![error.code, error.type, code].some(meansGaveUp);
	if (status !== 503) return false;
	// A 503 of these kinds comes before any work: it is about keys, channels or an overloaded vendor.
	if (isGateways(error.type) || error.code === 'model_not_found') return true;
	const isNumber = /^\d+$/.test(String(error.code).trim());
	return (!isNumber || during === 'text') && meansPassing(String(error.code));
}

/** Returns whether an answer of 2xx says no and nothing else. */
function isPlainNo({ code, data }: IDataObject, error: IDataObject): boolean {
	if (meansNo(error.code)) return true;
	if (isGateways(error.type) && toText(error.code) !== undefined) return true;
	const isEmpty = Object.keys(Array.isArray(data) ? data : toObject(data)).length === 0;
	return isEmpty && (meansNo(code) || isGateways(code));
}
