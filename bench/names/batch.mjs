import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../../sandbox/seededRandom.js';
import { MODEL, openPlace, planned } from '../support/place.mjs';
import { longestStall, memoryOf, resetPeak } from '../support/process.mjs';
import { nodeRun, publishWorkflow, videoGenerate } from '../support/workflow.mjs';

export const about = 'renders of 30 to 60 s at their defaults, 100 ms of latency; lists of items';
/** `progress`: how polls tell it; 'absent' gives no sign of the end. */
export const options = { items: '100', model: MODEL, progress: 'string' };
export const rounds = 1;

const LATENCY_MS = 100;
const [SHORTEST_MS, LONGEST_MS] = [30_000, 60_000];
/** n8n writes the run before to its database and collects its garbage. */
const SETTLE_MS = 8_000;
const WITHIN_MS = LONGEST_MS + 180_000;

/** Render times that are the same ones in every run of the benchmark. */
function promptsFor(count, progress) {
	const random = seededRandom(count);
	return Array.from({ length: count }, (_, i) => {
		const renderMs = Math.round(SHORTEST_MS + (LONGEST_MS - SHORTEST_MS) * random());
		return planned({ renderMs, progress }, `Bicycle ${i}`);
	});
}

const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const most = (numbers) => numbers.reduce((a, b) => Math.max(a, b), -Infinity);

async function measureBatch({ api, service, pid, loopFile }, workflow, count, progress) {
	await service.reset();
	await pause(SETTLE_MS);
	const { nowMb: idleMb } = await memoryOf(pid);
	await resetPeak(pid);
	const executionId = await workflow.run(promptsFor(count, progress));
	await workflow.over(executionId, WITHIN_MS);
	const { peakMb } = await memoryOf(pid);

	const node = nodeRun(await api.execution(executionId), 'Video Generate');
	const tasks = await service.tasks();
	const submissions = await service.submissions();
	const { length: requests } = await service.requests();
	// Each item was paid once, and is there.
	assert.deepEqual([submissions.length, tasks.length], [count, count]);
	assert.equal(node.items.filter(({ json }) => json.status === 'SUCCESS').length, count);

	const readyAt = ({ at, renderMs }) => at + renderMs;
	const lastReadyAt = most(tasks.map(readyAt));
	const stall = await longestStall(loopFile, node.startedAt, node.endedAt);
	// The service notes when it first answered a poll with SUCCESS.
	const seenAfterMs = mean(tasks.map((task) => task.successSaidAt - readyAt(task)));
	return {
		'Time / until the last is ready': node.tookMs / (lastReadyAt - node.startedAt),
		'Seen after (s)': seenAfterMs / 1000,
		'Ends after (s)': (node.endedAt - lastReadyAt) / 1000,
		'Requests per render': requests / count,
		'Stall (ms)': stall.delayMs,
		'Memory (MB)': peakMb - idleMb,
	};
}

export async function open({ source, values }) {
	const place = await openPlace({ source, latencyMs: LATENCY_MS });
	const model = { __rl: true, mode: 'id', value: values.model };
	const workflow = await publishWorkflow(place.api, videoGenerate(place.credential, { model }));
	await workflow.warmUp();
	return {
		close: place.close,
		async measure() {
			const rows = [];
			for (const count of values.items.split(',').map(Number)) {
				const figures = await measureBatch(place, workflow, count, values.progress);
				rows.push({ name: `${count} items`, figures });
			}
			return rows;
		},
	};
}
