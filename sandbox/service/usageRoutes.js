'use strict';

const { isGateway, recordedFor, USAGE } = require('./gatewayProfile');
const { isKnown, readKey } = require('./keys');
const { unknownPath } = require('./listings');
const { stateOf } = require('./tasks');

// What a key has used, as a real gateway tells it; other deployments have no such address. Whoever
// has a key may ask, also with one that is disabled, expired or used up.

const UNLIKE = { 'sandbox-expired': USAGE.expired, 'sandbox-used-up': USAGE.usedUp };

/** What the submit took, which comes back after a failure: of Veo's only if nobody has asked before. */
function chargeOf(state, task) {
	const recorded = recordedFor(state, task.model);
	if (recorded?.quota !== undefined) return recorded.quota;
	const isFailed = stateOf(task, state.deployment.refreshMs).status === 'FAILURE';
	return isFailed ? 0 : (recorded?.SUCCESS.data.quota ?? 0);
}

function usageOf(state, key) {
	const told = UNLIKE[key] ?? USAGE.unlimited;
	const charges = [...state.tasks.values()].filter((task) => task.key === key);
	const used = charges.reduce((sum, task) => sum + chargeOf(state, task), 0);
	if (used === 0) return told;
	return { ...told, data: { ...told.data, total_available: -used, total_used: used } };
}

function usage(exchange) {
	const { state, record, request } = exchange;
	if (!isGateway(state)) return unknownPath(exchange);
	const { from, value } = readKey({ headers: exchange.headers, query: {} }, false);
	record.key = from;
	if (request.headers.authorization === undefined) return { status: 401, json: USAGE.none };
	if (!isKnown(value, state.key)) return { status: 401, json: USAGE.unknown };
	if (value === 'sandbox-banned') return { status: 403, json: USAGE.banned };
	return { status: 200, json: usageOf(state, value) };
}

/** The gateway's router has the address with a slash at its end alone. */
function moved(exchange) {
	if (!isGateway(exchange.state)) return unknownPath(exchange);
	const location = exchange.record.url.replace('/api/usage/token', '/api/usage/token/');
	const html = `<a href="${location}">Moved Permanently</a>.\n\n`;
	return { status: 301, headers: { location }, html };
}

module.exports = {
	usageRoutes: [
		['GET', '/api/usage/token', moved],
		['GET', '/api/usage/token/', usage],
	],
};
