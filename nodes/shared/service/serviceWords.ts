import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson, toObject, toText } from '../lib/json';
import { cutText } from '../lib/text';
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
	433: 'The API key has used up its own limit', // kie
	455: 'The service is under maintenance', // kie
	500: 'The service could not process the request',
	502: 'The service cannot be reached behind its proxy',
	503: 'The service is not available',
	504: 'The service did not answer in time',
};

/** Codes of New API. */
const CODE_MESSAGES = new Map([
	['model_not_found', 'The service does not have this model, or cannot serve it now'],
	['insufficient_user_quota', STATUS_MESSAGES[402]],
	['insufficient_quota', STATUS_MESSAGES[402]],
	['pre_consume_token_quota_failed', 'The API key has too little quota left'],
	['task_not_exist', 'The service does not know this task'],
]);

/** New API's code for trouble at the model's vendor; the HTTP status is then the vendor's own. */
export const BY_VENDOR = 'fail_to_fetch_task';

/** What the service itself says of a request that failed. */
interface Statement {
	words?: string;
	code?: string;
}

/** Returns one sentence for an answer that is not what was asked for. */
export function toSentence(answer: ServiceAnswer, { code }: Statement, ofFile = false): string {
	const { status, headers, body } = answer;
	const codeMessage = CODE_MESSAGES.get(code ?? '');
	if (codeMessage !== undefined) return codeMessage;
	if (code === BY_VENDOR && (status === 401 || status === 403)) {
		return `The vendor of the model refuses the service's own account (HTTP ${status})`;
	}
	if (code === BY_VENDOR && (status === 404 || status === 405)) {
		return `The vendor of the model does not know this request (HTTP ${status})`;
	}
	if (ofFile && status === 502 && !isPage(body)) {
		return 'The service gets no file from the vendor of the model (HTTP 502)';
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

/** @param baseURL is overridden by an absolute URL, as in the HTTP client */
export function originOf(url: string | undefined, baseURL?: string): string | undefined {
	return URL.canParse(url ?? '', baseURL) ? new URL(url ?? '', baseURL).origin : undefined;
}

/** Returns what an answer that says no says in words, and its code. */
export function readStatement(body: string): Statement {
	if (isPage(body)) return { words: quote(/<title>([^<]*)<\/title>/i.exec(body)?.[1] ?? '') };
	const parsed = parseJson(body);
	// Gemini's stream wraps its error in a list.
	const [object] = [parsed].flat();
	return isObject(object) ? readErrorObject(object) : { words: quote(body) };
}

/** Returns the `error` of an answer if it is an object, as at OpenAI, Google and New API. */
export const errorOf = ({ error }: IDataObject): IDataObject => toObject(error);

/**
 * Reads `{error: {message, code}}` (OpenAI, Google, New API), `{code, message}` (New API), `{error}` as a
 * text (Replicate), `{detail}` as a text or a list (FastAPI, fal) and `{msg}` (kie).
 */
function readErrorObject(object: IDataObject): Statement {
	const error = errorOf(object);
	const { code = object.code } = error;
	const isCode = (typeof code === 'number' && code !== 0) || toText(code) !== undefined;
	const { message, msg, detail, fail_reason } = object;
	const words = [error.message, message, object.error, msg, detail, fail_reason]
		.map(toWords)
		.find((one) => one !== undefined);
	// New API repeats some codes as words, which tell a person nothing.
	return { words: words === code ? undefined : words, code: isCode ? String(code) : undefined };
}

/** FastAPI names a field by its path in the request. */
function wordMisfit({ loc, msg }: IDataObject): string | undefined {
	const path = [loc].flat().filter((name) => name !== undefined && name !== 'body');
	return [path.join('.'), toText(msg)].filter(Boolean).join(': ') || undefined;
}

/** Returns words on one line; New API passes a vendor's error on as JSON in its message. */
function toWords(value: unknown): string | undefined {
	if (Array.isArray(value)) {
		const lines = value.map((one) => (isObject(one) ? wordMisfit(one) : toText(one)));
		return quote(lines.filter(Boolean).join('; '));
	}
	if (isObject(value))
		return Object.keys(value).length > 0 ? quote(JSON.stringify(value)) : undefined;
	const text = toText(value);
	const inner = text?.startsWith('{') ? parseJson(text) : undefined;
	return (isObject(inner) && readErrorObject(inner).words) || (text && quote(text));
}

const MAX_QUOTE_CHARS = 500;
/** The most characters of an answer in which `quoteBody` looks for words. */
const MAX_BODY_CHARS = 50_000;

export const isPage = (body: string) => /^\s*</.test(body);

/** Returns words from outside on one line, cut so that a whole file does not appear. */
function quote(words: string): string | undefined {
	const line = words
		.slice(0, MAX_BODY_CHARS)
		.replace(/[\s\p{Cc}]{1,1000}/gu, ' ')
		.trim();
	return line === '' ? undefined : cutText(line, MAX_QUOTE_CHARS);
}

/**
 * Returns the beginning of an answer on one line; of a page, the text that a browser shows: Cloudflare's
 * has the Ray ID by which its support finds a request.
 */
export function quoteBody(body: string): string | undefined {
	if (!isPage(body)) return quote(body);
	const shown = body
		.slice(0, MAX_BODY_CHARS)
		.replace(/<(style|script)\b.*?<\/\1>|<[^<>]*>/gis, ' ');
	return quote(shown);
}
