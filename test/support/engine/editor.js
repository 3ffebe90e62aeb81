'use strict';

const { makeAdditionalData } = require('./execution');

/** A workflow of one node, which n8n makes for a question of the editor. */
async function inTempNode({ workflow: { Workflow } }, node, nodeTypes, ask) {
	const complete = { ...node, id: 'temp', name: 'Temp-Node', position: [0, 0] };
	const workflow = new Workflow({ nodes: [complete], connections: {}, active: false, nodeTypes });
	try {
		await workflow.expression.acquireIsolate();
		return await ask(workflow, workflow.getNode('Temp-Node'));
	} finally {
		await workflow.expression.releaseIsolate();
	}
}

/** As `testCredentials` of packages/cli/src/services/credentials-tester.service.ts (`testedBy`). */
async function testByNode({ core }, test, { type, data }) {
	const context = new core.CredentialTestContext(makeAdditionalData({}));
	return await test.call(context, { id: 'temp', name: type, type, data });
}

/** Calls a list search of a node as DynamicNodeParametersService of packages/cli does. */
async function searchList(loaded, method, { node, nodeTypes, credentialsHelper }, filter) {
	const { methods } = nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	const { parameters: currentNodeParameters } = node;
	const additionalData = makeAdditionalData({ credentialsHelper, currentNodeParameters });
	return await inTempNode(loaded, node, nodeTypes, async (workflow, temp) => {
		const context = new loaded.core.LoadOptionsContext(workflow, temp, additionalData, '');
		return await methods.listSearch[method].call(context, filter);
	});
}

module.exports = { testByNode, searchList };
