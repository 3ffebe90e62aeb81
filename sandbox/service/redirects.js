'use strict';

const { nextChange } = require('./answers');
const { foreignAddress } = require('./taskRecord');

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

module.exports = { isFollowUp, withRedirect, changeDue };
