import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { exampleNames } from '../sandbox/demo/examples.mjs';
import { readMp4 } from '../sandbox/demo/videoFacts.mjs';
import { ensurePortFree } from '../sandbox/n8n/ports.mjs';
import { createDemoFolder, runDemo, startDemo } from './support/demoProcess.mjs';

const { data, own } = createDemoFolder();

const onceTwice = await own('--once');

const made = () => JSON.parse(readFileSync(path.join(data, 'demo.json'), 'utf8'));

test('--once renders, downloads and checks a video, generates text and ends with 0', async (t) => {
	const { code, output } = await runDemo(t, onceTwice);
	assert.equal(code, 0, output);
	assert.match(output, /Execution \d+ \(webhook\): success[^]*Execution \d+ \(webhook\): success/);
	assert.match(output, /ffprobe: h264, 640 x 360, 4\.00 s/);
	assert.match(output, /The MP4 is complete\./);
	assert.match(output, /^Text: \S/m);
	const file = /^Video: (.+)$/m.exec(output)[1];
	const { whole, bytes } = await readMp4(file);
	assert.ok(whole);
	assert.match(output, new RegExp(`\\(${bytes} bytes\\)`));
	// A video that shows its prompt is smaller than the stored one.
	assert.ok(bytes < 45_000, `${bytes} bytes`);
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

test('a Ctrl+C while n8n starts ends everything, with another exit code', async (t) => {
	const args = await own();
	const demo = startDemo(t, args);
	await demo.says('Starting n8n');
	demo.child.kill('SIGINT');
	const { code } = await demo.ended;
	assert.equal(code, 130);
	await ensurePortFree(Number(args[1]), '--port', 'n8n');
});
