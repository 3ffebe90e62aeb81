import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson, toJson } from '../lib/json';
import { meansPassing, meansSuccess } from './codes';
import type { ServiceAnswer } from './connection';
import { isNoAnswer, type NoAnswer } from './noAnswer';
import { isPage, quote, quoteTitle } from './quote';

/** Why a request did not bring what was asked for: one sentence for a person, facts for the code. */
export interface Trouble {
	message: string;
	/** The service's own words, or what to do. */
	description?: string;
	httpCode?: number;
	/** The service's own code, such as `task_not_exist`; never a reason to show or hide words. */
	code?: string;
	/** The gateway says that it got no file from the vendor: itself, not a proxy before it. */
	noFile?: true;
	/** Whether the same call may go well later without being paid for twice. */
	retryable: boolean;
	/** What came instead, cut, where something may be paid for: a person may find it by this. */
	body?: string;
}

/** Statuses in words; those of a credential's test, which n8n wants as rules, are beside it. */
const STATUS_MESSAGES: Record<number, string> = {
	400: 'The service does not accept the request',
	401: 'The service refuses the API key: it is unknown, disabled, expired or used up',
	402: 'The account is out of credit',
	403: 'The service does not allow this request: check the IP address, account, model and quota',
	404: 'The service does not know this address',
	405: 'The service does not know this address',
	408: 'The service did not answer in time',
	409: 'The service is busy with the same request',
	413: 'The request is too large for the service; try a smaller image',
	422: 'The service does not accept the request',
	429: 'The service is rate-limiting requests',
	500: 'The service could not process the request',
	502: 'The service cannot be reached behind its proxy',
	503: 'The service is not available',
	504: 'The service did not answer in time',
};

const CODE_MESSAGES = new Map([
	['model_not_found', 'The service does not have this model, or has no free channel for it'],
	['insufficient_user_quota', 'The account is out of credit'],
	['task_not_exist', 'The service does not know this task'],
]);

/** Whether the service itself says that there is no such task, for this key. */
export const isUnknownTask = ({ code }: Trouble) => code === 'task_not_exist';

/** The gateway's code for what the vendor of the model has answered, by the vendor's own status. */
export const BY_VENDOR = 'fail_to_fetch_task';

const RETRYABLE_STATUSES = new Set([408, 409, 425, 429]);

/** Reads what is not what was asked for: error shapes, HTML, empty, anything, or no answer at all. */
export function toTrouble(answer: ServiceAnswer | NoAnswer): Trouble {
	if (isNoAnswer(answer)) {
		const { network, code, message } = answer;
		return { message, code, retryable: network !== 'canceled' };
	}
	return describe(answer, readErrorBody(answer.body));
}

/** @param said what the body of the answer says */
function describe(answer: ServiceAnswer, { words, code }: Said): Trouble {
	const { status } = answer;
	const known = CODE_MESSAGES.get(code ?? '');
	const ok = status >= 200 && status < 300;
	const isDenied = code === BY_VENDOR && (status === 401 || status === 403);
	const denied = isDenied
		? `The vendor of the model refuses the service's own account (HTTP ${status})`
		: undefined;
	const message = known ?? denied ?? (ok ? describeOddSuccess(answer) : describeStatus(answer));
	return {
		message,
		// Some say their code once more; to a person it says nothing.
		description: words === code ? undefined : words,
		httpCode: status,
		code,
		retryable:
			code !== 'model_not_found' &&
			(status >= 500 || RETRYABLE_STATUSES.has(status) || meansPassing(code)),
	};
}

/**
 * Reads what the service says in the middle of an answer whose status was 200. The code in it is
 * most often the status that the answer would have had.
 */
export function toReportedTrouble(report: IDataObject): Trouble {
	const said = readErrorObject(report);
	const { code } = said;
	const status = Number(code);
	const answer = { headers: {}, body: '' };
	if (status >= 400 && status < 600) return describe({ ...answer, status }, said);
	const message = CODE_MESSAGES.get(code ?? '') ?? 'The service did not continue its answer';
	return { ...describe({ ...answer, status: 200 }, said), message, httpCode: undefined };
}

function describeStatus({ status, headers }: ServiceAnswer): string {
	if (status >= 300 && status < 400) {
		const target = originOf(headers.location);
		return `The service redirects to ${target}. Set the Base URL of the credential to the address it redirects to`;
	}
	const words =
		STATUS_MESSAGES[status] ?? (status >= 500 ? STATUS_MESSAGES[500] : STATUS_MESSAGES[400]);
	return `${words} (HTTP ${status})`;
}

function describeOddSuccess({ body }: ServiceAnswer): string {
	if (isPage(body)) {
		return 'The address answers with a web page, not with the API of the service. Check the Base URL of the credential';
	}
	if (body.trim() === '') return 'The service sent an empty answer';
	return 'The service sent an answer that is not in the documented form';
}

/** Only the origin is shown: a redirect's address may carry keys or signatures. */
function originOf(location: string | undefined): string {
	try {
		return new URL(location ?? '').origin;
	} catch {
		return 'another address';
	}
}

/** What an answer says of what went wrong. */
interface Said {
	words?: string;
	code?: string;
}

function readErrorBody(body: string): Said {
	if (isPage(body)) return { words: quoteTitle(body) };
	const parsed = parseJson(body);
	if (isObject(parsed)) return readErrorObject(parsed);
	return { words: quote(typeof parsed === 'string' ? parsed : body) };
}

/** The two documented-in-the-wild shapes; anything else gives what words it has. */
function readErrorObject(said: IDataObject): Said {
	const source = isObject(said.error) ? said.error : said;
	const words = source.message ?? said.error ?? said.msg ?? said.detail;
	return { words: unwrap(words), code: toCode(source.code) };
}

/** Some messages are JSON inside a string; the innermost message is what a person can read. */
function unwrap(words: unknown, depth = 0): string | undefined {
	if (words === undefined || words === null || words === '') return undefined;
	const parsed = typeof words === 'string' ? parseJson(words) : words;
	if (!isObject(parsed) || depth > 3) return quote(asText(words));
	const inner = isObject(parsed.error) ? parsed.error.message : (parsed.message ?? parsed.error);
	return unwrap(inner, depth + 1) ?? quote(toJson(parsed));
}

/** Whatever stands where words should: lists, objects, nested deeper than can be written down. */
const asText = (value: unknown) => (typeof value === 'string' ? value : toJson(value));

function toCode(code: unknown): string | undefined {
	if (meansSuccess(code)) return undefined;
	if (typeof code === 'number') return String(code);
	return typeof code === 'string' && code !== '' ? code : undefined;
}
