'use strict';

/**
 * n8n's CredentialsHelper (packages/cli/src/credentials-helper.ts) with the test's data in place
 * of the database: defaults and `authenticate` are as there.
 * @param {object} loaded what `loadCore` returned
 * @param {(name: string) => object} getCredential credential types by name
 * @param {Record<string, object>} data decrypted data by credential name
 */
function makeCredentialsHelper({ workflow: workflowPackage }, getCredential, data) {
	const { NodeHelpers, isExpression } = workflowPackage;

	function resolve(value, $credentials, workflow, node) {
		if (!isExpression(value)) return value;
		const evaluate = workflow.expression.getSimpleParameterValue.bind(workflow.expression);
		return evaluate(node, value, 'internal', { $credentials }, undefined, '')?.toString() || '';
	}

	async function authenticate(credentials, typeName, requestOptions, workflow, node) {
		const { authenticate: how } = getCredential(typeName);
		if (typeof how === 'function') return await how(credentials, requestOptions);
		if (how?.type !== 'generic') return requestOptions;
		requestOptions.headers ??= {};
		for (const [place, fields] of Object.entries(how.properties)) {
			requestOptions[place] ??= {};
			for (const [key, value] of Object.entries(fields)) {
				const resolvedKey = resolve(key, credentials, workflow, node);
				requestOptions[place][resolvedKey] = resolve(value, credentials, workflow, node);
			}
		}
		return requestOptions;
	}

	function withDefaults(typeName, values) {
		const { properties } = getCredential(typeName);
		return NodeHelpers.getNodeParameters(properties, values, true, false, null, null);
	}

	return {
		authenticate,
		// No credential of ours renews a token.
		preAuthentication: async () => undefined,
		runPreAuthentication: async () => undefined,
		async getDecrypted(_additionalData, nodeCredentials, typeName) {
			if (!nodeCredentials?.id || !data[typeName]) {
				const id = nodeCredentials?.id;
				throw new Error(`Credential with ID "${id}" does not exist for type "${typeName}".`);
			}
			return withDefaults(typeName, data[typeName]);
		},
		withDefaults,
		getCredentialsProperties: (typeName) => getCredential(typeName).properties,
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
	};
}

module.exports = { makeCredentialsHelper };
