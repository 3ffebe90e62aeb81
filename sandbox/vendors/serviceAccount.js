'use strict';

const { generateKeyPairSync } = require('node:crypto');

let account;

/**
 * A Google service account, made once per process: its key signs, and opens nothing anywhere.
 * @returns {Record<string, string>} the JSON file that Google gives out
 */
function serviceAccount() {
	account ??= {
		type: 'service_account',
		project_id: 'sandbox-project',
		private_key_id: 'sandbox',
		private_key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
			type: 'pkcs8',
			format: 'pem',
		}),
		client_email: 'sandbox@sandbox-project.iam.gserviceaccount.com',
		client_id: '1',
		token_uri: 'https://oauth2.googleapis.com/token',
	};
	return account;
}

module.exports = { serviceAccount };
