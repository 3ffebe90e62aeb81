'use strict';

const { describe } = require('../describe');

/** Speaks through each channel that n8n has besides the items. */
class FixtureReport {
	constructor() {
		this.description = describe('Fixture Report', [], { credentials: undefined });
	}

	async execute() {
		const { $execution } = this.getWorkflowDataProxy(0);
		$execution.customData.set('taskId', 'task-1');
		this.addExecutionHints({ message: 'A hint', location: 'outputPane' });
		this.sendMessageToUI('Rendering', { percent: 50 });
		this.logger.info('A log line');
		if (this.isStreaming()) await this.sendChunk('item', 0, 'A chunk');
		return [this.getInputData()];
	}
}

module.exports = { FixtureReport };
