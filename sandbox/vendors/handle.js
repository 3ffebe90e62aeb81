'use strict';

// One request to one vendor: labelled, its keys taken out of the record, read, answered.

const KEY_IN_ADDRESS = /([?&]key=)[^&]*/;

/** What is kept of an Authorization header: how it was said, not what. */
const hidden = (value) => `${/^[\w-]+(?= )/.exec(value)?.[0] ?? ''} ***`.trim();

/** Takes the keys out of a record; a record is for showing to people. */
function hideKeys(record) {
	record.url = record.url.replace(KEY_IN_ADDRESS, '$1***');
	if (record.query.key !== undefined) record.query.key = '***';
	for (const name of ['authorization', 'x-goog-api-key', 'proxy-authorization']) {
		const value = record.headers[name];
		if (value !== undefined) record.headers[name] = hidden(value);
	}
}

function parse(bytes) {
	try {
		return JSON.parse(bytes.toString('utf8'));
	} catch {
		return undefined;
	}
}

/**
 * Fits a vendor's route into a listener.
 * @param {object} vendor one of vendors.js
 * @param {[string, string, (exchange: object) => object, { open?: boolean }?]} route `open` ones ask
 *   for no key: the address is signed
 */
function routeOf(vendor, [method, path, answer, { open = false } = {}]) {
	const handler = (exchange) => {
		const isKnown = open || vendor.hasKey(exchange);
		hideKeys(exchange.record);
		if (!isKnown) return vendor.refuse('unauthorized');
		return answer(Object.assign(exchange, { json: parse(exchange.body) }));
	};
	return [
		method,
		`/${vendor.name}${path}`,
		(exchange) => {
			exchange.record.vendor = vendor.name;
			exchange.vendor = vendor;
			return handler(exchange);
		},
	];
}

module.exports = { routeOf };
