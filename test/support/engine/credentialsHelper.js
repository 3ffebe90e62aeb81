'use strict';

/**
 * n8n's CredentialsHelper (packages/cli/src/credentials-helper.ts) with the test's data in place
 * of the database: defaults are as there. All credentials of the package authenticate by a function.
 * @param {object} loaded what `loadCore` returned
 * @param {(name: string) => object} getCredential credential types by name
 * @param {Record<string, object>} data decrypted data by credential name
 */
function makeCredentialsHelper({ workflow: { NodeHelpers } }, getCredential, data) {
	return {
		authenticate: async (credentials, typeName, request) =>
			await getCredential(typeName).authenticate(credentials, request),
		// No credential of ours renews a token.
		preAuthentication: async () => undefined,
		runPreAuthentication: async () => undefined,
		async getDecrypted(_additionalData, nodeCredentials, typeName) {
			if (!nodeCredentials?.id || !data[typeName]) {
				const id = nodeCredentials?.id;
				throw new Error(`Credential with ID "${id}" does not exist for type "${typeName}".`);
			}
			const { properties } = getCredential(typeName);
			return NodeHelpers.getNodeParameters(properties, data[typeName], true, false, null, null);
		},
		getCredentialsProperties: (typeName) => getCredential(typeName).properties,
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
	};
}

module.exports = { makeCredentialsHelper };
