'use strict';

const OFTEN_MS = 2;

/**
 * Watches what this process holds outside of JavaScript's heap, where the bytes of files are.
 * @returns {{ grownBytes(): number }} the most that it was, beyond what it was at the start
 */
function watchMemory() {
	globalThis.gc?.();
	const before = process.memoryUsage().arrayBuffers;
	let most = before;
	const look = () => {
		most = Math.max(most, process.memoryUsage().arrayBuffers);
	};
	const timer = setInterval(look, OFTEN_MS);
	return {
		grownBytes() {
			clearInterval(timer);
			look();
			return most - before;
		},
	};
}

module.exports = { watchMemory };
