'use strict';

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
		const delay = this.getNodeParameter('amount', 0) * units[this.getNodeParameter('unit', 0)];
		await this.putExecutionToWait(new Date(Date.now() + delay));
		return [this.getInputData()];
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

/** Small stand-ins for n8n's own nodes, under n8n's names, so that whole workflows can run. */
const builtInNodes = {
	'n8n-nodes-base.manualTrigger': passThrough('manualTrigger', START),
	'n8n-nodes-base.executeWorkflowTrigger': passThrough('executeWorkflowTrigger', START),
	'n8n-nodes-base.stickyNote': passThrough('stickyNote', { inputs: [], outputs: [] }),
	'n8n-nodes-base.noOp': passThrough('noOp'),
	'n8n-nodes-base.wait': wait,
	'n8n-nodes-base.splitInBatches': splitInBatches,
};

module.exports = { builtInNodes };
