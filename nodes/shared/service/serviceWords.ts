import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson, toJson, toObject, toText } from '../lib/json';
import { cutText } from '../lib/text';
import {
	CODE_FIELDS,
	ERROR_FIELDS,
	FILTER_CODE,
	FILTER_WORDS,
	MESSAGE_FIELDS,
	NO_REASON,
	REASON_FIELDS,
} from './answerTable';
import type { ServiceAnswer } from './http';

export const STATUS_MESSAGES: Record<number, string> = {
	400: 'The service does not accept the request',
	401: 'The service refuses the API key: it is unknown, disabled, expired or used up',
	402: 'The account is out of credit',
	403: 'The service does not allow this request: check the IP address, account, model and quota',
	404: 'The service does not know this address',
	405: 'The service does not know this address',
	408: 'The service did not answer in time',
	409: 'The service is busy with the same request',
	413: 'The request is too large for the service; try a smaller image',
	429: 'The service is rate-limiting requests',
	500: 'The service could not process the request',
	502: 'The service cannot be reached behind its proxy',
	503: 'The service is not available',
	504: 'The service did not answer in time',
};

export const CODE_MESSAGES = new Map([
	['model_not_found', 'The service does not have this model, or cannot serve it now'],
	['insufficient_user_quota', STATUS_MESSAGES[402]],
	['pre_consume_token_quota_failed', 'The API key has too little quota left'],
	['task_not_exist', 'The service does not know this task'],
]);

/** The gateway's code for trouble at the model's vendor; the HTTP status is then the vendor's own. */
export const BY_VENDOR = 'fail_to_fetch_task';

/** What the service itself says of a request that failed. */
export interface Statement {
	words?: string;
	code?: string;
}

/** Returns one sentence for an answer that is not what was asked for. */
export function toSentence(answer: ServiceAnswer, statement: Statement, ofFile = false): string {
	const { status, headers, body } = answer;
	const { code } = statement;
	const codeMessage = CODE_MESSAGES.get(code ?? '');
	if (codeMessage !== undefined) return codeMessage;
	if (FILTER_STATUSES.includes(status) && isOfFilter(statement))
		return `The service's filter does not let the request through (HTTP ${status})`;
	if (code === BY_VENDOR && (status === 401 || status === 403)) {
		return `The vendor of the model refuses the service's own account (HTTP ${status})`;
	}
	if (status >= 400) {
		const words = STATUS_MESSAGES[status] ?? STATUS_MESSAGES[status < 500 ? 400 : 500];
		return `${words} (HTTP ${status})`;
	}
	if (status >= 300) {
		// A redirect's whole address may carry keys or signatures.
		const target = originOf(headers.location) ?? 'another address';
		return `The service redirects to ${target}. Set the Base URL of the credential to the address it redirects to`;
	}
	if (isPage(body)) {
		if (ofFile) return 'The address answers with a web page, not with a file';
		return 'The address answers with a web page, not with the API of the service. Check the Base URL of the credential';
	}
	return body.trim() === ''
		? 'The service sent an empty answer'
		: 'The service sent an answer that is not in the documented form';
}

const FILTER_STATUSES = [400, 403, 422, 451];

/** Returns whether a refusal, or the lack of a video, is a filter's. Decides on words alone. */
export const isOfFilter = ({ words = '', code = '' }: Statement): boolean =>
	FILTER_CODE.test(code.toLowerCase().replace(/[^a-z]/g, '')) || FILTER_WORDS.test(words);

/** @param baseURL is overridden by an absolute URL, as in the HTTP client */
export function originOf(url: string | undefined, baseURL?: string): string | undefined {
	try {
		return new URL(url ?? '', baseURL).origin;
	} catch {
		return undefined;
	}
}

/** Returns whether a code in an answer says that the request was carried out. */
export const meansSuccess = (code: unknown): boolean =>
	['string', 'number', 'boolean'].includes(typeof code) &&
	/^(success|ok|true|[01]|2\d\d)$/i.test(String(code).trim());

export function readStatement(body: string): Statement {
	if (isPage(body)) return { words: quote(/<title>([^<]*)<\/title>/i.exec(body)?.[1] ?? '') };
	const parsed = parseJson(body);
	if (isObject(parsed)) return readErrorObject(parsed);
	return { words: quote(typeof parsed === 'string' ? parsed : body) };
}

/** Returns the error of an answer, a record or a chunk: an object, a text, or anything else. */
export const errorIn = (object: IDataObject): unknown =>
	ERROR_FIELDS.map((name) => object[name]).find((error) => (error ?? undefined) !== undefined);

/** Returns it if it is an object. */
export function findError(object: IDataObject): IDataObject | undefined {
	const error = errorIn(object);
	return isObject(error) ? error : undefined;
}

