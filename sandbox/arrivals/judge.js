'use strict';

const { COLUMNS } = require('./columns');
const { OPTIONS } = require('./cases');
const { PICTURES, toWords } = require('./pictures');

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

/**
 * @returns {{ verdict: 'arrives' | 'refused' | 'refused later' | 'dropped' | 'changed', why?: string }}
 */
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

/** @returns {string[]} paths of a sent text request that the vendor got otherwise, or did not get */
function lostPaths(sent, received, path = '') {
	if (typeof sent !== 'object' || sent === null) return same(sent, received) ? [] : [path];
	return Object.entries(sent).flatMap(([name, value]) => {
		const place = path === '' ? name : `${path}.${name}`;
		const found = received?.[name] ?? received?.[toCamel(name)];
		return found === undefined ? [place] : lostPaths(value, found, place);
	});
}

const toCamel = (name) => name.replace(/_(\w)/g, (_all, letter) => letter.toUpperCase());

module.exports = { expected, judge, lostPaths };
