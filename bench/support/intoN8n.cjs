'use strict';

const { openSync, writeSync } = require('node:fs');
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { isMainThread } = require('node:worker_threads');

// Loaded into n8n with --require.

const RESOLUTION_MS = 10;
const SLICE_MS = 250;

/** On SIGUSR2 frees what nothing needs any more, so that memory is what n8n really holds. */
function collectOnSignal() {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc');
	process.on('SIGUSR2', () => collect());
}

/**
 * A line per slice of time: its end (ms since 1970) and the longest delay of the event loop in it (ms),
 * so that a reader can pick the time that it is about.
 */
function watchLoop(prefix) {
	const file = openSync(`${prefix}.${process.pid}`, 'a');
	const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
	histogram.enable();
	const endSlice = () => {
		// The histogram's values hold the time between two ticks of an idle loop.
		const delayMs = Math.max(0, histogram.max / 1e6 - RESOLUTION_MS);
		histogram.reset();
		writeSync(file, `${Date.now()} ${delayMs.toFixed(1)}\n`);
	};
	setInterval(endSlice, SLICE_MS).unref();
}

if (isMainThread && process.env.BENCH_LOOP_FILE) {
	collectOnSignal();
	watchLoop(process.env.BENCH_LOOP_FILE);
}
