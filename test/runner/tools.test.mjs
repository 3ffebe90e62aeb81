import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { refuseLinked } from '../../sandbox/n8n/install.mjs';
import { ROOT } from '../../sandbox/n8n/folders.mjs';

// What could do harm on the machine of whoever installs or publishes.

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
