'use strict';

const { getEventListeners, getMaxListeners } = require('node:events');

/**
 * Counts the signals that get more listeners than Node.js thinks sane: for each it prints a warning
 * of a memory leak into n8n's log.
 */
function watchSignals() {
	const { addEventListener } = EventTarget.prototype;
	const crowded = new Set();
	EventTarget.prototype.addEventListener = function (type, ...rest) {
		addEventListener.call(this, type, ...rest);
		const limit = getMaxListeners(this);
		if (limit > 0 && getEventListeners(this, type).length > limit) crowded.add(this);
	};
	const restore = () => void (EventTarget.prototype.addEventListener = addEventListener);
	return { crowded: () => crowded.size, restore };
}

module.exports = { watchSignals };
