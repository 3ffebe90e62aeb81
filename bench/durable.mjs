import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { loadNow } from './support/machine.mjs';
import { openPlace } from './support/place.mjs';
import { memoryOf } from './support/processFacts.mjs';
import { publishResult, toTable } from './support/table.mjs';
import { pause, until } from './support/until.mjs';
import { publishWorkflow, videoGenerate } from './support/workflow.mjs';

// Many executions with a render each on an n8n that runs two at once: waiting in process against
// Durable, at the same time, each in an n8n of its own. With the defaults this takes about an hour,
// nearly all of it the wait in process.

const LIMIT = 2;
const SETTLE_MS = 30_000;
const ASK_EVERY_MS = 2_000;
const ENV = { N8N_CONCURRENCY_PRODUCTION_LIMIT: String(LIMIT) };
const { values } = parseArgs({
	options: {
		executions: { type: 'string', default: '40' },
		sleepers: { type: 'string', default: '1000' },
		render: { type: 'string', default: '150' },
		write: { type: 'boolean', default: false },
	},
});
const EXECUTIONS = Number(values.executions);
const SLEEPERS = Number(values.sleepers);
const RENDER_S = Number(values.render);
const WITHIN_MS = (EXECUTIONS / LIMIT + 2) * (RENDER_S + 30) * 1000;

const planned = (plan) => `Bicycle sandbox:${JSON.stringify(plan)}`;

/** How many executions of a workflow, sub-executions too, are in one of these states. */
async function countOf({ api }, { id }, ...status) {
	const filter = encodeURIComponent(JSON.stringify({ workflowId: id, status }));
	const { count } = await api.rest('GET', `/executions?limit=1&filter=${filter}`);
	return count;
}

const begin = async (workflow, count, prompt) => {
	for (let i = 0; i < count; i++) await workflow.run([prompt]);
};

async function settledMb({ pid }) {
	await pause(SETTLE_MS);
	return (await memoryOf(pid)).nowMb;
}

/** All executions from the first call to the last end. */
async function measure(place, wait) {
	const node = videoGenerate(place.credential, { wait, options: { maxWait: 120 } });
	const workflow = await publishWorkflow(place.api, wait, [node]);
	const idleMb = await settledMb(place);
	await place.service.reset();
	const startedAt = Date.now();
	await begin(workflow, EXECUTIONS, planned({ renderMs: RENDER_S * 1000 }));
	const asleepMb = wait === 'durable' ? await whenAsleep(place, workflow, EXECUTIONS) : '';
	const isOver = async () =>
		(await countOf(place, workflow, 'success')) > 0 &&
		(await countOf(place, workflow, 'new', 'running', 'waiting')) === 0;
	await until(isOver, WITHIN_MS, 'the end of all executions', ASK_EVERY_MS);
	const tookMs = Date.now() - startedAt;
	const { requests, tasks } = await place.service.health();
	assert.equal(tasks, EXECUTIONS);
	assert.equal(await countOf(place, workflow, 'error', 'crashed', 'canceled'), 0);
	return { tookMs, idleMb, asleepMb, pollsPerRender: (requests - tasks) / tasks };
}

async function whenAsleep(place, workflow, count) {
	const asleep = async () => (await countOf(place, workflow, 'waiting')) >= 3 * count;
	await until(asleep, count * 2_000 + 60_000, `${count} executions to sleep`, ASK_EVERY_MS);
	return await settledMb(place);
}

/** What a sleeping execution holds: nothing, if memory is what it was before. */
async function measureSleepers(place) {
	const node = videoGenerate(place.credential, { wait: 'durable', options: { maxWait: 600 } });
	const workflow = await publishWorkflow(place.api, 'sleepers', [node]);
	const idleMb = await settledMb(place);
	await begin(workflow, SLEEPERS, planned({ outcome: 'never' }));
	return { idleMb, asleepMb: await whenAsleep(place, workflow, SLEEPERS) };
}

const load = loadNow();
// One after the other: both build the package.
const durablePlace = await openPlace({ env: ENV });
const processPlace = await openPlace({ env: ENV });
try {
	const inProcess = measure(processPlace, 'inProcess');
	inProcess.catch(() => undefined);
	const durable = await measure(durablePlace, 'durable');
	const sleepers = await measureSleepers(durablePlace);
	const waited = await inProcess;
	const moreMb = ({ idleMb, asleepMb }) => (asleepMb - idleMb).toFixed(0);
	const toRow = (name, { tookMs, pollsPerRender }, ...memory) => [
		...[name, (tookMs / 1000).toFixed(0), pollsPerRender.toFixed(1), ...memory],
	];
	const table = toTable(
		[
			...['Wait', `${EXECUTIONS} executions (s)`, 'Polls per render'],
			...[`${EXECUTIONS} asleep (MB)`, `${SLEEPERS} asleep (MB)`],
		],
		[
			toRow('In Process', waited, '', ''),
			toRow('Durable', durable, moreMb(durable), moreMb(sleepers)),
		],
	);
	const about = `Load before ${load}. ${durablePlace.machine}`;
	await publishResult('durable', table, values, about);
} finally {
	await processPlace.close();
	await durablePlace.close();
}
