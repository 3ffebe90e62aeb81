import { parseArgs } from 'node:util';
import { measureBatch } from './support/measureBatch.mjs';
import { openPlace } from './support/place.mjs';
import { publishResult, toTable } from './support/table.mjs';
import { publishWorkflow, videoGenerate } from './support/workflow.mjs';

// Renders of 30 to 60 s, everything at its default; 100 ms of latency at the service.

const LATENCY_MS = 100;
/** What 5 s has grown to before the first render (30 s) is ready. */
const GROWN_INTERVAL_S = 10;

const { values } = parseArgs({
	options: {
		items: { type: 'string', default: '1,10,100,1000' },
		write: { type: 'boolean', default: false },
	},
});

const seconds = (ms) => (ms / 1000).toFixed(1);
const thousands = (number) => number.toLocaleString('en-US');

function batchTable(results) {
	const headings = [
		...['Items', 'Past the longest render (s)', 'After the last was ready (s)'],
		...['All submitted after (s)', 'Requests per render', 'Longest stall (ms)', 'Stall at (s)'],
		...['Memory before (MB)', 'Peak above that (MB)', 'Load before'],
	];
	const rows = results.map((result) => [
		thousands(result.count),
		seconds(result.pastLongestMs),
		seconds(result.pastLastReadyMs),
		seconds(result.submittedWithinMs),
		result.requestsPerRender.toFixed(1),
		Math.round(result.longestStallMs),
		seconds(result.stallAtMs),
		Math.round(result.idleMb),
		Math.round(result.peakMb - result.idleMb),
		result.load,
	]);
	return toTable(headings, rows);
}

function detectionTable(results) {
	const headings = ['Items', 'Mean delay (s)', `Share of ${GROWN_INTERVAL_S} s`];
	const rows = results.map(({ count, meanDetectionMs }) => [
		thousands(count),
		seconds(meanDetectionMs),
		(meanDetectionMs / 1000 / GROWN_INTERVAL_S).toFixed(2),
	]);
	return toTable(headings, rows);
}

const place = await openPlace({ latencyMs: LATENCY_MS, watchLoop: true });
try {
	const workflow = await publishWorkflow(place.api, 'Batch', [videoGenerate(place.credential)]);
	await workflow.warmUp();
	const results = [];
	for (const count of values.items.split(',').map(Number)) {
		process.stderr.write(`${count} items ...\n`);
		const result = await measureBatch(place, workflow, count);
		process.stderr.write(`${JSON.stringify(result)}\n`);
		results.push(result);
	}
	await publishResult('batch', `${batchTable(results)}\n\n${place.machine}`, values);
	await publishResult('detection', detectionTable(results), values);
} finally {
	await place.close();
}
