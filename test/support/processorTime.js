'use strict';

/**
 * Seconds that `work` takes of the processor: other processes do not count, which make a busy machine
 * slow, nor do its own other threads, which collect garbage meanwhile.
 */
function processorSeconds(work) {
	const [beginMs, begin] = [performance.now(), process.cpuUsage()];
	work();
	const { user, system } = process.cpuUsage(begin);
	return Math.min((performance.now() - beginMs) / 1000, (user + system) / 1e6);
}

module.exports = { processorSeconds };
