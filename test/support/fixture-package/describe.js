'use strict';

/** A node description with the fields that all nodes of this package share. */
function describe(displayName, properties = [], fields = {}) {
	const [first, ...rest] = displayName.replaceAll(' ', '');
	return {
		displayName,
		name: first.toLowerCase() + rest.join(''),
		group: ['transform'],
		version: 1,
		description: displayName,
		defaults: { name: displayName },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'fixtureApi', required: true }],
		properties,
		...fields,
	};
}

/** One authenticated request below the credential's base URL. */
async function request(context, options) {
	const { baseUrl } = await context.getCredentials('fixtureApi');
	const { httpRequestWithAuthentication: send } = context.helpers;
	return await send.call(context, 'fixtureApi', { baseURL: baseUrl, json: true, ...options });
}

module.exports = { describe, request };
