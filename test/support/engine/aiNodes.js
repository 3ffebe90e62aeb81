'use strict';

const TOOL = 'ai_tool';

/** As the agent does from version 3 on: n8n's engine runs the tools and then the agent once more. */
function askEngine(context, input) {
	const tools = context.getParentNodes(context.getNode().name, { connectionType: TOOL, depth: 1 });
	const toAction = ({ name: nodeName }, i) => {
		const fields = { actionType: 'ExecutionNodeAction', type: TOOL, metadata: {} };
		return { ...fields, nodeName, input, id: String(i) };
	};
	return { actions: tools.map(toAction), metadata: {} };
}

const toAnswer = ({ data }) => (data.data?.[TOOL] ?? []).flat().map(({ json }) => json);

/** Calls each of its tools once and gives what they answer. */
const agent = {
	description: {
		displayName: 'AI Agent',
		name: 'agent',
		group: ['transform'],
		version: [2, 3],
		description: '',
		defaults: { name: 'AI Agent' },
		inputs: ['main', TOOL],
		outputs: ['main'],
		properties: [],
	},
	async execute(response) {
		const [{ json }] = this.getInputData();
		const items = (answers) => [answers.map((answer) => ({ json: { answer } }))];
		if (this.getNode().typeVersion >= 3) {
			const { actionResponses = [] } = response ?? {};
			return actionResponses.length > 0
				? items(actionResponses.map(toAnswer))
				: askEngine(this, json);
		}
		const tools = [await this.getInputConnectionData(TOOL, 0)].flat();
		const texts = await Promise.all(tools.map(async (tool) => await tool.invoke(json)));
		return items(texts.map((text) => JSON.parse(text)));
	},
};

/** As convertNodeToAiTool of packages/cli: the same node with the output of a tool. */
function toTool(nodeType) {
	const description = {
		displayName: 'Description',
		name: 'toolDescription',
		type: 'string',
		default: nodeType.description.description,
	};
	return Object.create(nodeType, {
		description: {
			value: {
				...nodeType.description,
				name: `${nodeType.description.name}Tool`,
				inputs: [],
				outputs: [TOOL],
				properties: [description, ...nodeType.description.properties],
			},
		},
	});
}

module.exports = { agent, toTool };
