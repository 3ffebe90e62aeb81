import { parseArgs } from 'node:util';
import { loadNow } from './support/machine.mjs';
import { openPlace } from './support/place.mjs';
import { cpuSeconds } from './support/processFacts.mjs';
import { publishResult, toTable } from './support/table.mjs';
import { pause } from './support/until.mjs';
import { publishWorkflow, videoGenerate } from './support/workflow.mjs';

// What it costs n8n to wait for renders that do not end.

const LATENCY_MS = 100;
/** By then the polls come every 10 s: 5 + 6 + 7.2 + 8.6 s, and the submissions before. */
const UNTIL_STEADY_MS = 40_000;

const { values } = parseArgs({
	options: {
		tasks: { type: 'string', default: '100' },
		window: { type: 'string', default: '120' },
		write: { type: 'boolean', default: false },
	},
});
const count = Number(values.tasks);
const windowSeconds = Number(values.window);

/** CPU seconds that a process uses in the window. */
async function cpuInWindow(pid) {
	const before = await cpuSeconds(pid);
	await pause(windowSeconds * 1000);
	return (await cpuSeconds(pid)) - before;
}

const place = await openPlace({ latencyMs: LATENCY_MS });
try {
	const { api, service, pid } = place;
	const workflow = await publishWorkflow(api, 'Waiting', [videoGenerate(place.credential)]);
	await workflow.warmUp();
	const load = loadNow();
	const idle = await cpuInWindow(pid);

	await service.reset();
	const prompts = Array.from({ length: count }, (_, i) => `${i} sandbox:{"outcome":"never"}`);
	const executionId = await workflow.run(prompts);
	await pause(UNTIL_STEADY_MS);
	const requestsBefore = (await service.health()).requests;
	const waiting = await cpuInWindow(pid);
	const polls = (await service.health()).requests - requestsBefore;
	await api.rest('POST', `/executions/${executionId}/stop`);
	await workflow.over(executionId, 30_000);

	const perPollMs = (((waiting - idle) / polls) * 1000).toFixed(1);
	const headings = ['Tasks', `Polls in ${windowSeconds} s`, 'CPU (s)', 'CPU per poll (ms)'];
	const row = [count, polls, (waiting - idle).toFixed(2), perPollMs];
	const about = `Load before ${load}. ${place.machine}`;
	await publishResult('waiting', toTable(headings, [row]), values, about);
} finally {
	await place.close();
}
