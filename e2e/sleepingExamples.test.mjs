import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { demoCredentials, putCredentials } from '../sandbox/demo/credentials.mjs';
import { executeInProduction } from '../sandbox/demo/execute.mjs';
import { openState } from '../sandbox/demo/state.mjs';
import { putWorkflow } from '../sandbox/demo/workflows.mjs';
import { itemsOf } from '../sandbox/n8n/api.mjs';
import { KEY, openSandbox } from './support/sandbox.mjs';

// The examples that sleep in n8n's database, side by side. The render outlasts their first look.

const RENDER_MS = 80_000;
const WITHIN_MS = 5 * 60_000;
const folder = mkdtempSync(path.join(tmpdir(), 'n8n-examples-'));

let sandbox;
const running = {};

before(async () => {
	sandbox = await openSandbox({ service: { renderMs: RENDER_MS } });
	const state = await openState(folder);
	const service = { baseUrl: sandbox.service.url, key: KEY };
	const credentials = await putCredentials(sandbox.api, state, demoCredentials(service));
	for (const fileName of ['durable.json', 'visible-wait.json']) {
		const workflow = await putWorkflow(sandbox.api, state, fileName, { credentials, models: {} });
		running[fileName] = executeInProduction(sandbox.api, workflow, fileName, WITHIN_MS);
		running[fileName].catch(() => undefined);
	}
});
after(async () => {
	await sandbox?.close();
	rmSync(folder, { recursive: true, force: true });
});

test('durable.json ends with the file', async () => {
	const execution = await running['durable.json'];
	const [video] = itemsOf(execution, 'Video Generate');
	assert.equal(video.json.status, 'SUCCESS');
	assert.equal(video.binary.data.mimeType, 'video/mp4');
});

test('visible-wait.json goes through its loop and ends with the file', async () => {
	const execution = await running['visible-wait.json'];
	const passes = execution.data.resultData.runData['Video Status'];
	assert.ok(passes.length >= 2);
	assert.equal(passes[0].data.main[1][0].json.status, 'IN_PROGRESS');
	const [video] = itemsOf(execution, 'Video Download');
	assert.equal(video.binary.data.mimeType, 'video/mp4');
});

test('each was submitted once', () => assert.equal(sandbox.service.submissions().length, 2));
