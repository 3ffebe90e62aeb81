import assert from 'node:assert/strict';
import { node } from '../../e2e/support/workflows.mjs';
import { openPlace } from '../support/place.mjs';
import { measureUse } from '../support/process.mjs';
import { nodeRun, publishWorkflow } from '../support/workflow.mjs';

export const about =
	'how late the end of a render is seen, in batches, and the same items through No Operation';
export const options = { few: '10', many: '100', most: '1000' };
export const rounds = 1;

// New API asks no vendor at each fetch of this model's record.
const MODEL = 'doubao-seedance-1-5-pro-251215';
/** Of the renders that end last. */
const LAST = 10;

const [OURS, NOTHING] = ['Video Generate', 'No Operation'];

const ours = (credentials) =>
	node(
		OURS,
		'n8n-nodes-video-generation.videoGenerate',
		1,
		{
			model: { __rl: true, mode: 'id', value: MODEL },
			...{ prompt: '={{ $json.prompt }}', downloadVideo: false },
			options: { cost: { maxVideos: 10_000 } },
		},
		{ credentials },
	);

/** So many items whose renders take from `from` to `to` seconds, evenly. */
const itemsOf = (count, from, to) =>
	Array.from({ length: count }, (_, i) => {
		const renderMs = Math.round(1000 * (from + ((to - from) * i) / (count - 1)));
		return { renderMs, prompt: `Bicycle ${i} sandbox:${JSON.stringify({ renderMs })}` };
	});

const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** When the end of each render was seen, by the items of an execution. */
function readSeen(run, items) {
	assert.equal(run.items.length, items.length);
	const seen = run.items.map(({ json }, i) => {
		assert.equal(json.status, 'SUCCESS');
		const endMs = Date.parse(json.submitted_at) + items[i].renderMs;
		return { endMs, lateS: (Date.parse(json.finished_at) - endMs) / 1000, polls: json.poll_count };
	});
	const last = [...seen].sort((a, b) => a.endMs - b.endMs).slice(-LAST);
	const polls = seen.reduce((sum, one) => sum + one.polls, 0);
	return {
		'Late (s)': mean(seen.map(({ lateS }) => lateS)),
		[`Last ${LAST} (s)`]: mean(last.map(({ lateS }) => lateS)),
		'Checks per second': polls / ((run.endedAt - run.startedAt) / 1000),
	};
}

/** Runs one execution of all items in an n8n that has only just started, after one with a single item. */
async function measureBatch(place, name, workflow, items) {
	await place.restart();
	const runAll = async (all) => {
		const id = await workflow.runItems(all);
		await workflow.over(id);
		return id;
	};
	await runAll([{ ...items[0], prompt: 'Bicycle sandbox:{"renderMs":0}' }]);
	let id;
	const use = await measureUse(place.pid, async () => (id = await runAll(items)));
	const run = nodeRun(await place.api.execution(id), name);
	return {
		...(name === OURS && readSeen(run, items)),
		'Time (s)': (run.endedAt - run.startedAt) / 1000,
		...{ 'CPU (s)': use['CPU (s)'], 'Memory (MB)': use['Memory (MB)'] },
	};
}

export async function open({ few, many, most }) {
	const place = await openPlace();
	const nodes = [ours(place.credential), node(NOTHING, 'n8n-nodes-base.noOp', 1)];
	const workflows = await Promise.all(
		nodes.map(async (one) => await publishWorkflow(place.api, [one])),
	);
	const batches = [
		[`${few} of 4 to 7 s`, itemsOf(Number(few), 4, 7)],
		[`${many} of 30 to 60 s`, itemsOf(Number(many), 30, 60)],
		[`${most} of 60 to 120 s`, itemsOf(Number(most), 60, 120)],
	];
	return {
		close: place.close,
		async measure() {
			const rows = [];
			for (const [batch, items] of batches) {
				for (const [i, name] of [OURS, NOTHING].entries()) {
					const figures = await measureBatch(place, name, workflows[i], items);
					rows.push({ name: name === OURS ? batch : `${batch}, ${NOTHING}`, figures });
				}
			}
			return rows;
		},
	};
}
