'use strict';

const { toText } = require('./words');

// What an answer is, in few words. The words of a server are cut and cleaned by whoever shows them.

/** @typedef {import('./request').Answer} Answer */

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === 'string' && value !== '';

/** What went wrong, in the two shapes of the service: `{ error: {...} }` and `{ code, message }`. */
function saidOf({ json }) {
	if (!json) return undefined;
	const { code, message, type } = isObject(json.error) ? json.error : json;
	return { code, message, type, inside: isObject(json.error) };
}

/** The ID in an answer to a submit, wherever it stands. */
function taskIdOf({ json }) {
	const places = [json, json?.data, json?.result].filter(isObject);
	const ids = places.flatMap(({ task_id, id }) => [task_id, id]);
	const texts = ids.map((id) => (Number.isSafeInteger(id) ? String(id) : id));
	// As a part of an address, dots alone would lead to another one.
	return texts.find((id) => isText(id) && !/^\.+$/.test(id));
}

const isPage = ({ text, headers }) =>
	/html/i.test(headers['content-type'] ?? '') || /^\s*</.test(text);
const isRefusal = ({ status, json }) => json !== undefined && status >= 400;
const isKeyRefused = ({ status }) => status === 401;

/** Says nothing of the service: it is busy. */
const isPassing = (answer) =>
	answer.status === 429 ||
	(answer.status >= 400 && /overloaded/.test(toText(saidOf(answer)?.code)));

/**
 * Whether a submit may have been accepted, and so be paid for: all but a refusal that is clear. A
 * success without an ID is none, nor are a redirect, a page of a proxy, and no answer at all.
 */
const mayBeAccepted = ({ trouble, unsent, status, cut, json }) =>
	trouble !== undefined ? !unsent : status < 400 || cut || (status >= 500 && json === undefined);

/** "400 task_not_exist: the words". */
function describe(answer) {
	if (answer.trouble) return answer.trouble;
	const { status, headers, text, cut, json } = answer;
	if (status >= 300 && status < 400)
		return `${status}, a redirect to ${originOf(headers.location)}`;
	if (cut) return `${status}, an answer that does not end`;
	if (isPage(answer)) return `${status}, a web page`;
	if (!json) return text === '' ? `${status}, an empty answer` : `${status}, no JSON: ${text}`;
	const { code, message } = saidOf(answer);
	const words = [toText(code ?? undefined), withoutRequestId(toText(message ?? undefined))];
	const said = words.filter(isText).join(': ');
	return [String(status), said].filter(isText).join(' ');
}

/** A gateway's own number for the request, at the end of its words. */
const withoutRequestId = (message) => message.replace(/\(request id: \w+\)$/, '').trimEnd();

/** Only the origin: a redirect's address may carry a key. */
function originOf(location) {
	return URL.canParse(location ?? '') ? new URL(location).origin : 'another address of its own';
}

/** Whether an address answers as one does that is certainly not there. */
function isUnknownAddress(answer, unknown) {
	if (answer.status !== unknown.status || answer.status < 400) return false;
	return wordsOf(answer) === wordsOf(unknown);
}

/** Of what is compared; searching all that a server sends takes too long. */
const MAX_COMPARED = 2000;

/** Without what differs from one address to the next. */
const wordsOf = (answer) =>
	toText(saidOf(answer)?.message ?? answer.text)
		.slice(0, MAX_COMPARED)
		.replace(/\([^)]*\)|\/\S+/g, '')
		.trim();

module.exports = {
	...{ describe, isKeyRefused, isObject, isPage, isPassing, isRefusal, isText },
	...{ isUnknownAddress, mayBeAccepted, saidOf, taskIdOf },
};
