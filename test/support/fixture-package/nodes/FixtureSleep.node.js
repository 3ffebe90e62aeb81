'use strict';

const { describe } = require('../describe');

const toNext = (node) => ({ main: [[{ node, type: 'main', index: 0 }]] });

/** Hands its items to a sub-workflow that sleeps, and sleeps with it. */
class FixtureSleep {
	constructor() {
		this.description = describe('Fixture Sleep', [
			{ displayName: 'Path', name: 'path', type: 'string', default: '/ok' },
		]);
	}

	async execute() {
		const parameters = { path: this.getNodeParameter('path', 0) };
		const { credentials } = this.getNode();
		const type = 'n8n-nodes-engine-fixture.fixtureRequest';
		const at = { typeVersion: 1, position: [0, 0] };
		const code = {
			nodes: [
				{
					id: '1',
					name: 'Begin',
					type: 'n8n-nodes-base.executeWorkflowTrigger',
					parameters: {},
					...at,
				},
				{ id: '2', name: 'Wait', type: 'n8n-nodes-base.wait', parameters: { amount: 90 }, ...at },
				{ id: '3', name: 'Check', type, parameters, credentials, ...at },
			],
			connections: { Begin: toNext('Wait'), Wait: toNext('Check') },
		};
		const parentExecution = {
			executionId: this.getExecutionId(),
			workflowId: this.getWorkflow().id,
			shouldResume: true,
		};
		const options = { parentExecution, executionMode: this.getMode() };
		const result = await this.executeWorkflow({ code }, this.getInputData(), undefined, options);
		return result.data;
	}
}

module.exports = { FixtureSleep };
