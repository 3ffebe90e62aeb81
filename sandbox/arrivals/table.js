'use strict';

const { COLUMNS, OPTIONS, PICTURES, toWords } = require('./cases');

/** `a.0.b` of a value. */
const inside = (value, path) =>
	path.split('.').reduce((found, name) => found?.[/^\d+$/.test(name) ? Number(name) : name], value);

const same = (one, other) => String(one).toLowerCase() === String(other).toLowerCase();

/** How a picture is written where it arrives, in the words of records. */
function toPicture({ imageSource, image }, { opensUrls, bare }) {
	if (imageSource === 'url' && opensUrls) return image;
	return bare ? '{png}' : 'data:image/png;base64,{png}';
}

/** What the vendor has to get for what was set: values by path. `undefined` where it has no place. */
function expected({ set }, column) {
	const { places } = column;
	const wanted = [];
	for (const option of OPTIONS) if (option in set) wanted.push([option, [set[option]]]);
	const pictureOf = (how) => toPicture(how, column);
	const further = set.further ?? [];
	const [{ role } = {}] = further;
	if (role) {
		const first = 'imageSource' in set ? [pictureOf(set)] : [];
		wanted.push([role, [...first, ...further.map(pictureOf)]]);
	} else if ('imageSource' in set) wanted.push(['image', [pictureOf(set)]]);
	for (const name of ['metadata', 'extraFields']) if (name in set) wanted.push([name, []]);
	return wanted.map(([name, values]) => [name, places[name]?.(...values)]);
}

function judge(record) {
	const { refused, received, answered } = record;
	if (refused) return { verdict: 'refused' };
	if (answered !== 200) return { verdict: 'refused later', why: String(answered) };
	const column = COLUMNS.find(({ name }) => name === record.column);
	for (const [name, values] of expected(record, column)) {
		if (values === undefined && isByHand(name)) continue;
		if (values === undefined) return { verdict: 'dropped', why: name };
		for (const [path, value] of Object.entries(values)) {
			if (path === '$path') {
				if (!received.path.endsWith(value)) return { verdict: 'changed', why: received.path };
				continue;
			}
			const found = inside(received.body, path);
			const wanted = typeof value === 'string' ? toRecorded(value) : value;
			if (found === undefined) return { verdict: 'dropped', why: path };
			if (!same(found, wanted)) return { verdict: 'changed', why: `${path}: ${found}` };
		}
	}
	const { seconds } = record.factors;
	const asked = record.set.duration;
	return seconds === undefined || asked === undefined || Number(asked) === seconds
		? { verdict: 'arrives' }
		: { verdict: 'billed otherwise', why: `${seconds} s` };
}

/** What is written by hand is the person's own: the gateway may know it or not. */
const isByHand = (name) => name === 'extraFields';

const toRecorded = (text) => toWords(text, PICTURES);

/** Returns paths of a sent text request that the vendor got otherwise, or did not get. */
function lostPaths(sent, received, path = '') {
	if (typeof sent !== 'object' || sent === null) return same(sent, received) ? [] : [path];
	return Object.entries(sent).flatMap(([name, value]) => {
		const place = path === '' ? name : `${path}.${name}`;
		const found = received?.[name] ?? received?.[toCamel(name)];
		return found === undefined ? [place] : lostPaths(value, found, place);
	});
}

const toCamel = (name) => name.replace(/_(\w)/g, (_all, letter) => letter.toUpperCase());

// The recorded run as the tables of docs/models.md.

/** The option as the editor calls it. */
const labelOf = (option) =>
	option === 'duration'
		? 'Duration (Seconds)'
		: option.replace(/^./, (first) => first.toUpperCase()).replace(/(?=[A-Z])(?<!^)/g, ' ');

const code = (text) => `\`${text}\``;
const list = (texts) => [...new Set(texts)].join(', ');

/** Does what `Map.groupBy` of newer Node.js does. */
function groupBy(list, keyOf) {
	const groups = new Map();
	for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
	return groups;
}

/** The values of `[key, value]` by key. */
const byKey = (entries) =>
	[...groupBy(entries, ([key]) => key)].map(([key, all]) => [key, all.map(([, value]) => value)]);

/** The option that a case is about, and its value; cases of pictures and of several have none. */
function aboutOf({ about }) {
	const [, option, value] = /^(\w+) (.+)$/.exec(about) ?? [];
	return OPTIONS.includes(option) && !about.includes(' and ')
		? { option, value }
		: { group: about };
}

/** "`parameters.resolution`, `parameters.aspectRatio`": where the vendor reads it. */
function placesOf(record, column, option) {
	const found = expected(record, column).find(([name]) => name === option);
	const paths = Object.keys(found?.[1] ?? {}).filter((path) => path !== '$path');
	return paths.length > 0 ? paths.map(code).join(', ') : 'left out: the default of the vendor';
}

