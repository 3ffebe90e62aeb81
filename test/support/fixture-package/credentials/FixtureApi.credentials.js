'use strict';

/** A generic credential: one header in, one request to try it. */
class FixtureApi {
	constructor() {
		this.name = 'fixtureApi';
		this.displayName = 'Fixture API';
		this.properties = [
			{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: 'http://127.0.0.1:1' },
			{ displayName: 'API Key', name: 'apiKey', type: 'string', default: '' },
		];
		this.authenticate = {
			type: 'generic',
			properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
		};
		this.test = {
			request: { baseURL: '={{$credentials.baseUrl}}', url: '/me' },
			rules: [
				{ type: 'responseCode', properties: { value: 403, message: 'The key may not do this' } },
				{
					type: 'responseSuccessBody',
					properties: { key: 'state', value: 'closed', message: 'The account is closed' },
				},
			],
		};
	}
}

module.exports = { FixtureApi };
