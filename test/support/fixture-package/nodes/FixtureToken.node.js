'use strict';

const { describe } = require('../describe');

/** One request with the credential whose token can run out. */
class FixtureToken {
	constructor() {
		const credentials = [{ name: 'fixtureTokenApi', required: true }];
		this.description = describe('Fixture Token', [], { credentials });
	}

	async execute() {
		const { baseUrl } = await this.getCredentials('fixtureTokenApi');
		const { httpRequestWithAuthentication: send } = this.helpers;
		const options = { url: `${baseUrl}/with-token`, json: true };
		return [[{ json: await send.call(this, 'fixtureTokenApi', options) }]];
	}
}

module.exports = { FixtureToken };
