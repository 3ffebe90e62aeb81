'use strict';

const { toChange, withChange } = require('./answers');
const { consolePage, gateway } = require('./errorShapes');
const { isGateway, recordedPricing, recordedStatus } = require('./gatewayProfile');
const { hasNativeHeader, refused } = require('./keys');
const { namedAnswer } = require('./namedRoutes');

// Free listings and everything that no route knows. The contract has neither; deployments do.

/** What an address answers that the deployment does not have. */
const notFound = ({ record: { method, path } }) =>
	gateway(404, '', `Invalid URL (${method} ${path})`, 'invalid_request_error');

/** The service that the profile names has these addresses in place of the others. */
const named = (answer) => (exchange) => namedAnswer(exchange) ?? answer(exchange);

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

/** These two are public, and at no other deployment than a gateway. */
const status = (exchange) =>
	isGateway(exchange.state) ? recordedStatus(exchange.state) : unknownPath(exchange);

const pricing = (exchange) =>
	isGateway(exchange.state) ? recordedPricing(exchange.state) : unknownPath(exchange);

module.exports = {
	notFound,
	unknownPath: named(unknownPath),
	listingRoutes: [
		['GET', '/api/pricing', pricing],
		['GET', '/api/status', status],
		['GET', '/v1/models', named(models)],
		['GET', '/v1beta/models', named(nativeModels)],
	],
};
