import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, test } from 'node:test';
import { PREVIOUS } from '../sandbox/n8n/folders.mjs';
import { openSandbox } from './support/sandbox.mjs';
import {
	chain,
	createStudio,
	items,
	lookBack,
	planned,
	videoGenerate,
	webhook,
} from './support/workflows.mjs';

// Wait Mode Durable, which resumes an execution with the videos, in an n8n that cannot do it.

const SENTENCE =
	'Durable is not possible; the node waits in process: this version of n8n cannot resume the execution with the videos.';

let sandbox;

before(async () => (sandbox = await openSandbox({ major: PREVIOUS })));
afterEach(() => sandbox.service.reset());
after(() => sandbox?.close());

test('Durable waits in process, says so once, and pays once for each item', async () => {
	const studio = await createStudio(sandbox);
	const rows = [1, 2, 3].map((n) => ({
		prompt: planned('fallback', { renderMs: 3_000 }),
		n: String(n),
	}));
	const workflow = await studio.publish(
		'Fallback',
		[
			webhook(),
			items(rows),
			videoGenerate(studio.credentials, { wait: 'durable', downloadVideo: true }),
			lookBack(),
		],
		chain('Webhook', 'Prompts', 'Video Generate', 'After'),
	);
	await sandbox.api.callWebhook(workflow.path);
	const execution = await studio.ended(workflow.id);
	assert.equal(execution.status, 'success');
	assert.equal((await studio.executionsOf(workflow.id)).length, 1, 'there are sub-executions');
	const found = studio.itemsOf(execution, 'After');
	assert.deepEqual(
		found.map(({ json, binary }) => [json.n, json.status, json.reused, binary.data.mimeType]),
		rows.map(({ n }) => [n, 'SUCCESS', false, 'video/mp4']),
	);
	assert.equal(sandbox.service.submissions().length, rows.length);
	const [{ hints }] = execution.data.resultData.runData['Video Generate'];
	assert.equal(hints.filter(({ message }) => message === SENTENCE).length, 1, 'hints');
	const log = await readFile(sandbox.n8n.logFile, 'utf8');
	assert.equal(log.split(SENTENCE).length, 2, 'the log says it once');
});
