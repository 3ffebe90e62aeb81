'use strict';

/**
 * n8n's CredentialsHelper (packages/cli/src/credentials-helper.ts) with the test's data in place
 * of the database: defaults, `authenticate` and `preAuthentication` are as there.
 * @param {object} loaded what `loadCore` returned
 * @param {(name: string) => object} getCredential credential types by name
 * @param {Record<string, object>} data decrypted data by credential name; a renewed token is kept
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

	async function preAuthentication(helpers, credentials, typeName, _node, isExpired) {
		const type = getCredential(typeName);
		const token = type.properties.find(
			(property) => property.type === 'hidden' && property.typeOptions?.expirable === true,
		);
		if (!token || !type.preAuthentication) return undefined;
		if (credentials[token.name] !== '' && !isExpired) return undefined;
		const renewed = await type.preAuthentication.call(helpers, credentials);
		if (renewed[token.name] === undefined) return undefined;
		Object.assign(data[typeName], renewed);
		return Object.assign(credentials, renewed);
	}

	function withDefaults(typeName, values) {
		const { properties } = getCredential(typeName);
		return NodeHelpers.getNodeParameters(properties, values, true, false, null, null);
	}

	return {
		authenticate,
		preAuthentication,
		runPreAuthentication: async (helpers, credentials, typeName) =>
			await getCredential(typeName).preAuthentication?.call(helpers, credentials),
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
