import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { exampleNames } from '../sandbox/demo/examples.mjs';
import { readMp4 } from '../sandbox/demo/mp4.mjs';
import { ensurePortFree, freePort } from '../sandbox/n8n/ports.mjs';
import { runDemo, startDemo } from './support/demoProcess.mjs';

const require = createRequire(import.meta.url);

const data = mkdtempSync(path.join(tmpdir(), 'n8n-demo-'));
after(() => rmSync(data, { recursive: true, force: true }));

/** Options for ports that nobody uses, with n8n's data in a folder of this test run. */
async function own(...more) {
	const ports = ['--port', String(await freePort()), '--service-port', String(await freePort())];
	return [...ports, '--data', data, ...more];
}

const made = () => JSON.parse(readFileSync(path.join(data, 'demo.json'), 'utf8'));

test('--once renders, downloads and checks a video, generates text and ends with 0', async (t) => {
	const { code, output } = await runDemo(t, await own('--once'));
	assert.equal(code, 0, output);
	assert.match(output, /Execution \d+ \(webhook\): success[^]*Execution \d+ \(webhook\): success/);
	assert.match(output, /The MP4 is complete\./);
	assert.match(output, /^Text: \S/m);
	assert.match(output, /^(ffprobe|The file's boxes.*): (h264|avc1), \d+ x \d+, \d/m);
	const file = /^Video: (.+)$/m.exec(output)[1];
	const { whole, bytes } = await readMp4(file);
	assert.ok(whole);
	assert.match(output, new RegExp(`\\(${bytes} bytes\\)`));
});

test('a second start installs nothing and finds what the first one made', async (t) => {
	const before = made();
	const { code, output } = await runDemo(t, await own('--once'));
	assert.equal(code, 0, output);
	assert.deepEqual(made(), before);
	const examples = Object.keys(before).filter((name) => name.endsWith('.json'));
	assert.deepEqual(examples.sort(), await exampleNames());
	assert.doesNotMatch(output, /Installing/);
});

test('without --once it stays up until Ctrl+C and then leaves nothing behind', async (t) => {
	const args = await own();
	const demo = startDemo(t, args);
	await demo.says('Press Ctrl+C to stop it.');
	const editor = /^The editor: (\S+)$/m.exec(demo.output())[1];
	assert.equal((await fetch(editor)).status, 200);
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
});

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
