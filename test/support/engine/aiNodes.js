'use strict';

const TOOL = 'ai_tool';

const toItems = (answers) => [answers.map((answer) => ({ json: { answer } }))];
const toAnswer = ({ data }) => (data.data?.[TOOL] ?? []).flat().map(({ json }) => json);

/** As the agent does from version 3 on: n8n's engine runs the tools and then the agent once more. */
function askEngine(turns, { actionResponses = [], metadata = {} }) {
	const { turn = 0, heard = [] } = metadata;
	const answers = [...heard, ...actionResponses.map(toAnswer)];
	if (turn === turns.length) return toItems(answers);
	const toAction = ({ tool, input }, i) => {
		const fields = { actionType: 'ExecutionNodeAction', type: TOOL, metadata: {} };
		return { ...fields, nodeName: tool, input, id: `${turn}.${i}` };
	};
	return { actions: turns[turn].map(toAction), metadata: { turn: turn + 1, heard: answers } };
}

/** As the older ones do: they call the tools of a turn themselves, all at once. */
async function callTools(context, turns) {
	const tools = [await context.getInputConnectionData(TOOL, 0)].flat();
	const call = async ({ tool, input }) => {
		const found = tools.find(({ metadata }) => metadata.sourceNodeName === tool);
		// An agent hears of a tool that throws, too.
		return await found.invoke(input).then(JSON.parse, ({ message }) => [{ error: message }]);
	};
	const answers = [];
	for (const calls of turns) answers.push(...(await Promise.all(calls.map(call))));
	return toItems(answers);
}

/** Calls its tools turn by turn, as the `turns` of its item say, and gives what they answer. */
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
		const { turns } = this.getInputData()[0].json;
		if (this.getNode().typeVersion >= 3) return askEngine(turns, response ?? {});
		return await callTools(this, turns);
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
