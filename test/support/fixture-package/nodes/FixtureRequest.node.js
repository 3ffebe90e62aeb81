'use strict';

const { NodeApiError } = require('n8n-workflow');

const { describe, request } = require('../describe');

/** One authenticated GET per item; `failure` is the shape of a failed item. */
class FixtureRequest {
	constructor() {
		this.description = describe('Fixture Request', [
			{ displayName: 'Path', name: 'path', type: 'string', default: '/ok', required: true },
			{ displayName: 'Failure', name: 'failure', type: 'string', default: 'errorAlone' },
		]);
	}

	async execute() {
		const items = this.getInputData();
		const output = [];
		for (const [index, item] of items.entries()) {
			const pairedItem = { item: index };
			try {
				const json = await request(this, { url: this.getNodeParameter('path', index) });
				output.push({ json, pairedItem });
			} catch (error) {
				const { message, httpCode } = error;
				const failure = new NodeApiError(
					this.getNode(),
					{ message, httpCode },
					{ message, itemIndex: index },
				);
				if (!this.continueOnFail()) throw failure;
				output.push({ ...failedItem(this, index, item, failure), pairedItem });
			}
		}
		return [output];
	}
}

function failedItem(context, index, item, error) {
	const { message } = error;
	const shapes = {
		errorAlone: { json: { error: message } },
		errorAndMore: { json: { error: message, taskId: 'task-1' } },
		itemError: { json: { ...item.json, taskId: 'task-1' }, error },
	};
	return shapes[context.getNodeParameter('failure', index)];
}

module.exports = { FixtureRequest };
