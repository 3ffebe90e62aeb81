import { parseArgs } from 'node:util';
import { measureBatch } from './support/measureBatch.mjs';
import { openPlace } from './support/place.mjs';
import { MODEL } from './support/service.mjs';
import { publishResult, toTable } from './support/table.mjs';
import { publishWorkflow, videoGenerate } from './support/workflow.mjs';

// Renders of 30 to 60 s, everything at its default; 100 ms of latency at the service.

const LATENCY_MS = 100;

const { values } = parseArgs({
	options: {
		items: { type: 'string', default: '1,10,100,1000' },
		model: { type: 'string', default: MODEL },
		/** How polls tell the progress; 'absent' gives no sign of the end. */
		progress: { type: 'string', default: 'string' },
		write: { type: 'boolean', default: false },
	},
});

const seconds = (ms) => (ms / 1000).toFixed(1);
const thousands = (number) => number.toLocaleString('en-US');

function toBatchTable(results) {
	const headings = [
		...['Items', 'Seen after (s)', 'Ends after (s)', 'Requests per render', 'Stall (ms)'],
		'Memory (MB)',
	];
	const rows = results.map((result) => [
		thousands(result.count),
		seconds(result.meanDetectionMs),
		seconds(result.pastLastReadyMs),
		result.requestsPerRender.toFixed(1),
		Math.round(result.longestStallMs),
		Math.round(result.peakMb - result.idleMb),
	]);
	return toTable(headings, rows);
}

const place = await openPlace({ latencyMs: LATENCY_MS, watchLoop: true });
try {
	const model = { __rl: true, mode: 'id', value: values.model };
	const node = videoGenerate(place.credential, { model });
	const workflow = await publishWorkflow(place.api, 'Batch', [node]);
	await workflow.warmUp();
	const results = [];
	for (const count of values.items.split(',').map(Number)) {
		process.stderr.write(`${count} items ...\n`);
		const result = await measureBatch(place, workflow, count, values.progress);
		process.stderr.write(`${JSON.stringify(result)}\n`);
		results.push(result);
	}
	await publishResult('batch', toBatchTable(results), values, place.machine);
} finally {
	await place.close();
}
