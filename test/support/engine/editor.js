'use strict';

const { makeAdditionalData } = require('./execution');

/** The verdict n8n shows for a request that threw; its words are n8n's. */
function verdictOnError({ message, cause }, rules) {
	const { response, code } = cause ?? {};
	if (!response) return { status: 'Error', message: code || message };
	const { status, statusText } = response;
	const rule = rules.find(
		({ type, properties }) => type === 'responseCode' && properties.value === status,
	);
	if (rule) return { status: 'Error', message: rule.properties.message };
	const isBad = status < 199 || status > 299;
	const words = statusText || `Received HTTP status code: ${status}`;
	return { status: 'Error', message: isBad ? words : message };
}

function verdictOnBody(body, rules) {
	const read = (key) => key.split('.').reduce((value, part) => value?.[part], body);
	const rule = rules.find(
		({ type, properties }) =>
			type === 'responseSuccessBody' && read(properties.key) === properties.value,
	);
	if (rule) return { status: 'Error', message: rule.properties.message };
	return { status: 'OK', message: 'Connection successful!' };
}

/** A workflow of one node, which n8n makes for a question of the editor. */
async function inTempNode({ workflow: { Workflow } }, node, nodeTypes, ask) {
	const complete = { ...node, id: 'temp', name: 'Temp-Node', position: [0, 0] };
	const workflow = new Workflow({ nodes: [complete], connections: {}, active: false, nodeTypes });
	try {
		await workflow.expression.acquireIsolate?.();
		return await ask(workflow, workflow.getNode('Temp-Node'));
	} finally {
		await workflow.expression.releaseIsolate?.();
	}
}

/** As `runRequestTest` of packages/cli/src/services/credentials-tester.service.ts. */
async function testByRequest(loaded, name, { request, rules = [] }, credentialsHelper) {
	const { core } = loaded;
	const temp = { displayName: 'Temp', name: 'temp', type: 'string', routing: { request } };
	const description = {
		name: 'noOp',
		version: 1,
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name, required: true }],
		properties: [{ ...temp, default: '' }],
	};
	const credentials = { [name]: { id: 'temp', name } };
	const saved = { type: 'noOp', typeVersion: 1, parameters: {}, credentials };
	const nodeTypes = {
		getByNameAndVersion: () => ({ description }),
		getKnownTypes: () => ({}),
	};
	return await inTempNode(loaded, saved, nodeTypes, async (workflow, node) => {
		const data = await credentialsHelper.getDecrypted({}, credentials[name], name);
		const context = new core.ExecuteContext(
			workflow,
			node,
			makeAdditionalData({ credentialsHelper }),
			'internal',
			{ version: 1, resultData: { runData: {} } },
			0,
			[],
			{ main: [[{ json: {} }]] },
			{ node, data: {}, source: null },
			[],
		);
		const credential = { id: 'temp', name, type: name, data };
		try {
			const [[item]] = await new core.RoutingNode(context, { description }, credential).runNode();
			return verdictOnBody(item.json, rules);
		} catch (error) {
			return verdictOnError(error, rules);
		}
	});
}

/** As `testCredentials` of the same file for a credential that a node tests (`testedBy`). */
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

module.exports = { testByNode, testByRequest, searchList };
