'use strict';

const { makeAdditionalData } = require('./additionalData');

/**
 * Calls one of a node's list searches the way the editor makes n8n call them (packages/cli's
 * DynamicNodeParametersService).
 * @param {object} loaded what `loadCore` returned
 * @param {string} method its name in the node's `methods`
 * @param {object} job node (a complete one), nodeTypes, credentialsHelper, path
 * @param {unknown[]} args filter and pagination token
 */
async function searchList({ core, workflow: workflowPackage }, method, job, args) {
	const { node, nodeTypes, credentialsHelper, path = '' } = job;
	const { methods } = nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	const call = methods?.listSearch?.[method];
	if (!call) throw new Error(`Node type "${node.type}" has no list search named "${method}"`);
	const workflow = new workflowPackage.Workflow({
		nodes: [{ ...node, name: 'Temp-Node' }],
		connections: {},
		active: false,
		nodeTypes,
	});
	const additionalData = makeAdditionalData({
		credentialsHelper,
		currentNodeParameters: node.parameters,
	});
	const [tempNode] = Object.values(workflow.nodes);
	const context = new core.LoadOptionsContext(workflow, tempNode, additionalData, path);
	try {
		await workflow.expression.acquireIsolate?.();
		return await call.call(context, ...args);
	} finally {
		await workflow.expression.releaseIsolate?.();
	}
}

module.exports = { searchList };
