import assert from 'node:assert/strict';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { node } from '../../e2e/support/workflows.mjs';
import { KEY, openPlace } from '../support/place.mjs';
import { measureUse } from '../support/process.mjs';
import { nodeRun, publishWorkflow } from '../support/workflow.mjs';

export const about = 'one large file, and many, beside HTTP Request and curl; sizes in MB';
export const options = { size: String(2 ** 30 / 1e6), files: '20', fileSize: '50' };
export const rounds = 3;

const SMALL_MB = 0.1;
const [OURS, THEIRS, CURL] = ['Video Download', 'HTTP Request', 'curl'];

const nodesWith = (credentials) => [
	node(OURS, 'n8n-nodes-video-generation.videoDownload', 1, {}, { credentials }),
	node(
		THEIRS,
		'n8n-nodes-base.httpRequest',
		4.2,
		{
			url: '={{ $json.url }}',
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'videoGenerationApi',
			options: { response: { response: { responseFormat: 'file' } } },
		},
		{ credentials },
	),
];

/** A rendered video of this size as an item that each of the nodes can read. */
async function render({ service }, mb) {
	const sizeBytes = Math.round(Number(mb) * 1e6);
	const task_id = await service.render({ renderMs: 0, sizeBytes });
	return { task_id, sizeBytes, url: `${service.url}/v1/videos/${task_id}/content` };
}

/** Runs one execution for each list of items, all at once, to their ends; gives their ids. */
async function runAll(workflow, executions) {
	const ids = await Promise.all(executions.map(async (items) => await workflow.runItems(items)));
	await Promise.all(ids.map(async (id) => await workflow.over(id)));
	return ids;
}

/** The runs of the node, once each file is known to be whole; then it goes. */
async function checkFiles({ api, storage }, name, ids, executions) {
	const runs = [];
	for (const [i, id] of ids.entries()) {
		const run = nodeRun(await api.execution(id), name);
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
 * the item `small`.
 */
async function measureNode(place, name, workflow, executions, small) {
	await place.restart();
	await checkFiles(place, name, await runAll(workflow, [[small]]), [[small]]);
	let ids;
	const use = await measureUse(place.pid, async () => {
		ids = await runAll(workflow, executions);
	});
	const runs = await checkFiles(place, name, ids, executions);
	const from = Math.min(...runs.map(({ startedAt }) => startedAt));
	const to = Math.max(...runs.map(({ endedAt }) => endedAt));
	return {
		'Time (s)': (to - from) / 1000,
		'CPU (s)': use['CPU (s)'],
		'Memory (MB)': use['Memory (MB)'],
	};
}

async function measureCurl({ url, sizeBytes }, folder) {
	const file = path.join(folder, 'curl.mp4');
	const authorization = `Authorization: Bearer ${KEY}`;
	const args = ['-sS', '-f', '-o', file, '-w', '%{time_total}', '-H', authorization, url];
	const { stdout } = await execa('curl', args);
	assert.equal((await stat(file)).size, sizeBytes);
	await rm(file);
	return { 'Time (s)': Number(stdout) };
}

export async function open(values) {
	const place = await openPlace();
	const [small, large, one] = await Promise.all(
		[SMALL_MB, values.size, values.fileSize].map((mb) => render(place, mb)),
	);
	const nodes = nodesWith(place.credential);
	const workflows = {};
	for (const one of nodes) workflows[one.name] = await publishWorkflow(place.api, [one]);
	const items = Array(Number(values.files)).fill(one);
	const single = `1 of ${Math.round(values.size)} MB`;
	const many = `${items.length} of ${values.fileSize} MB`;
	const jobs = [
		[OURS, single, [[large]]],
		[THEIRS, single, [[large]]],
		[CURL, single],
		[OURS, many, [items]],
		[THEIRS, many, [items]],
		[OURS, `${many}, each in an execution`, items.map((item) => [item])],
	];
	let round = 0;
	return {
		close: place.close,
		async measure() {
			// In turns each comes first.
			const from = round++ % jobs.length;
			const figuresOf = new Map();
			for (const job of [...jobs.slice(from), ...jobs.slice(0, from)]) {
				const [way, , executions] = job;
				// Pages of the download before, still to be written, would be in the way of this one.
				await execa('sync');
				const figures = executions
					? await measureNode(place, way, workflows[way], executions, small)
					: await measureCurl(large, place.storage);
				figuresOf.set(job, figures);
			}
			return jobs.map((job) => {
				const [way, files] = job;
				const beside = way === THEIRS ? undefined : `${THEIRS}, ${files.split(',')[0]}`;
				return { name: `${way}, ${files}`, beside, figures: figuresOf.get(job) };
			});
		},
	};
}
