#!/usr/bin/env node
'use strict';

// A part of `npm run write`: the tables of docs/models.md, from those in `nodes/shared/family/` as they
// are built. `npm run sandbox -- models` prints them, with when each row was checked.

const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const PAGE = join(__dirname, '..', 'docs', 'models.md');
const BUILT = join(__dirname, '..', 'dist', 'nodes', 'shared', 'family');

const GOOD_FOR = {
	'Grok Imagine': 'quick clips with sound',
	Hailuo: 'cheap clips',
	Jimeng: 'wide videos',
	Kling: 'from one picture to another',
	'MiniMax H3': 'wide videos, 2k',
	Seedance: 'films of several shots',
	Veo: 'sound, 4k',
	Vidu: 'the same things in many clips',
	Wan: 'exact shapes, long clips',
};
/** The settings that the table of versions has. */
const IN_VERSIONS = ['aspectRatio', 'duration', 'generateAudio', 'resolution'];

const toTable = (rows) => rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const withHead = (headings, rows) => toTable([headings, headings.map(() => '-'), ...rows]);

function toValues({ at, values, min, max, auto, isUnknown, instead = '' } = {}) {
	if (!at) return /from the (image|first frame)/.test(instead) ? 'as the picture' : 'no';
	if (isUnknown) return 'not known';
	const words = values?.map((value) => String(value).toLowerCase()).join(', ');
	return (words ?? `${min} to ${max}`) + (auto ? ', automatic' : '');
}

const toReferences = (counts, kinds) =>
	Object.entries(kinds)
		.filter(([kind]) => counts[kind])
		.map(([kind, word]) => `${counts[kind]} ${word}${counts[kind] > 1 ? 's' : ''}`)
		.join(', ') || 'no';

/** Returns the label of a setting, such as Negative Prompt. */
const toLabel = (name) =>
	name.replace(/[A-Z]/g, ' $&').replace(/^./, (letter) => letter.toUpperCase());

/** @param rules what `nodes/shared/family/` exports */
function toTables({ FAMILIES, REFERENCES, SETTINGS, nameOf, referencesOf, settingsOf }) {
	const others = Object.keys(SETTINGS).filter((name) => !IN_VERSIONS.includes(name));
	const families = FAMILIES.map((family) => {
		const { label, pictures, versions } = family;
		const settings = settingsOf(family, versions[0].model);
		const also = others.filter((name) => settings[name]?.at).map(toLabel);
		const frames = pictures.lastFrame ? 'first, last' : 'first';
		return [label, GOOD_FOR[label], frames, also.join(', ')];
	});
	const versions = FAMILIES.flatMap((family) =>
		family.versions.map(({ model, checked = family.checked, unsure = [] }) => {
			const settings = settingsOf(family, model);
			const { aspectRatio, duration, resolution, generateAudio } = settings;
			const values = [duration, aspectRatio, resolution].map(toValues);
			const counts = toReferences(referencesOf(family, model), REFERENCES);
			const references = unsure.includes('references') ? 'not known' : counts;
			const canSound = generateAudio?.at ? 'yes' : 'no';
			const sound = unsure.includes('generateAudio') ? 'not known' : canSound;
			return { cells: [nameOf(family, model), ...values, references, sound], checked };
		}),
	);
	return { families, versions };
}

const HEADINGS = [
	'models',
	'Duration (seconds)',
	'Aspect Ratio',
	'Resolution',
	'references',
	'Generate Audio',
];

/** Returns the page with each table between the two comments that carry its name. */
function withModels(page, rules) {
	const { families, versions } = toTables(rules);
	const tables = {
		families: withHead(['family', 'good for', 'frames', 'also'], families),
		versions: withHead(
			HEADINGS,
			versions.map(({ cells }) => cells),
		),
	};
	return Object.entries(tables).reduce((text, [name, table]) => {
		const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
		const [from, to] = [text.indexOf(start), text.indexOf(end)];
		if (from < 0 || to < from) throw new Error(`docs/models.md has no ${start} ... ${end}`);
		const inner = `\n\n<!-- prettier-ignore -->\n${table}\n\n`;
		return text.slice(0, from + start.length) + inner + text.slice(to);
	}, page);
}

const built = () => ({
	...require(join(BUILT, 'families')),
	...require(join(BUILT, 'family')),
	...require(join(BUILT, 'versions')),
});

function printModels() {
	const rows = toTables(built()).versions.map(({ cells, checked }) => [...cells, checked]);
	process.stdout.write(`${withHead([...HEADINGS, 'checked'], rows)}\n`);
}

if (require.main === module) writeFileSync(PAGE, withModels(readFileSync(PAGE, 'utf8'), built()));

module.exports = { printModels, toTables, withModels };
