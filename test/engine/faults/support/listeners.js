'use strict';

const { getEventListeners, getMaxListeners } = require('node:events');

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
