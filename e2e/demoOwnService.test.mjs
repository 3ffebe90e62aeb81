import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { n8nFolder, nodeFolder } from '../sandbox/n8n/folders.mjs';
import { createDemoFolder, runDemo, startDemo } from './support/demoProcess.mjs';

// The demo with a service of one's own, whose key is a secret and whose videos cost money.

const require = createRequire(import.meta.url);

const { data, own } = createDemoFolder();

const made = () => JSON.parse(readFileSync(path.join(data, 'demo.json'), 'utf8'));

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
	assert.deepEqual(keysIn(data), [key, key, key]);
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
