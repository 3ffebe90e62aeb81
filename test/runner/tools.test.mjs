import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { readMp4 } from '../../sandbox/demo/videoFacts.mjs';
import { ensureFreeDisk, ensureNodeVersion, refuseLinked } from '../../sandbox/n8n/install.mjs';
import { createExecutions } from '../../sandbox/n8n/api.mjs';
import { CURRENT, lockOf, PREVIOUS, ROOT } from '../../sandbox/n8n/folders.mjs';
import { takeLock, withLock } from '../../sandbox/n8n/lock.mjs';
import { closingLine } from './steps.mjs';
import { LONG_TABLES, MAIN_PATHS, MONEY_TABLES, readJestResult } from './suites.mjs';

// What the demo and the test runner are made of, where n8n itself is not needed.

const MEDIA = path.join(ROOT, 'sandbox', 'service', 'media');

function folderFor(t) {
	const folder = mkdtempSync(path.join(tmpdir(), 'tools-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

test('packages are never installed through a link, which would empty what is behind it', async (t) => {
	const folder = folderFor(t);
	const own = path.join(folder, 'node_modules');
	await refuseLinked(folder);
	mkdirSync(own);
	await refuseLinked(folder);
	rmSync(own, { recursive: true });
	for (const behind of [folderFor(t), path.join(folder, 'nothing')]) {
		symlinkSync(behind, own);
		await assert.rejects(refuseLinked(folder), /node_modules is a link to another folder/);
		rmSync(own);
	}
});

test('the box reader knows whole MP4 files from others', async (t) => {
	const file = path.join(folderFor(t), 'video.mp4');
	const read = async (bytes) => {
		writeFileSync(file, bytes);
		return await readMp4(file);
	};
	for (const name of readdirSync(MEDIA).filter((entry) => entry.endsWith('.mp4'))) {
		const bytes = readFileSync(path.join(MEDIA, name));
		const facts = await read(bytes);
		assert.deepEqual([facts.whole, facts.bytes], [true, bytes.length], name);
		for (const length of [bytes.length - 1, Math.floor(bytes.length / 2), 12]) {
			const { whole, reason } = await read(bytes.subarray(0, length));
			assert.equal(whole, false, `${name} cut to ${length}`);
			assert.match(reason, /truncated: \d+ bytes/);
		}
		const trailing = await read(Buffer.concat([bytes, Buffer.from('<html>502</html>')]));
		assert.equal(trailing.whole, false);
	}
	assert.match((await read(Buffer.alloc(0))).reason, /empty/);
	assert.match((await read(Buffer.from('<html>Bad gateway</html>'))).reason, /not an MP4/);
	assert.match((await read(Buffer.alloc(4096))).reason, /not an MP4/);
});

test('one process at a time holds a lock, and a dead one does not hold it', async (t) => {
	const lock = path.join(folderFor(t), 'some.lock');
	const seen = [];
	const work = (name) => async () => {
		seen.push(`${name} begins`);
		await new Promise((resolve) => setTimeout(resolve, 50));
		seen.push(`${name} ends`);
	};
	await Promise.all([withLock(lock, work('a')), withLock(lock, work('b'))]);
	assert.deepEqual(
		seen.map((text) => text.split(' ')[1]),
		['begins', 'ends', 'begins', 'ends'],
	);

	const module = new URL('../../sandbox/n8n/lock.mjs', import.meta.url).href;
	const script = `import { takeLock } from '${module}';
		process.stdout.write(String(Boolean((await takeLock(process.argv[1])).release)));
		setInterval(() => {}, 1000);`;
	const holder = spawn(process.execPath, ['--input-type=module', '-e', script, lock]);
	assert.equal(String((await once(holder.stdout, 'data'))[0]), 'true');
	assert.deepEqual(await takeLock(lock), { pid: holder.pid });
	holder.kill('SIGKILL');
	await once(holder, 'exit');
	const { release } = await takeLock(lock);
	assert.ok(release, 'a lock of a process that is gone can be taken');
	release();
});

test('too little disk and too old a Node.js are said in one sentence', async (t) => {
	const folder = path.join(folderFor(t), 'not', 'there', 'yet');
	await assert.rejects(
		ensureFreeDisk(folder, 1e18, 'n8n', 'Free some.'),
		/Not enough disk space: n8n needs 1000000\.0 TB in .*yet, and .* is free\. Free some\./,
	);
	assert.throws(() => ensureNodeVersion('18.20.0'), /Node\.js 20\.19 or newer is required/);
	ensureNodeVersion('20.19.0');
	ensureNodeVersion('24.1.0');
});

test('the locks of the pinned n8n have no download addresses', () => {
	for (const major of [CURRENT, PREVIOUS]) {
		assert.doesNotMatch(readFileSync(lockOf(major), 'utf8'), /"resolved"/);
	}
});

test('the closing line counts every step, and strictly a skipped test has failed', () => {
	const skipped = [{ name: 'needs ffprobe', reason: 'ffprobe is missing' }];
	const results = [
		{ passed: 3, failed: 0, skipped },
		{ passed: 1, failed: 1, skipped: [] },
	];
	assert.deepEqual(closingLine(results), { text: '4 passed, 1 failed, 1 skipped', failed: 1 });
	assert.deepEqual(closingLine(results, true), { text: '4 passed, 2 failed', failed: 2 });
	assert.equal(closingLine([results[1]]).text, '1 passed, 1 failed');
});

test('a Jest run that broke is never counted as passed', () => {
	const suite = (status, ...tests) => ({
		name: path.join(ROOT, 'test', 'a.test.ts'),
		status,
		assertionResults: tests.map((state) => ({ status: state, fullName: `is ${state}` })),
	});
	const read = (suites, code) => {
		const { passed, failed, skipped } = readJestResult({ testResults: suites }, code);
		return [passed, failed, skipped.length];
	};
	assert.deepEqual(read([suite('passed', 'passed', 'passed')], 0), [2, 0, 0]);
	assert.deepEqual(read([suite('failed', 'passed', 'failed')], 1), [1, 1, 0]);
	assert.deepEqual(read([suite('passed', 'passed', 'pending', 'todo')], 0), [1, 0, 2]);
	assert.deepEqual(read([suite('passed', 'passed'), suite('failed')], 1), [1, 1, 0]);
	assert.deepEqual(read([suite('passed', 'passed')], 1), [1, 1, 0]);
	assert.deepEqual(read([], 1), [0, 1, 0]);
});

test('the fast tests, and those that wait for --all, name files that are there', () => {
	const named = [...MAIN_PATHS, ...MONEY_TABLES, ...LONG_TABLES];
	const gone = named.filter((file) => !existsSync(path.join(ROOT, file)));
	assert.deepEqual(gone, []);
});

test('an execution that ends while n8n lists them is in the list', async () => {
	const [first, running, ended] = [
		{ id: '9', status: 'error' },
		{ id: '10', status: 'running' },
		{ id: '10', status: 'success' },
	];
	for (const lists of [
		[[first], [ended, first]],
		[[running, first], [first]],
	]) {
		const answers = lists.map((results) => ({ results }));
		const { executionsOf } = createExecutions(async () => answers.shift(), ROOT);
		const [newest, ...others] = await executionsOf('a workflow');
		assert.equal(newest.id, '10');
		assert.deepEqual(others, [first]);
	}
});

test('a sub-execution is not taken for the execution that was asked for', async () => {
	const results = [
		{ id: '8', mode: 'integrated' },
		{ id: '7', mode: 'webhook' },
	];
	const { callersOf } = createExecutions(async () => ({ results }), ROOT);
	assert.deepEqual(await callersOf('a workflow'), results.slice(1));
});

test('nothing is published with placeholders for who publishes it, or with two names', (t) => {
	const folder = folderFor(t);
	const git = (...args) => spawnSync('git', args, { cwd: folder });
	const publisher = (...args) =>
		spawnSync(process.execPath, [path.join(ROOT, '.github', 'publisher.mjs'), ...args], {
			cwd: folder,
			encoding: 'utf8',
		});
	const name = 'n8n-nodes-video-generation';
	const pageOf = (owner) => `github.com/${owner}/${name}`;
	const write = (author, page) => {
		const repository = { url: `git+https://${page}.git` };
		const manifest = { name, author, repository };
		writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
	};
	const page = pageOf(name);
	const nobody = { name: `${name} contributors`, email: 'contributors@users.noreply.github.com' };
	write(nobody, page);
	const readme = path.join(folder, 'README.md');
	writeFileSync(readme, `\u00fc https://${page}/issues and ${page}`);
	git('init', '--quiet');
	git('add', '.');
	const refused = publisher('--check');
	assert.equal(refused.status, 1);
	assert.match(refused.stderr, /repository is a placeholder\n.*author is a placeholder/);
	const own = pageOf('jo');
	write({ ...nobody, name: 'Jo' }, own);
	assert.match(publisher('--check').stderr, /author is a placeholder/);
	write({ name: 'Jo', email: 'jo@example.com' }, own);
	assert.match(publisher('--check').stderr, /^README.md: names another publisher/);
	publisher();
	assert.equal(publisher('--check').status, 0);
	assert.equal(readFileSync(readme, 'utf8'), `\u00fc https://${own}/issues and ${own}`);
});
