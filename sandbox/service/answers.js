'use strict';

const { FAULTS } = require('./faults');
const { foreignAddress } = require('./taskRecord');

// Answers that a plan lists are consumed one per request.

const OWN_ANSWER_KEYS = ['status', 'json', 'text', 'html', 'redirect', 'socket'];

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

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
	return toChange(nextEntry(state.counters, `${place} ${subject}`, list), place);
}

module.exports = {
	...{ changeDue, isFollowUp, isObject, isOwnAnswer },
	...{ nextEntry, toChange, withChange, withRedirect },
};
