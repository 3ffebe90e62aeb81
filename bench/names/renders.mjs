import assert from 'node:assert/strict';
import { node } from '../../e2e/support/workflows.mjs';
import { openPlace } from '../support/place.mjs';
import { nodeRun, publishWorkflow } from '../support/workflow.mjs';

export const about = 'how late the end of a render is seen, in batches; seconds';
export const options = { few: '10', many: '100', most: '1000' };
export const rounds = 1;

// New API asks no vendor at each fetch of this model's record.
const MODEL = 'doubao-seedance-1-5-pro-251215';
/** Of the renders that end last. */
const LAST = 10;

const ours = (credentials) =>
	node(
		'Video Generate',
		'n8n-nodes-video-generation.videoGenerate',
		1,
		{
			model: { __rl: true, mode: 'id', value: MODEL },
			...{ prompt: '={{ $json.prompt }}', downloadVideo: false },
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

/** Runs one execution of all items, and reads from them when each end was seen. */
async function measureBatch({ api }, workflow, items) {
	const id = await workflow.runItems(items);
	await workflow.over(id);
	const run = nodeRun(await api.execution(id), 'Video Generate');
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

export async function open({ few, many, most }) {
	const place = await openPlace();
	const workflow = await publishWorkflow(place.api, ours(place.credential));
	const batches = [
		[`${few} of 4 to 7 s`, itemsOf(Number(few), 4, 7)],
		[`${many} of 30 to 60 s`, itemsOf(Number(many), 30, 60)],
		[`${most} of 60 to 120 s`, itemsOf(Number(most), 60, 120)],
	];
	return {
		close: place.close,
		async measure() {
			const rows = [];
			for (const [name, items] of batches) {
				rows.push({ name, figures: await measureBatch(place, workflow, items) });
			}
			return rows;
		},
	};
}
