import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { openPlace, planned } from '../support/place.mjs';
import { memoryOf } from '../support/process.mjs';
import { publishWorkflow, until, videoGenerate } from '../support/workflow.mjs';

export const about =
	'many executions where n8n runs two at once, Durable beside In Process (an hour)';
/** `render`: seconds of each. */
export const options = { executions: '40', sleepers: '1000', render: '150' };
export const rounds = 1;

const LIMIT = 2;
const SETTLE_MS = 30_000;
const ASK_EVERY_MS = 2_000;
const ENV = { N8N_CONCURRENCY_PRODUCTION_LIMIT: String(LIMIT) };

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

/** What executions that sleep hold: nothing, if memory is what it was before. */
async function moreMbAsleep(place, workflow, count, idleMb) {
	const asleep = async () => (await countOf(place, workflow, 'waiting')) >= 3 * count;
	await until(asleep, count * 2_000 + 60_000, `${count} executions to sleep`, ASK_EVERY_MS);
	return (await settledMb(place)) - idleMb;
}

/** All executions from the first call to the last end. */
async function measureWait(place, wait, count, renderS) {
	const node = videoGenerate(place.credential, { wait, options: { maxWait: 120 } });
	const workflow = await publishWorkflow(place.api, node);
	const idleMb = await settledMb(place);
	await place.service.reset();
	const startedAt = Date.now();
	await begin(workflow, count, planned({ renderMs: renderS * 1000 }));
	const moreMb =
		wait === 'durable' ? await moreMbAsleep(place, workflow, count, idleMb) : undefined;
	const isOver = async () =>
		(await countOf(place, workflow, 'success')) > 0 &&
		(await countOf(place, workflow, 'new', 'running', 'waiting')) === 0;
	const withinMs = (count / LIMIT + 2) * (renderS + 30) * 1000;
	await until(isOver, withinMs, 'the end of all executions', ASK_EVERY_MS);
	const seconds = (Date.now() - startedAt) / 1000;
	const { length: requests } = await place.service.requests();
	const { length: tasks } = await place.service.tasks();
	assert.equal(tasks, count);
	assert.equal(await countOf(place, workflow, 'error', 'crashed', 'canceled'), 0);
	return {
		'All executions (s)': seconds,
		'Polls per render': (requests - tasks) / tasks,
		...(moreMb !== undefined && { [`${count} asleep (MB)`]: moreMb }),
	};
}

async function measureSleepers(place, count) {
	const node = videoGenerate(place.credential, { wait: 'durable', options: { maxWait: 600 } });
	const workflow = await publishWorkflow(place.api, node);
	const idleMb = await settledMb(place);
	await begin(workflow, count, planned({ outcome: 'never' }));
	return { [`${count} asleep (MB)`]: await moreMbAsleep(place, workflow, count, idleMb) };
}

/** The two waits go on at the same time, each in an n8n of its own. */
export async function open({ source, values }) {
	const [executions, sleepers, renderS] = ['executions', 'sleepers', 'render'].map((name) =>
		Number(values[name]),
	);
	const durablePlace = await openPlace({ source, env: ENV });
	const processPlace = await openPlace({ source, env: ENV });
	return {
		async measure() {
			const inProcess = measureWait(processPlace, 'inProcess', executions, renderS);
			inProcess.catch(() => undefined);
			const durable = await measureWait(durablePlace, 'durable', executions, renderS);
			const asleep = await measureSleepers(durablePlace, sleepers);
			return [
				{ name: 'In Process', figures: await inProcess },
				{ name: 'Durable', beside: 'In Process', figures: { ...durable, ...asleep } },
			];
		},
		async close() {
			await processPlace.close();
			await durablePlace.close();
		},
	};
}
