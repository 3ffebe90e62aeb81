import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { loadNow } from './support/machine.mjs';
import { openPlace } from './support/place.mjs';
import { publishResult, toTable } from './support/table.mjs';
import { nodeRun, publishWorkflow, videoGenerate } from './support/workflow.mjs';
import { startVeo } from './veoStandIn.mjs';

// Both nodes render and download the same items, one node after the other in one execution.

const ITEMS = 5;
const RENDER_MS = 10_000;
const WITHIN_MS = 180_000;
const OURS = 'Video Generate';
const THEIRS = 'Gemini';
const { values } = parseArgs({
	options: {
		runs: { type: 'string', default: '3' },
		write: { type: 'boolean', default: false },
	},
});

const geminiNode = (credential) => ({
	name: THEIRS,
	type: '@n8n/n8n-nodes-langchain.googleGemini',
	typeVersion: 1.2,
	credentials: credential,
	parameters: {
		resource: 'video',
		operation: 'generate',
		modelId: { __rl: true, mode: 'id', value: 'models/veo-3.1-fast-generate-preview' },
		prompt: '={{ $json.prompt }}',
		returnAs: 'video',
		options: {},
	},
});

const place = await openPlace();
const veo = await startVeo({ renderMs: RENDER_MS });
try {
	const { api, service } = place;
	const { id } = await api.createCredential({
		name: 'Gemini',
		type: 'googlePalmApi',
		data: { host: veo.url, apiKey: 'any' },
	});
	const workflow = await publishWorkflow(api, 'Side by side', [
		videoGenerate(place.credential, { downloadVideo: true }),
		geminiNode({ googlePalmApi: { id, name: 'Gemini' } }),
	]);
	const plan = JSON.stringify({ renderMs: RENDER_MS });
	const prompts = Array.from({ length: ITEMS }, (_, i) => `Bicycle ${i} sandbox:${plan}`);

	const rows = [];
	for (let n = 1; n <= Number(values.runs); n++) {
		await service.reset();
		veo.reset();
		const load = loadNow();
		const executionId = await workflow.run(prompts);
		await workflow.over(executionId, WITHIN_MS);
		const execution = await api.execution(executionId);
		const [ours, theirs] = [OURS, THEIRS].map((name) => nodeRun(execution, name));
		for (const { items } of [ours, theirs]) {
			assert.equal(items.filter(({ binary }) => binary?.data).length, ITEMS);
		}
		const { requests, tasks } = await service.health();
		assert.deepEqual([tasks, veo.counts().renders], [ITEMS, ITEMS]);
		rows.push([
			n,
			(ours.tookMs / 1000).toFixed(1),
			(theirs.tookMs / 1000).toFixed(1),
			(theirs.tookMs / ours.tookMs).toFixed(1),
			requests,
			veo.counts().requests,
			load,
		]);
	}
	const headings = [
		...['Run', `${OURS} (s)`, `${THEIRS} (s)`, 'Ratio'],
		...[`Requests, ${OURS}`, `Requests, ${THEIRS}`, 'Load before'],
	];
	const text = `${toTable(headings, rows)}\n\n${place.machine}`;
	await publishResult('versusGemini', text, values);
} finally {
	await veo.close();
	await place.close();
}
