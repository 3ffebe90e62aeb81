'use strict';

const { agent } = require('./aiNodes');

/** A node type that hands its input on, with the fields n8n's engine reads. */
function passThrough(name, fields = {}) {
	return {
		description: {
			displayName: name,
			name,
			group: ['transform'],
			version: [1, 2, 3],
			description: '',
			defaults: { name },
			inputs: ['main'],
			outputs: ['main'],
			properties: [],
			...fields,
		},
		async execute() {
			return [this.getInputData()];
		},
	};
}

const START = { group: ['trigger'], inputs: [] };

const wait = {
	...passThrough('wait', {
		version: [1, 1.1],
		properties: [
			{ displayName: 'Resume', name: 'resume', type: 'string', default: 'timeInterval' },
			{ displayName: 'Amount', name: 'amount', type: 'number', default: 5 },
			{ displayName: 'Unit', name: 'unit', type: 'string', default: 'seconds' },
		],
	}),
	/** Always sleeps "in the database"; n8n's own Wait does so from 65 s up only. */
	async execute() {
		const units = { seconds: 1e3, minutes: 6e4, hours: 36e5, days: 864e5 };
		const amount = this.getNodeParameter('amount', 0);
		if (typeof amount !== 'number' || !(amount >= 0)) {
			throw new Error('Invalid wait amount. Please enter a number that is 0 or greater.');
		}
		const delay = amount * units[this.getNodeParameter('unit', 0)];
		await this.putExecutionToWait(new Date(Date.now() + delay));
		return [this.getInputData()];
	},
};

/**
 * Edit Fields, which here sets the prompt, and `error` if it is given, and counts how often it has, in a `row`, too.
 */
const set = {
	...passThrough('set', {
		properties: [
			{ displayName: 'Prompt', name: 'prompt', type: 'string', default: '' },
			{ displayName: 'Error', name: 'error', type: 'string', default: '' },
		],
	}),
	async execute() {
		const edit = ({ json: { pass = 0, row, ...json } }, i) => ({
			...{ ...json, prompt: this.getNodeParameter('prompt', i), pass: pass + 1 },
			error: this.getNodeParameter('error', i) || json.error,
			...(row && { row: { ...row, n: pass + 1 } }),
		});
		return [this.getInputData().map((item, i) => ({ json: edit(item, i) }))];
	},
};

const splitInBatches = {
	...passThrough('splitInBatches', {
		outputs: ['main', 'main'],
		outputNames: ['done', 'loop'],
		properties: [{ displayName: 'Size', name: 'batchSize', type: 'number', default: 1 }],
	}),
	/** Loop Over Items: outputs [done, loop]; its state lives in the node's context. */
	async execute() {
		const context = this.getContext('node');
		const input = this.getInputData();
		if (context.waiting === undefined) Object.assign(context, { waiting: [...input], done: [] });
		else context.done.push(...input);
		const batch = context.waiting.splice(0, this.getNodeParameter('batchSize', 0));
		return batch.length > 0 ? [[], batch] : [context.done, []];
	},
};

const executeWorkflow = {
	...passThrough('executeWorkflow', {
		properties: [{ displayName: 'Workflow', name: 'workflowJson', type: 'json', default: '' }],
	}),
	/** With Source "Define Below": hands all items to that workflow and waits for it. */
	async execute() {
		const code = JSON.parse(this.getNodeParameter('workflowJson', 0));
		const parentExecution = {
			executionId: this.getExecutionId(),
			workflowId: this.getWorkflow().id,
			shouldResume: true,
		};
		const options = { parentExecution, executionMode: this.getMode() };
		return (await this.executeWorkflow({ code }, this.getInputData(), undefined, options)).data;
	},
};

const RESPONSE_MODE = { displayName: 'Respond', name: 'responseMode', type: 'string' };
const webhook = passThrough('webhook', {
	...START,
	properties: [{ ...RESPONSE_MODE, default: 'onReceived' }],
});
const chatTrigger = passThrough('chatTrigger', {
	...START,
	properties: [{ displayName: 'Options', name: 'options', type: 'json', default: {} }],
});

/** Small stand-ins for n8n's own nodes, under n8n's names, so that whole workflows can run. */
const builtInNodes = {
	'n8n-nodes-base.manualTrigger': passThrough('manualTrigger', START),
	'n8n-nodes-base.executeWorkflowTrigger': passThrough('executeWorkflowTrigger', START),
	'n8n-nodes-base.executeWorkflow': executeWorkflow,
	'n8n-nodes-base.webhook': webhook,
	'@n8n/n8n-nodes-langchain.chatTrigger': chatTrigger,
	'@n8n/n8n-nodes-langchain.agent': agent,
	'n8n-nodes-base.noOp': passThrough('noOp'),
	'n8n-nodes-base.set': set,
	'n8n-nodes-base.wait': wait,
	'n8n-nodes-base.splitInBatches': splitInBatches,
};

module.exports = { builtInNodes };
