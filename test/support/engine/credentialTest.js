'use strict';

const { makeAdditionalData } = require('./additionalData');

/** The verdict n8n shows for a request that threw; its words are n8n's. */
function verdictOnError(error, rules = []) {
	const { response, code } = error.cause ?? {};
	if (response) {
		const rule = rules.find(
			({ type, properties }) => type === 'responseCode' && properties.value === response.status,
		);
		if (rule) return { status: 'Error', message: rule.properties.message };
		const { status, statusText } = response;
		if (status < 199 || status > 299) {
			return { status: 'Error', message: statusText || `Received HTTP status code: ${status}` };
		}
	} else if (code) {
		return { status: 'Error', message: code };
	}
	return { status: 'Error', message: error.message.toString() };
}

function verdictOnBody(body, rules = []) {
	const read = (key) => key.split('.').reduce((value, part) => value?.[part], body);
	const rule = rules.find(
		({ type, properties }) =>
			type === 'responseSuccessBody' && read(properties.key) === properties.value,
	);
	if (rule) return { status: 'Error', message: rule.properties.message };
	return { status: 'OK', message: 'Connection successful!' };
}

/** The No Op whose only parameter carries the test's request. */
function testNode(name, request) {
	const description = {
		name: 'noOp',
		version: 1,
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name, required: true }],
		properties: [
			{ displayName: 'Temp', name: 'temp', type: 'string', routing: { request }, default: '' },
		],
	};
	const node = {
		id: 'temp',
		parameters: {},
		name: 'Temp-Node',
		type: 'noOp',
		typeVersion: 1,
		position: [0, 0],
		credentials: { [name]: { id: 'temp', name } },
	};
	return { node, nodeType: { description } };
}

/**
 * As `runRequestTest` of packages/cli/src/services/credentials-tester.service.ts.
 * @param {object} loaded what `loadCore` returned
 * @param {string} name the credential's name
 * @param {object} type the credential type
 * @param {object} credentialsHelper with the data to test
 */
async function testByRequest({ core, workflow: workflowPackage }, name, type, credentialsHelper) {
	const { request, rules } = type.test;
	const { node, nodeType } = testNode(name, request);
	const nodeTypes = { getByNameAndVersion: () => nodeType, getKnownTypes: () => ({}) };
	const workflow = new workflowPackage.Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes,
	});
	const data = await credentialsHelper.getDecrypted({}, node.credentials[name], name);
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
	const router = new core.RoutingNode(context, nodeType, { id: 'temp', name, type: name, data });
	try {
		await workflow.expression.acquireIsolate?.();
		const [[item]] = await router.runNode();
		return verdictOnBody(item.json, rules);
	} catch (error) {
		return verdictOnError(error, rules);
	} finally {
		await workflow.expression.releaseIsolate?.();
	}
}

module.exports = { testByRequest };
