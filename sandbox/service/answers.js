'use strict';

const { ENCODINGS } = require('./bodyForms');
const { FAULTS } = require('./faults');

// Answers that a plan lists are consumed one per request. This file checks such a list when the
// plan is read, and takes the next entry when a request comes.

const LITERAL_KEYS = new Set([
	...['status', 'json', 'text', 'html', 'headers', 'delayMs', 'accept', 'fault'],
	...['cutAfterBytes', 'stallAfterBytes', 'noLength', 'closeDelimited', 'socket'],
	...['redirect', 'to', 'hops', 'ignoreRange', 'pieceDelayMs'],
	...['dripMs', 'dripHeadMs', 'encoding', 'padBytes'],
]);
const OWN_ANSWER_KEYS = ['status', 'json', 'text', 'html', 'redirect', 'socket'];
const REDIRECTS = [301, 302, 303, 307, 308];

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What tells what is wrong with one entry of a list of answers.
 * @param {object} faults those that an entry may name
 * @param {Set<string>} keys those that it may have
 * @param {(entry: object) => string | undefined} [problemOfValues]
 */
const entryCheck = (faults, keys, problemOfValues = () => undefined) => {
	const problemOfName = (name) =>
		name === 'ok' || Object.hasOwn(faults, name) ? undefined : `there is no fault "${name}"`;
	return function problemOfEntry(entry) {
		if (typeof entry === 'string') return problemOfName(entry);
		if (!isObject(entry)) return "an answer is a fault's name or an object";
		if ('always' in entry) return problemOfEntry(entry.always);
		const unknown = Object.keys(entry).find((key) => !keys.has(key));
		if (unknown) return `an answer has no key "${unknown}"`;
		const unnamed = 'fault' in entry ? problemOfName(entry.fault) : undefined;
		return unnamed ?? problemOfValues(entry);
	};
};

const problemOfEntry = entryCheck(FAULTS, LITERAL_KEYS, (entry) => {
	if ('redirect' in entry && !REDIRECTS.includes(entry.redirect)) {
		return `redirect is one of ${REDIRECTS.join(', ')}`;
	}
	if ('encoding' in entry && !ENCODINGS.includes(entry.encoding)) {
		return `encoding is one of ${ENCODINGS.join(', ')}`;
	}
	const { headers, status } = entry;
	if (headers !== undefined && !isObject(headers)) return 'headers is an object';
	if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599)) {
		return 'status is a number from 200 to 599';
	}
	return undefined;
});

/** The change that an entry asks for; `undefined` where the ordinary answer goes out as it is. */
function toChange(entry, place) {
	if (entry === undefined || entry === 'ok') return undefined;
	if (typeof entry === 'string') {
		const { change } = FAULTS[entry];
		return typeof change === 'function' ? change(place) : change;
	}
	const { fault, ...rest } = entry;
	return { ...(fault ? toChange(fault, place) : {}), ...rest };
}

/** Counts the request; the entry that is due. The last of a list only lasts where it says `always`. */
function nextEntry(counters, counter, list) {
	const index = counters.get(counter) ?? 0;
	counters.set(counter, index + 1);
	const entries = list === undefined ? [] : [list].flat();
	const forever = entries.findIndex((entry) => isObject(entry) && 'always' in entry);
	return forever >= 0 && index >= forever ? entries[forever].always : entries[index];
}

/** Counts the request and returns the entry that is due, as a change. */
function nextChange(counters, counter, list, place) {
	return toChange(nextEntry(counters, counter, list), place);
}

const isOwnAnswer = (change) =>
	change !== undefined && OWN_ANSWER_KEYS.some((key) => change[key] !== undefined);

/** The ordinary answer with a change laid over it. */
function withChange(answer, change) {
	if (!change) return answer;
	if (isOwnAnswer(change)) return change;
	return { ...answer, ...change, headers: { ...answer.headers, ...change.headers } };
}

module.exports = {
	entryCheck,
	problemOfEntry,
	toChange,
	nextEntry,
	nextChange,
	isOwnAnswer,
	withChange,
	isObject,
};
