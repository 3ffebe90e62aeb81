import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { loadNow } from './support/machine.mjs';
import { median } from './support/median.mjs';
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

	const rounds = [];
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
		const { renders, requests: theirRequests } = veo.counts();
		assert.deepEqual([tasks, renders], [ITEMS, ITEMS]);
		rounds.push({ ours: [ours.tookMs, requests], theirs: [theirs.tookMs, theirRequests], load });
	}
	const headings = ['Node', `${ITEMS} renders (s)`, 'Requests'];
	const toRow = (name, way) => {
		const medianOf = (i) => median(rounds.map((round) => round[way][i]));
		return [name, (medianOf(0) / 1000).toFixed(1), medianOf(1)];
	};
	const rows = [toRow(OURS, 'ours'), toRow(THEIRS, 'theirs')];
	const loads = rounds.map(({ load }) => load).join(', ');
	const about = `Medians of ${rounds.length} runs, load before ${loads}. ${place.machine}`;
	await publishResult('versusGemini', toTable(headings, rows), values, about);
} finally {
	await veo.close();
	await place.close();
}
