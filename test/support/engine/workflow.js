'use strict';

const START_NAME = 'Start';
const START_TYPE = 'n8n-nodes-base.noOp';
const NODE_NAME = 'Node Under Test';

/** Start -> node under test. */
function wrapNode(node) {
	const name = node.name ?? NODE_NAME;
	return {
		nodes: [
			{ name: START_NAME, type: START_TYPE },
			{ ...node, name },
		],
		connections: { [START_NAME]: { main: [[{ node: name, type: 'main', index: 0 }]] } },
	};
}

function latestVersion({ currentVersion, description }) {
	return currentVersion ?? [description.version].flat().at(-1);
}

/** The test's credentials that the node's type can use, written as a saved node has them. */
function credentialsFor({ credentials: wanted = [] }, given) {
	const names = wanted.map(({ name }) => name).filter((name) => given[name]);
	return Object.fromEntries(names.map((name) => [name, { id: `id-${name}`, name }]));
}

function completeNode(node, index, nodeTypes, credentials) {
	const typeVersion = node.typeVersion ?? latestVersion(nodeTypes.getByName(node.type));
	const { description } = nodeTypes.getByNameAndVersion(node.type, typeVersion);
	return {
		id: `node-${index}`,
		parameters: {},
		position: [index * 200, 0],
		credentials: credentialsFor(description, credentials),
		...structuredClone(node),
		typeVersion,
	};
}

function findStart(nodes, connections) {
	const outputs = Object.values(connections).flatMap(({ main = [] }) => main);
	const targets = new Set(outputs.flatMap((output) => output ?? []).map(({ node }) => node));
	return nodes.find(({ name }) => !targets.has(name)) ?? nodes[0];
}

/**
 * The workflow n8n would have saved for a request.
 * @returns `{ workflowData, nodeName, startNode }`: the node the result is about, and the first one
 */
function buildWorkflow(request, nodeTypes) {
	const shape = request.node ? wrapNode(request.node) : request;
	const connections = structuredClone(shape.connections ?? {});
	const nodes = shape.nodes.map((node, index) =>
		completeNode(node, index, nodeTypes, request.credentials ?? {}),
	);
	const named = nodes.find(({ name }) => name === request.startNode);
	return {
		workflowData: {
			id: 'workflow1',
			name: 'Engine Test',
			active: false,
			nodes,
			connections,
			settings: { executionOrder: 'v1', ...request.settings },
		},
		nodeName: request.resultNode ?? nodes.at(-1).name,
		startNode: named ?? findStart(nodes, connections),
	};
}

/** What n8n's WorkflowRunner begins with: the first node and its items on the stack. */
function firstRunData(startNode, items, fields = {}) {
	return {
		version: 1,
		startData: {},
		resultData: { runData: {} },
		executionData: {
			contextData: {},
			nodeExecutionStack: [{ node: startNode, data: { main: [items] }, source: null }],
			metadata: {},
			waitingExecution: {},
			waitingExecutionSource: {},
		},
		...fields,
	};
}

module.exports = { buildWorkflow, firstRunData };
