import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { exampleNames } from '../sandbox/demo/examples.mjs';
import { PINNED } from '../sandbox/demo/pinned.mjs';
import { readMp4 } from '../sandbox/demo/videoFacts.mjs';
import { createApi } from '../sandbox/n8n/api.mjs';
import { n8nFolder, nodeFolder } from '../sandbox/n8n/folders.mjs';
import { ensurePortFree, freePort } from '../sandbox/n8n/ports.mjs';
import { runDemo, startDemo } from './support/demoProcess.mjs';
import { runByHand } from './support/workflows.mjs';

const require = createRequire(import.meta.url);

const data = mkdtempSync(path.join(tmpdir(), 'n8n-demo-'));
after(() => rmSync(data, { recursive: true, force: true }));

/** Options for ports that nobody uses, with n8n's data in a folder of this test run. */
async function own(...more) {
	const ports = ['--port', String(await freePort()), '--service-port', String(await freePort())];
	return [...ports, '--data', data, ...more];
}

const onceTwice = await own('--once');

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
	assert.equal(typeof Object.values(model.credentials)[0].id, 'string');
	assert.equal(model.parameters.model.value, 'gemini-2.5-pro');
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

test('--once renders, downloads and checks a video, generates text and ends with 0', async (t) => {
	const { code, output } = await runDemo(t, onceTwice);
	assert.equal(code, 0, output);
	assert.match(output, /Execution \d+ \(webhook\): success[^]*Execution \d+ \(webhook\): success/);
	assert.match(output, /The MP4 is complete\./);
	assert.match(output, /^Text: \S/m);
	const file = /^Video: (.+)$/m.exec(output)[1];
	const { whole, bytes } = await readMp4(file);
	assert.ok(whole);
	assert.match(output, new RegExp(`\\(${bytes} bytes\\)`));
});

test('a second start installs nothing and finds what the first one made', async (t) => {
	const before = made();
	const { code, output } = await runDemo(t, onceTwice);
	assert.equal(code, 0, output);
	assert.deepEqual(made(), before);
	const examples = Object.keys(before).filter((name) => name.endsWith('.json'));
	assert.deepEqual(examples.sort(), await exampleNames());
	assert.doesNotMatch(output, /Installing/);
});

test('without --once it stays up until Ctrl+C and then leaves nothing behind', async (t) => {
	const args = await own('--text-model', 'gemini-2.5-pro');
	const demo = startDemo(t, args);
	await demo.says('Press Ctrl+C to stop it.');
	const { origin: editor } = new URL(/^The editor: (\S+)$/m.exec(demo.output())[1]);
	assert.equal((await fetch(editor)).status, 200);
	assert.match(demo.output(), /The examples are imported already.* test picture in color bars/);
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

test('a Ctrl+C while n8n starts ends everything, with another exit code', async (t) => {
	const args = await own();
	const demo = startDemo(t, args);
	await demo.says('Starting n8n');
	demo.child.kill('SIGINT');
	const { code } = await demo.ended;
	assert.equal(code, 130);
	await ensurePortFree(Number(args[1]), '--port', 'n8n');
});

test('a service of one`s own is used with its key, which shows nowhere', async (t) => {
	const key = 'own-key-5e1f';
	const { createSandbox } = require('../sandbox/service');
	const service = await createSandbox({ port: 0, key, renderMs: 500 });
	t.after(() => service.close());
	const models = ['--model', 'dreamina-seedance-2-0-fast', '--text-model', 'gemini-2.5-pro'];
	const args = await own('--once', '--yes', '--base-url', service.url, ...models);
	const demo = startDemo(t, args, { VIDEO_API_KEY: key });
	const seen = watchProcesses(t, key);
	const { code, output } = await demo.ended;
	assert.equal(code, 0, output);
	assert.match(output, /This costs money: it orders one video \(dreamina-seedance-2-0-fast\)/);
	assert.doesNotMatch(output, new RegExp(key));
	assert.equal(service.submissions().length, 1);
	assert.deepEqual([...seen], []);
	assert.match(output, /Your API key is stored in .*removed when the demo stops/);
	assert.match(output, /Your API key was removed from n8n\./);
	assert.equal(keysIn(data).includes(key), false);
});

test('a key that is told to stay is kept under an encryption key of its own', async (t) => {
	const key = 'kept-key-9b2c';
	const { createSandbox } = require('../sandbox/service');
	const service = await createSandbox({ port: 0, key, renderMs: 500 });
	t.after(() => service.close());
	const args = await own('--once', '--yes', '--keep-key', '--base-url', service.url);
	const { code, output } = await runDemo(t, args, { VIDEO_API_KEY: key });
	assert.equal(code, 0, output);
	assert.match(output, /Your API key is stored in .*and stays there/);
	assert.deepEqual(keysIn(data), [key, key]);
	assert.equal(statSync(path.join(data, 'demo.json')).mode & 0o077, 0);
	assert.notEqual(made().secrets.encryptionKey, 'sandbox-only-encryption-key');
});

/** The API keys of the demo's credentials, as n8n itself reads them. */
function keysIn(folder) {
	const installed = n8nFolder();
	const file = path.join(folder, 'credentials.json');
	const n8n = path.join(installed, 'node_modules', 'n8n', 'bin', 'n8n');
	const command = ['export:credentials', '--all', '--decrypted', `--output=${file}`];
	const env = {
		...process.env,
		DB_TYPE: 'sqlite',
		N8N_USER_FOLDER: folder,
		N8N_ENCRYPTION_KEY: made().secrets.encryptionKey,
		N8N_RUNNERS_ENABLED: 'false',
	};
	execFileSync(path.join(nodeFolder(installed), 'bin', 'node'), [n8n, ...command], { env });
	const credentials = JSON.parse(readFileSync(file, 'utf8'));
	rmSync(file);
	return credentials.flatMap(({ data: { apiKey } }) => apiKey ?? []);
}

/** Collects the command line of every process on this machine that contains `text`. */
function watchProcesses(t, text) {
	const seen = new Set();
	const look = () => {
		for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
			try {
				const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
				if (line.includes(text)) seen.add(line);
			} catch {
				// It ended in the meantime.
			}
		}
	};
	const timer = setInterval(look, 200);
	t.after(() => clearInterval(timer));
	return seen;
}

test('a wrong key for a service of one`s own ends with the reason', async (t) => {
	const { createSandbox } = require('../sandbox/service');
	const service = await createSandbox({ port: 0, key: 'right', renderMs: 500 });
	t.after(() => service.close());
	const args = await own('--once', '--yes', '--base-url', service.url);
	const { code, output } = await runDemo(t, args, { VIDEO_API_KEY: 'wrong-key-77aa' });
	assert.equal(code, 1, output);
	assert.match(output, /Video Generate" ended with error|Download" ended with error/);
	assert.doesNotMatch(output, /wrong-key-77aa/);
	assert.doesNotMatch(output, /\n {4}at /);
});
