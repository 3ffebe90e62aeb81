import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { PINNED } from '../sandbox/demo/pinned.mjs';
import { createApi } from '../sandbox/n8n/api.mjs';
import { n8nFolder } from '../sandbox/n8n/folders.mjs';
import { ensurePortFree } from '../sandbox/n8n/ports.mjs';
import { createDemoFolder, runDemo, startDemo } from './support/demoProcess.mjs';
import { runByHand } from './support/workflows.mjs';

// The demo that stays open, where a person runs the examples by hand.

const { data, own } = createDemoFolder();

const made = () => JSON.parse(readFileSync(path.join(data, 'demo.json'), 'utf8'));

/** Nothing is left to be set up where the sandbox can stand in, or where an answer is pinned. */
async function examplesAreReady(editor, output) {
	const [, email] = /^Login: (.+)$/m.exec(output);
	const [, password] = /^Password: (.+)$/m.exec(output);
	const api = createApi(editor, n8nFolder());
	await api.signIn({ email, password });
	const nodesOf = async (name) => (await api.getWorkflow(made()[name].exampleId)).nodes;
	const agents = await nodesOf('agent-tools.json');
	const model = agents.find(({ type }) => type.includes('.lmChat'));
	assert.equal(typeof model.credentials.googlePalmApi.id, 'string');
	assert.equal(model.parameters.modelName, 'models/gemini-2.5-pro');
	const runs = Object.keys(PINNED).map(async (name) => {
		const workflow = await api.getWorkflow(made()[name].exampleId);
		const pinned = workflow.nodes.filter((node) => workflow.pinData[node.name]);
		assert.ok(pinned.every(({ onError }) => onError === undefined));
		const { status, data } = await runByHand(api, workflow);
		const outputs = Object.values(data.resultData.runData).flatMap(
			(run) => run.at(-1).data?.main ?? [],
		);
		const isFilm = (item) => item?.binary?.data?.mimeType === 'video/mp4';
		return [name, status, outputs.flat().some(isFilm)];
	});
	assert.deepEqual(
		await Promise.all(runs),
		Object.keys(PINNED).map((name) => [name, 'success', true]),
	);
}

test('without --once it stays up until Ctrl+C and then leaves nothing behind', async (t) => {
	const args = await own('--text-model', 'gemini-2.5-pro');
	const demo = startDemo(t, args);
	await demo.says('Press Ctrl+C to stop it.');
	const { origin: editor } = new URL(/^The editor: (\S+)$/m.exec(demo.output())[1]);
	assert.equal((await fetch(editor)).status, 200);
	assert.match(demo.output(), /The examples are imported already.* Each video shows its prompt/);
	const [, log] = /^n8n's log, .*: (\/.+)$/m.exec(demo.output());
	assert.ok(statSync(log).size > 0);
	await examplesAreReady(editor, demo.output());
	const second = await runDemo(t, await own('--once'));
	assert.equal(second.code, 1);
	assert.match(second.output, /Another demo \(process \d+\) is using /);
	demo.child.kill('SIGINT');
	const { code, output } = await demo.ended;
	assert.equal(code, 0, output);
	await ensurePortFree(Number(args[1]), '--port', 'n8n');
	await ensurePortFree(Number(args[3]), '--service-port', 'the service');
});
