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

const toTable = (rows) => rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const withHead = (headings, rows) => toTable([headings, headings.map(() => '-'), ...rows]);

/** Returns the values of a setting, such as "automatic, 4 to 15", of a model with this plain name. */
function toValues({ fields }, choice, version, name) {
	const field = fields[choice];
	if (!field || field.not?.test(name)) return choice === 'aspectRatio' ? 'as the picture' : 'no';
	const values = version[choice] ?? [];
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

/** @param rules what `nodes/shared/family/` exports */
function toTables({ CHOICES, FAMILIES, SETTINGS, ...rules }) {
	const { familyNamed, findRow, toLabel, toPlainName } = rules;
	const others = Object.keys(SETTINGS).filter(
		(name) => !CHOICES.includes(name) && name !== 'generateAudio',
	);
	const families = FAMILIES.map((label) => {
		const { fields, pictures } = familyNamed(label);
		const also = others.filter((name) => fields[name]).map(toLabel);
		const frames = pictures.takes.includes('last') ? 'first, last' : 'first';
		return [label, GOOD_FOR[label], frames, also.join(', ')];
	});
	const versions = FAMILIES.flatMap((label) =>
		familyNamed(label).versions.map((version) => {
			const name = toPlainName(version.model);
			const row = findRow(version.model);
			const values = ['duration', 'aspectRatio', 'resolution'].map((choice) =>
				toValues(row, choice, version, name),
			);
			const references = toReferences(version.references);
			const { generateAudio } = row.fields;
			const sound = generateAudio && !generateAudio.not?.test(name) ? 'yes' : 'no';
			const cells = [`${label} ${version.label}`.trim(), ...values, references, sound];
			return { cells, checked: version.checked };
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
	...require(join(BUILT, 'names')),
	...require(join(BUILT, 'row')),
});

function printModels() {
	const rows = toTables(built()).versions.map(({ cells, checked }) => [...cells, checked]);
	process.stdout.write(`${withHead([...HEADINGS, 'checked'], rows)}\n`);
}

if (require.main === module) writeFileSync(PAGE, withModels(readFileSync(PAGE, 'utf8'), built()));

module.exports = { printModels, toTables, withModels };
