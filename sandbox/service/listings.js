'use strict';

const { toChange, withChange } = require('./answers');
const { consolePage, gateway } = require('./errorShapes');
const {
	isGateway,
	recordedNotFound,
	recordedStatus,
	recordedFor,
	USAGE,
} = require('./gatewayProfile');
const { hasNativeHeader, refused, isKnown, readKey } = require('./keys');
const { stateOf } = require('./videoRoutes');

// Free listings and everything that no route knows. The contract has neither; deployments do.

/** What an address answers that the deployment does not have. */
function notFound({ state, record }) {
	const message = `Invalid URL (${record.method} ${record.path})`;
	return recordedNotFound(state, gateway(404, '', message, 'invalid_request_error'));
}

/** The web console answers every path outside the service's own prefixes with its start page. */
const unknownPath = (exchange) =>
	/^\/(v1|v1beta)(\/|$)/.test(exchange.record.path) ? notFound(exchange) : consolePage();

function listed(exchange, isNative, list) {
	const { listings } = exchange.state.deployment;
	if (listings === false) return notFound(exchange);
	const refusal = refused(exchange, 'list', isNative);
	const answer = refusal ?? { status: 200, json: list() };
	return listings === true ? answer : withChange(answer, toChange(listings, 'list'));
}

const modelsOf = ({ state }) => [...state.deployment.models.video, ...state.deployment.models.text];

/** Who serves a model; older deployments say `custom` of all. */
const ownerOf = ({ state: { deployment } }, id) =>
	Object.hasOwn(deployment.owners, id) ? deployment.owners[id] : 'custom';

function models(exchange) {
	const { headers, state } = exchange;
	const isNative = hasNativeHeader(headers) && !headers.authorization;
	if (isNative && state.deployment.listings === true) {
		// The listing takes the native key for another protocol's client and fails inside.
		return gateway(200, '', 'Model list could not be read for this protocol');
	}
	return listed(exchange, false, () => ({
		object: 'list',
		success: true,
		data: modelsOf(exchange).map((id) => ({
			id,
			object: 'model',
			created: 1626777600,
			owned_by: ownerOf(exchange, id),
		})),
	}));
}

function nativeModels(exchange) {
	return listed(exchange, true, () => ({
		models: modelsOf(exchange).map((id) => ({ name: `models/${id}`, displayName: id })),
	}));
}

/** Of gateways alone: public, and at no other deployment. */
const status = (exchange) =>
	isGateway(exchange.state) ? recordedStatus(exchange.state) : unknownPath(exchange);

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
	notFound,
	unknownPath,
	listingRoutes: [
		['GET', '/api/status', status],
		['GET', '/v1/models', models],
		['GET', '/v1beta/models', nativeModels],
	],
	usageRoutes: [
		['GET', '/api/usage/token', moved],
		['GET', '/api/usage/token/', usage],
	],
};
