'use strict';

const { NodeHelpers, Workflow } = require('n8n-workflow');

const NODE_NAME = 'Node';

/** The values of a parameter that can decide about outputs: all it has, or those asked for. */
function decidingValues({ type, default: value, options, name }, expression) {
	if (type === 'boolean') return [true, false];
	if (type === 'options') return options.map((option) => option.value);
	const compared = expression.matchAll(new RegExp(`\\["${name}"\\] === "(\\w+)"`, 'g'));
	return [...new Set([value, ...[...compared].map(([, text]) => text)])];
}

/** Every combination of the parameters that the expression of the outputs reads. */
function decidingParameters({ outputs, properties }) {
	const expression = String(outputs);
	const read = [...expression.matchAll(/\$parameter\["(\w+)"\]/g)].map(([, name]) => name);
	return [...new Set(read)].reduce(
		(all, name) => {
			const property = properties.find((one) => one.name === name);
			if (!property) throw new Error(`Outputs depend on "${name}", which is no parameter.`);
			const values = decidingValues(property, expression);
			return all.flatMap((one) => values.map((value) => ({ ...one, [name]: value })));
		},
		[{}],
	);
}

const toNames = (ends) =>
	ends.map((end) => [end.type ?? end, end.displayName].filter(Boolean).join(': '));

/** A node's inputs and outputs when its parameters are `parameters`, as n8n works them out. */
function readConnections(description, typeVersion, parameters) {
	const type = description.name;
	const node = { id: '1', name: NODE_NAME, type, typeVersion, position: [0, 0], parameters };
	const nodeType = { description };
	const nodeTypes = { getByName: () => nodeType, getByNameAndVersion: () => nodeType };
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const saved = workflow.getNode(NODE_NAME);
	return {
		with: parameters,
		inputs: toNames(NodeHelpers.getNodeInputs(workflow, saved, description)),
		outputs: toNames(NodeHelpers.getNodeOutputs(workflow, saved, description)),
	};
}

module.exports = { decidingParameters, readConnections };
