'use strict';

const { ENCODINGS } = require('./respond');
const { FAULTS } = require('./faults');
const { foreignAddress } = require('./taskRecord');

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

// A redirect of several hops carries what is left of it in the query, so that the sandbox needs no
// memory of who was sent where.

/** A request that a redirect brought here: it consumes no entry of a plan's list. */
const isFollowUp = (query) => query.final !== undefined || query.hops !== undefined;

/** This address again, as the client calls it, with a note for the next visit. */
function hereAgain({ state, headers, record, query }, note) {
	const { redirect, to, hops, ...rest } = query;
	const { protocol } = new URL(record.origin === 'service' ? state.url : state.foreignUrl);
	return `${protocol}//${headers.host}${record.path}?${new URLSearchParams({ ...rest, ...note })}`;
}

function target(exchange, to) {
	const { state, record, task } = exchange;
	if (to === 'self') return hereAgain(exchange, { final: 1 });
	if (to !== 'foreign' && to !== 'otherPort') return to;
	const origin = to === 'foreign' ? state.foreignUrl : state.otherPortUrl;
	return task ? `${foreignAddress(origin, task)}&final=1` : `${origin}${record.path}`;
}

function location(exchange, { redirect, to = 'self', hops = 1 }) {
	const made = Number(exchange.query.hops ?? 0);
	if (to === 'loop') return hereAgain(exchange, { redirect, to, hops: made + 1 });
	return hops > 1 ? hereAgain(exchange, { redirect, to, hops: hops - 1 }) : target(exchange, to);
}

/** An answer whose `redirect`, if it has one, is turned into a status and a Location. */
function withRedirect(exchange, answer) {
	if (answer.redirect === undefined) return answer;
	const headers = { location: location(exchange, answer), ...answer.headers };
	return { text: '', ...answer, status: answer.redirect, headers };
}

/** The redirect that a hop's query still asks for. */
function pendingRedirect({ redirect, to, hops }) {
	return redirect ? { redirect: Number(redirect), to, hops: Number(hops) } : undefined;
}

/** The change that a plan's list has for this request; redirected requests consume no entry. */
function changeDue({ state, query }, place, subject, list) {
	if (isFollowUp(query)) return pendingRedirect(query);
	return nextChange(state.counters, `${place} ${subject}`, list, place);
}

module.exports = {
	entryCheck,
	problemOfEntry,
	toChange,
	nextEntry,
	isOwnAnswer,
	withChange,
	isObject,
	isFollowUp,
	withRedirect,
	changeDue,
};