/** Returns whether an error says anything: some answers always have one, with a code of 0. */
export const saysAnything = (error: unknown): boolean =>
	isObject(error) ? Object.values(error).some(isNotEmpty) : isNotEmpty(error);

const isNotEmpty = (value: unknown) =>
	![undefined, null, '', 0, false].some((nothing) => nothing === value);

/** Reads the gateway's two shapes of errors; from anything else, takes the words that it has. */
export function readErrorObject(object: IDataObject): Statement {
	const error = findError(object);
	const { code: found } = error ?? object;
	const isCode = typeof found === 'number' || toText(found) !== undefined;
	const code = isCode && !meansSuccess(found) ? String(found) : undefined;
	const fields = ['message', ...MESSAGE_FIELDS];
	const own = error
		? [...fields.map((name) => error[name]), saysAnything(error) ? error : undefined]
		: [];
	const others = [
		object.message,
		errorIn(object),
		object.msg,
		...WORDS.map((name) => object[name]),
	];
	const words = [...own, ...others].map((one) => unwrap(one)).find((one) => one !== undefined);
	// Some repeat their code as words, which tell a person nothing.
	return { code, words: words === code ? undefined : words };
}

const WORDS = [...MESSAGE_FIELDS, ...REASON_FIELDS];

/** Reads why there is no video from one object of a task's record, under some names. */
export function readReasonIn(object: IDataObject, names: string[]): Statement {
	const words = names.map((name) => toReason(object[name])).find((one) => one !== undefined);
	const { type, ...error } = findError(object) ?? {};
	const codes = [error, object].flatMap((one) => CODE_FIELDS.map((name) => one[name]));
	const code = [...codes, type].find((one) => toText(one) !== undefined && !meansSuccess(one));
	return { words, code: toText(code) };
}

/** Returns a reason in words; `undefined` for an address, or words about a request that went well. */
export function toReason(value: unknown): string | undefined {
	if (!saysAnything(value)) return undefined;
	const inner = isObject(value) ? MESSAGE_FIELDS.map((name) => toText(value[name])) : [];
	const words = inner.find((one) => one !== undefined) ?? toText(toLines(value) ?? value);
	return words === undefined || NO_REASON.test(words)
		? undefined
		: cutText(words, MAX_REASON_CHARS);
}

/** A reason may repeat the picture that it is about. */
const MAX_REASON_CHARS = 2_000;

/** Returns the innermost message: some services put it into objects, or into JSON in a string. */
function unwrap(words: unknown, depth = 0): string | undefined {
	if (words === undefined || words === null) return undefined;
	const parsed = typeof words === 'string' ? parseJson(words) : words;
	const lines = toLines(parsed);
	if (lines !== undefined) return quote(lines);
	if (!isObject(parsed) || depth > 3) {
		return quote(typeof words === 'string' ? words : toJson(words));
	}
	const error = findError(parsed);
	const inner = error ? error.message : (parsed.message ?? errorIn(parsed));
	return unwrap(inner, depth + 1) ?? quote(toJson(parsed));
}

/** Returns the words in a list: texts, or what FastAPI says of each field. */
function toLines(list: unknown): string | undefined {
	if (!Array.isArray(list)) return undefined;
	const isWord = (one: unknown) => ['string', 'number'].includes(typeof one);
	const lines = (list as unknown[]).map((one) => {
		const { loc, msg } = toObject(one);
		return [isObject(one) ? [loc, msg] : one].flat(2).filter(isWord).join(' ');
	});
	return toText(lines.filter((line) => line !== '').join('; '));
}

const MAX_QUOTE_CHARS = 500;
/** The most characters of an answer in which `quoteBody` looks for words. */
const MAX_BODY_CHARS = 50_000;

export const isPage = (body: string) => /^\s*</.test(body);

/** Returns words from outside on one line, cut so that a whole file does not appear. */
function quote(words: string): string | undefined {
	// In UTF-16 read byte by byte, the zeros would hide a key from the redaction.
	const line = words
		.replace(/\0/g, '')
		.replace(/[\s\p{Cc}]{1,1000}/gu, ' ')
		.trim();
	return line === '' ? undefined : cutText(line, MAX_QUOTE_CHARS);
}

/** Returns the beginning of an answer on one line; of a page, the text that a browser shows. */
export function quoteBody(body: string): string | undefined {
	// The dots mark the cut, so that the redaction also recognises half a key before it.
	const page = body.length > MAX_BODY_CHARS ? `${body.slice(0, MAX_BODY_CHARS)}...` : body;
	if (!isPage(page)) return quote(page);
	const parts = page.split(/<\/?(?:style|script)\b/i);
	const shown = parts.filter((_part, i) => i % 2 === 0).join('<');
	return quote(shown.replace(/<[^<>]*>/g, ' ')) ?? quote(page);
}
