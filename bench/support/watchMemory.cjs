'use strict';

const { readFileSync } = require('node:fs');

const OFTEN_MS = 5;

/** The time and the most memory that a process takes until the end that is returned is called. */
function watchMemory(pid) {
	const mb = () =>
		Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000;
	const before = mb();
	let most = before;
	const timer = setInterval(() => {
		try {
			most = Math.max(most, mb());
		} catch {
			clearInterval(timer);
		}
	}, OFTEN_MS);
	const started = performance.now();
	return () => {
		clearInterval(timer);
		const seconds = (performance.now() - started) / 1000;
		return { 'Time (s)': seconds, 'Memory (MB)': most - before };
	};
}

module.exports = { watchMemory };