/** How much more than the plain request: prices are the deployment's own. */
function billOf({ dollars }, base) {
	const times = Math.round((dollars / base) * 100) / 100;
	return times === 1 ? 'as without' : `${times} times`;
}

const shorten = ({ message }, { label }) =>
	message
		.replace(`${label} models have no field for: `, 'no field for ')
		.replace(/\|/g, '/')
		.slice(0, 200);

function optionRow(option, records, { column, base }) {
	const arrived = records.filter(({ sent }) => sent);
	const refused = records.filter(({ sent }) => !sent);
	const valueOf = (record) => aboutOf(record).value;
	const gets = byKey(arrived.map((one) => [placesOf(one, column, option), code(valueOf(one))]));
	const bills = byKey(arrived.map((one) => [billOf(one, base), code(valueOf(one))]));
	const whyNot = byKey(refused.map((one) => [shorten(one.refused, column), code(valueOf(one))]));
	const told = (groups) => groups.map(([what, values]) => `${list(values)}: ${what}`).join('; ');
	const billed = bills.length === 1 && bills[0][0] === 'as without' ? 'as without' : told(bills);
	return [labelOf(option), told(gets), billed, told(whyNot)];
}

function groupRow(record, { column, base }) {
	const { about, sent, refused } = record;
	if (!sent) return [about, '', '', shorten(refused, column)];
	const places = expected(record, column).flatMap(([, values]) => Object.entries(values ?? {}));
	const paths = places.map(([path, value]) => (path === '$path' ? value : path)).map(code);
	const gets = about.startsWith('extra') ? 'the service drops what it does not know' : list(paths);
	return [about, gets || 'the prompt alone', billOf(record, base), ''];
}

const toRow = (cells) => `| ${cells.join(' | ')} |`;
const toTable = (head, rows) =>
	[toRow(head), toRow(head.map(() => '---')), ...rows.map(toRow)].join('\n');

/** Rows that say the same of different settings as one. */
const together = (rows) =>
	byKey(rows.map(([what, ...cells]) => [JSON.stringify(cells), what])).map(([cells, what]) => [
		what.join('; '),
		...JSON.parse(cells),
	]);

/** An option for which the family has no field, whatever its value. */
const isForeign = (records) =>
	records.every(({ refused }) =>
		/have no field for|must be a whole|must be width/.test(refused?.message),
	);

function sectionOf(column, records) {
	const base =
		records.find(({ dollars, about }) => dollars && about.startsWith('nothing'))?.dollars ??
		records.find(({ dollars }) => dollars)?.dollars;
	const context = { column, base };
	const ofOption = (option) => records.filter((record) => aboutOf(record).option === option);
	const asked = OPTIONS.filter((option) => ofOption(option).length > 0);
	const foreign = asked.filter((option) => isForeign(ofOption(option)));
	const rows = [
		...asked
			.filter((option) => !foreign.includes(option))
			.map((option) => optionRow(option, ofOption(option), context)),
		...(foreign.length > 0
			? [[foreign.map((option) => labelOf(option)).join(', '), '', '', 'no field for it']]
			: []),
		...together(records.filter((one) => aboutOf(one).group).map((one) => groupRow(one, context))),
	];
	return toTable(
		['what is set', 'where the vendor gets it', 'billed', 'refused before submit'],
		rows,
	);
}

/** Returns Markdown of all columns. */
function videoTables(records) {
	const told = new Map();
	const sections = COLUMNS.map((column) => {
		const table = sectionOf(
			column,
			records.filter((one) => one.column === column.name),
		);
		const before = told.get(table);
		told.set(table, column.name);
		return `### ${column.name}: \`${column.model}\`\n\n${before ? `As ${before}.` : table}`;
	});
	return sections.join('\n\n');
}

/** Returns Markdown of what Generate Content sends. */
function textTable(records) {
	const rows = records.map(({ about, sent, received, refused }) => {
		if (refused) return [about, `refused before it is sent: ${refused}`];
		const lost = lostPaths(sent, received);
		return [
			about,
			lost.length === 0 ? 'arrives' : `dropped by the service: ${lost.map(code).join(', ')}`,
		];
	});
	return toTable(['what is set', 'what becomes of it'], rows);
}

const START = '<!-- prettier-ignore-start -->';
const END = '<!-- prettier-ignore-end -->';

/** The page with the tables of this run in the two places that are marked for them. */
function withTables(page, videos, texts) {
	const tables = [videoTables(videos), textTable(texts)];
	return page
		.split(START)
		.map((part, index) => {
			if (index === 0) return part;
			const [, after] = part.split(END);
			return `\n\n${tables[index - 1]}\n\n${END}${after}`;
		})
		.join(START);
}

module.exports = { groupBy, judge, lostPaths, withTables };
