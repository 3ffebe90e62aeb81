import assert from 'node:assert/strict';
import { seededRandom } from '../../sandbox/seededRandom.mjs';
import { loadNow } from './machine.mjs';
import { longestStall, memoryOf, resetPeak } from './processFacts.mjs';
import { pause } from './until.mjs';
import { nodeRun } from './workflow.mjs';

const SHORTEST_MS = 30_000;
const LONGEST_MS = 60_000;
/** n8n writes the run before to its database and collects its garbage. */
const SETTLE_MS = 8_000;
const WITHIN_MS = LONGEST_MS + 180_000;

/** Render times between 30 and 60 s, the same ones in every run of the benchmark. */
function promptsFor(count, progress) {
	const random = seededRandom(count);
	return Array.from({ length: count }, (_, i) => {
		const renderMs = Math.round(SHORTEST_MS + (LONGEST_MS - SHORTEST_MS) * random());
		return `Bicycle ${i} sandbox:${JSON.stringify({ renderMs, progress })}`;
	});
}

const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const most = (numbers) => numbers.reduce((a, b) => Math.max(a, b), -Infinity);

/** One execution with `count` items; times in milliseconds, memory in MB. */
export async function measureBatch({ api, service, pid, loopFile }, workflow, count, progress) {
	await service.reset();
	await pause(SETTLE_MS);
	const load = loadNow();
	const { nowMb: idleMb } = await memoryOf(pid);
	await resetPeak(pid);
	const executionId = await workflow.run(promptsFor(count, progress));
	await workflow.over(executionId, WITHIN_MS);
	const { peakMb } = await memoryOf(pid);

	const node = nodeRun(await api.execution(executionId), 'Video Generate');
	const tasks = await service.tasks();
	const submissions = await service.submissions();
	const { requests } = await service.health();
	// Each item was paid once, and is there.
	assert.deepEqual([submissions.length, tasks.length], [count, count]);
	assert.equal(node.items.filter(({ json }) => json.status === 'SUCCESS').length, count);

	const firstAt = submissions[0].at;
	const readyAt = ({ at, renderMs }) => at + renderMs;
	const lastReadyAt = most(tasks.map(readyAt));
	const stall = await longestStall(loopFile, node.startedAt, node.endedAt);
	return {
		count,
		load,
		pastLongestMs: node.endedAt - firstAt - most(tasks.map(({ renderMs }) => renderMs)),
		pastLastReadyMs: node.endedAt - lastReadyAt,
		submittedWithinMs: most(tasks.map(({ at }) => at)) - firstAt,
		requestsPerRender: requests / count,
		// The service notes when it first answered a poll with SUCCESS.
		meanDetectionMs: mean(tasks.map((task) => task.successSaidAt - readyAt(task))),
		longestStallMs: stall.delayMs,
		/** The end of its slice, from the start of the node. */
		stallAtMs: stall.at - node.startedAt,
		idleMb,
		peakMb,
	};
}
