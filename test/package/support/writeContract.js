'use strict';

// A part of `npm run write`: what the built package promises under its present version.

const { writeFileSync } = require('node:fs');
const path = require('node:path');
const prettier = require('prettier');
const { exists, read, readJson, ROOT } = require('./files');
const { loadPackage } = require('./loader');
const { readContract } = require('./contract');

const isReleased = (version) => read('CHANGELOG.md').includes(`## [${version}] - 2`);

async function write() {
	const { version } = readJson('package.json');
	const name = `test/package/contract/${version}.json`;
	if (exists(name) && isReleased(version)) {
		console.log(`Not written: ${version} is released, and what it promised stays as ${name} says.`);
		return;
	}
	const file = path.join(ROOT, name);
	const json = JSON.stringify(readContract(await loadPackage()));
	const options = await prettier.resolveConfig(file);
	writeFileSync(file, await prettier.format(json, { ...options, filepath: file }));
	console.log(`Written: ${name}`);
}

write().then(
	() => process.exit(0),
	(error) => {
		console.error(error.message);
		process.exit(1);
	},
);
