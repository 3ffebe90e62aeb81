'use strict';

// Files that are written from the code. `npx gulp write` writes them, and `npx gulp check` ends with an
// error if one is not as it would be written. n8n's own tool builds the package (`npm run build`).

const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const prettier = require('prettier');

const MODELS = path.join(__dirname, 'dist', 'nodes', 'shared', 'models');
const read = (file) => readFileSync(path.join(__dirname, file), 'utf8');
const toTable = (rows) => rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const withHead = (headings, rows) => toTable([headings, headings.map(() => '-'), ...rows]);

/** Returns a page with this text between the two comments that carry its name. */
function fillIn(page, name, text) {
	const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
	const [from, to] = [page.indexOf(start), page.indexOf(end)];
	if (from < 0 || to < from) throw new Error(`There is no ${start} ... ${end}`);
	// Prettier would pad the cells of long tables with spaces.
	const inner = `\n\n<!-- prettier-ignore -->\n${text}\n\n`;
	return page.slice(0, from + start.length) + inner + page.slice(to);
}

const GOOD_FOR = {
	'Grok Imagine': 'quick clips with sound',
	Hailuo: 'cheap clips',
	Jimeng: 'wide videos',
	Kling: 'moving from one image to another',
	'MiniMax H3': 'wide videos, 2k',
	Seedance: 'films with several shots',
	Veo: 'sound, 4k',
	Vidu: 'one person or product in many clips',
	Wan: 'long clips',
};
/** Returns the values of a setting, such as "automatic, 4 to 15", of a model with this plain name. */
function toValues({ fields }, setting, version, name) {
	const field = fields[setting];
	if (!field || field.not?.test(name)) return 'no';
	const values = version[setting] ?? [];
	const numbers = values.filter((value) => value > 0);
	const isRange = numbers.length > 3 && numbers.at(-1) - numbers[0] === numbers.length - 1;
	const words = isRange
		? [`${numbers[0]} to ${numbers.at(-1)}`]
		: values.filter((value) => value !== -1);
	return [...words, ...(values.includes(-1) ? ['automatic'] : [])].join(', ') || 'not known';
}

const toReferences = (counts = {}) =>
	Object.entries(counts)
		.map(([kind, count]) => `${count} ${kind}${count > 1 ? 's' : ''}`)
		.join(', ') || 'no';

/** docs/models.md: what each family and version takes, from the tables of `nodes/shared/models/families/`. */
function writeModels(page) {
	const modules = ['families/families', 'names', 'settings'];
	const room = Object.assign({}, ...modules.map((name) => require(path.join(MODELS, name))));
	const { CHOICES, FAMILIES, SETTINGS } = room;
	const others = Object.keys(SETTINGS).filter(
		(name) => !CHOICES.includes(name) && name !== 'generateAudio',
	);
	const families = FAMILIES.map((label) => {
		const { fields } = room.familyNamed(label);
		const also = others.filter((name) => fields[name]).map(room.toLabel);
		if (!GOOD_FOR[label]) throw new Error(`gulpfile.js does not say what ${label} is good for`);
		return [label, GOOD_FOR[label], also.join(', ')];
	});
	const versions = FAMILIES.flatMap((label) =>
		room.familyNamed(label).versions.map((version) => {
			const name = room.toPlainName(version.model);
			const row = room.findRow(version.model);
			const values = ['duration', 'resolution'].map((setting) =>
				toValues(row, setting, version, name),
			);
			const { generateAudio } = row.fields;
			const sound = generateAudio && !generateAudio.not?.test(name) ? 'yes' : 'no';
			const references = toReferences(version.references);
			return [`${label} ${version.label}`.trim(), ...values, references, sound];
		}),
	);
	const heads = ['models', 'Duration (seconds)', 'Resolution', 'references', 'Generate Audio'];
	return fillIn(
		fillIn(page, 'families', withHead(['family', 'good for', 'also has'], families)),
		...['versions', withHead(heads, versions)],
	);
}

/** What the package promises under its present version; once that is released, it stays as it is. */
async function writeContract(before, file) {
	const { version } = require('./package.json');
	if (read('CHANGELOG.md').includes(`## [${version}] - 2`)) return before;
	const { loadPackage } = require('./test/package/support/loader');
	const { readContract } = require('./test/package/support/contract');
	const json = JSON.stringify(readContract(await loadPackage()));
	return await prettier.format(json, { ...(await prettier.resolveConfig(file)), filepath: file });
}

const WRITTEN = {
	'docs/models.md': writeModels,
	[`test/package/contract/${require('./package.json').version}.json`]: writeContract,
};

/** Calls `take(file, before, now)` for each file; the package has to be built. */
async function eachFile(take) {
	for (const [file, make] of Object.entries(WRITTEN)) {
		const before = existsSync(path.join(__dirname, file)) ? read(file) : '';
		take(file, before, await make(before, path.join(__dirname, file)));
	}
}

exports.write = async () =>
	await eachFile((file, before, now) => {
		if (now !== before) writeFileSync(path.join(__dirname, file), now);
	});

exports.check = async () => {
	const stale = [];
	await eachFile((file, before, now) => now !== before && stale.push(file));
	if (stale.length > 0) throw new Error(`Run npx gulp write for ${stale.join(', ')}`);
};
