import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson, toObject, toObjects, toText } from '../lib/json';
import { cutText } from '../lib/text';

/** What the service itself says of a request that failed. */
export interface Statement {
	words?: string;
	code?: string;
	/** The kind of what went wrong, beside the code. */
	type?: string;
	/** The code stands in `error`, as at OpenAI and New API. */
	isInError?: boolean;
}

/** Returns what an answer that says no says: in words, by a code, and by a type. */
export function readStatement(body: string): Statement {
	if (isPage(body)) return { words: quote(/<title>([^<]*)<\/title>/i.exec(body)?.[1] ?? '') };
	const parsed = parseJson(body);
	// Gemini's stream wraps its error in a list.
	const [object] = [parsed].flat();
	return isObject(object) ? readErrorObject(object) : { words: quote(body) };
}

/** New API's codes: words in small letters, or Jimeng's number. */
const NEW_API_CODE = /^([a-z]+([_:][a-z]+)*|\d{5})$/;

/**
 * Reads `{error: {message, code, type}}` (OpenAI, Google, New API), `{code, message}` (New API), `{error}` as
 * a text (Replicate), the same with `issues` that say more (Runway), `{detail, error_type}` with a text or a
 * list (FastAPI, fal), `{msg}` (kie), and `{base_resp}` (MiniMax).
 */
function readErrorObject(object: IDataObject): Statement {
	const error = toObject(object.error);
	const base = toObject(object.base_resp);
	const { message, msg, detail, fail_reason, error_type } = object;
	const inError = asCode(error.code);
	const own = [object.code, error_type, base.status_code].map(asCode).find(Boolean);
	const code = inError ?? own;
	// OpenRouter has the vendor's own words there, and none in its message.
	const { raw } = toObject(error.metadata);
	const words = [
		raw,
		error.message,
		message,
		object.issues,
		object.error,
		msg,
		detail,
		fail_reason,
		base.status_msg,
	]
		.map(wordsOf)
		.find((one) => one !== undefined);
	// New API repeats some codes as words, which tell a person nothing.
	const isInError = inError !== undefined;
	return { words: words === code ? undefined : words, code, type: typeOf(object), isInError };
}

const asCode = (code: unknown): string | undefined =>
	typeof code === 'number' && code !== 0 ? String(code) : toText(code);

function typeOf({ base_resp, code, data, error }: IDataObject): string | undefined {
	const { type, details } = toObject(error);
	const reason = toObjects(details).map((one) => toText(one.reason)); // Google
	const ofError = toText(type) ?? reason.find(Boolean);
	// New API answers so once it has given the money back and keeps no task; a panic is one of its types.
	const isOfNoTask = data === null && NEW_API_CODE.test(toText(code) ?? '');
	if (isOfNoTask && ofError !== 'new_api_panic') return 'new_api_no_task';
	return ofError ?? (isObject(base_resp) ? 'base_resp' : undefined);
}

/** FastAPI and Zod name a field by its path in the request. */
function wordMisfit({ loc, path, msg, message }: IDataObject): string | undefined {
	const at = [loc ?? path].flat().filter((name) => name !== undefined && name !== 'body');
	return [at.join('.'), toText(msg ?? message)].filter(Boolean).join(': ') || undefined;
}

/** Returns words on one line; New API passes a vendor's error on as JSON in its message. */
function wordsOf(value: unknown): string | undefined {
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
		.replace(/<(style|script)\b.*?(?:<\/\1>|$)|<[^<>]*>/gis, ' ');
	return quote(shown);
}
