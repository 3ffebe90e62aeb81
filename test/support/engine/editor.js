'use strict';

const { makeAdditionalData } = require('./execution');

/** As `testCredentials` of packages/cli/src/services/credentials-tester.service.ts (`testedBy`). */
async function testByNode({ core }, test, { type, data }) {
	const context = new core.CredentialTestContext(makeAdditionalData({}));
	return await test.call(context, { id: 'temp', name: type, type, data });
}

/** Calls a list search of a node as DynamicNodeParametersService of packages/cli does. */
async function searchList({ core, workflow }, method, { node, ...rest }, filter) {
	const { nodeTypes, credentialsHelper } = rest;
	const { methods } = nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	const { parameters: currentNodeParameters } = node;
	const additionalData = makeAdditionalData({ credentialsHelper, currentNodeParameters });
	const temp = new workflow.Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	try {
		await temp.expression.acquireIsolate();
		const context = new core.LoadOptionsContext(temp, node, additionalData, '');
		return await methods.listSearch[method].call(context, filter);
	} finally {
		await temp.expression.releaseIsolate();
	}
}

module.exports = { testByNode, searchList };
