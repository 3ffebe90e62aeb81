import assert from 'node:assert/strict';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { loadNow } from './machine.mjs';
import { cpuSeconds, memoryOf, resetPeak, stillMemory } from './processFacts.mjs';
import { nodeRun } from './workflow.mjs';

const WITHIN_MS = 600_000;

/** Runs one execution for each list of items, all at once, to their ends; gives their ids. */
async function runAll(api, workflow, executions) {
	const ids = await Promise.all(executions.map(async (items) => await workflow.runItems(items)));
	await Promise.all(ids.map(async (id) => await workflow.over(id, WITHIN_MS)));
	return ids;
}

/** The runs of the node, once each file is known to be whole; then it goes. */
async function checkFiles({ api, storage }, { node }, ids, executions) {
	const runs = [];
	for (const [i, id] of ids.entries()) {
		const run = nodeRun(await api.execution(id), node);
		assert.equal(run.items.length, executions[i].length);
		for (const [n, { json, binary }] of run.items.entries()) {
			const { sizeBytes } = executions[i][n];
			const file = path.join(storage, binary.data.id.replace(/^filesystem-v2:/, ''));
			assert.equal((await stat(file)).size, sizeBytes);
			assert.equal(json.size_bytes ?? sizeBytes, sizeBytes);
			await rm(file);
		}
		runs.push(run);
	}
	return runs;
}

/**
 * The executions of one workflow, all at once, in an n8n that has only just started, so that nothing
 * that earlier downloads left counts as idle memory. What a first run loads is loaded by a run with
 * the item `small`. Times in milliseconds, memory in MB, CPU of the n8n process in seconds.
 */
async function measureDownload(place, { workflow, executions }, small) {
	await place.restart();
	await checkFiles(place, workflow, await runAll(place.api, workflow, [[small]]), [[small]]);
	const idleMb = await stillMemory(place.pid);
	const load = Number(loadNow());
	const cpuBefore = await cpuSeconds(place.pid);
	await resetPeak(place.pid);
	const ids = await runAll(place.api, workflow, executions);
	const { peakMb } = await memoryOf(place.pid);
	const cpuS = (await cpuSeconds(place.pid)) - cpuBefore;
	const runs = await checkFiles(place, workflow, ids, executions);
	const from = Math.min(...runs.map(({ startedAt }) => startedAt));
	const to = Math.max(...runs.map(({ endedAt }) => endedAt));
	return { load, tookMs: to - from, cpuS, idleMb, moreMb: peakMb - idleMb };
}

/** One round of jobs, `{ name: { workflow, executions } | { run } }`, in turn: `{ name: result }`. */
export async function measureRound(place, jobs, small) {
	const results = {};
	for (const [name, job] of Object.entries(jobs)) {
		// Pages of the download before, still to be written, would be in the way of this one.
		await execa('sync');
		results[name] = job.run ? await job.run() : await measureDownload(place, job, small);
		process.stderr.write(`${name}: ${JSON.stringify(results[name])}\n`);
	}
	return results;
}
