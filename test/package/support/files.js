'use strict';

const { execFileSync } = require('node:child_process');
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');
const { preProcessFile } = require('typescript');

const ROOT = path.resolve(__dirname, '..', '..', '..');
const NPM_WITHIN_MS = 60_000;

const toSlashes = (file) => file.split(path.sep).join('/');
const exists = (file) => existsSync(path.join(ROOT, file));
const read = (file) => readFileSync(path.join(ROOT, file), 'utf8');
/** @type {<T = Record<string, unknown>>(file: string) => T} */
const readJson = (file) => JSON.parse(read(file));

/**
 * Files below a folder of the repository, as paths from its root, in a stable order.
 * @returns {string[]}
 */
function list(folder) {
	if (!exists(folder)) return [];
	return readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => toSlashes(path.relative(ROOT, path.join(entry.parentPath, entry.name))))
		.sort();
}

/**
 * The classes of the nodes, such as `VideoGenerate`, as package.json names their files.
 * @returns {string[]}
 */
const nodeClasses = () =>
	readJson('package.json').n8n.nodes.map((file) => path.basename(file, '.node.js'));

/** A place as a file's links name it, from the root. */
const beside = (file, place) => path.posix.join(path.posix.dirname(file), place);

/**
 * What `npm publish` would send: npm's own list and size, without a file being written.
 * @returns {{ size: number, unpackedSize: number, files: string[] }} in bytes
 */
function pack() {
	const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--silent'];
	const options = { cwd: ROOT, encoding: 'utf8', timeout: NPM_WITHIN_MS };
	const [{ size, unpackedSize, files }] = JSON.parse(execFileSync('npm', args, options));
	return { size, unpackedSize, files: files.map((file) => file.path).sort() };
}

/** The module names of a file's imports and requires, type imports included. */
const moduleNames = (file) =>
	preProcessFile(read(file), true, true).importedFiles.map(({ fileName }) => fileName);

/** What a file imports: paths from the root for files of ours, plain names for packages. */
function importsOf(file) {
	return moduleNames(file).map((name) => (name.startsWith('.') ? beside(file, name) : name));
}

module.exports = { ROOT, beside, exists, read, readJson, list, nodeClasses, pack, importsOf };
