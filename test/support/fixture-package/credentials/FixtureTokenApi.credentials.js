'use strict';

/** A credential that signs with a function and renews its token. */
class FixtureTokenApi {
	constructor() {
		this.name = 'fixtureTokenApi';
		this.displayName = 'Fixture Token API';
		this.properties = [
			{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: '' },
			{
				displayName: 'Token',
				name: 'token',
				type: 'hidden',
				typeOptions: { expirable: true },
				default: '',
			},
		];
	}

	async preAuthentication({ baseUrl }) {
		return await this.helpers.httpRequest({ baseURL: baseUrl, url: '/token', json: true });
	}

	async authenticate({ token }, options) {
		return { ...options, headers: { ...options.headers, 'x-token': token } };
	}
}

module.exports = { FixtureTokenApi };
