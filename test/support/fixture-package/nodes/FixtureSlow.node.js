'use strict';

const { describe, request } = require('../describe');

/** Polls until it is stopped (or for a second or two), then returns what it has. */
class FixtureSlow {
	constructor() {
		this.description = describe('Fixture Slow');
	}

	async execute() {
		const signal = this.getExecutionCancelSignal();
		for (let polls = 0; polls < 200 && !signal.aborted; polls++) {
			await request(this, { url: '/poll' }).catch(() => {});
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
		return [[{ json: { taskId: 'task-1' } }]];
	}
}

module.exports = { FixtureSlow };
