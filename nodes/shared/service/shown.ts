import { boundedCopy, type PlacedText } from '../lib/bounded';
import { blank, merge, type Range, type Redaction } from './redact';

/** Makes a copy of any JSON that may be shown: no key is in it, and n8n can store it. */
export type Show = <Value>(value: Value) => Value;

/**
 * A key may be cut over several texts of a value: neighbours, or the texts of the same name in the
 * parts of an answer. So it is looked for in all of them, one behind the other.
 */
export function createShow({ redact, findKeys }: Pick<Redaction, 'redact' | 'findKeys'>): Show {
	return <Value>(value: Value): Value => {
		const { copy, texts } = boundedCopy(value, redact);
		const ranges = new Map<PlacedText, Range[]>();
		for (const group of [texts, ...byName(texts)]) {
			for (const [place, range] of share(group, findKeys)) {
				const known = ranges.get(place);
				if (known) known.push(range);
				else ranges.set(place, [range]);
			}
		}
		for (const [place, found] of ranges) place.put(blank(place.text, merge(found)));
		return copy as Value;
	};
}

function byName(texts: PlacedText[]): PlacedText[][] {
	const groups = new Map<string, PlacedText[]>();
	for (const text of texts) {
		const group = groups.get(text.name);
		if (group) group.push(text);
		else groups.set(text.name, [text]);
	}
	return [...groups.values()].filter((group) => group.length < texts.length);
}

/** What is found in all texts together, as ranges of each. */
function share(group: PlacedText[], findKeys: Redaction['findKeys']): Array<[PlacedText, Range]> {
	const shared: Array<[PlacedText, Range]> = [];
	const found = findKeys(group.map(({ text }) => text).join(''));
	let start = 0;
	let next = 0;
	for (const place of group) {
		const end = start + place.text.length;
		for (; next < found.length && found[next][0] < end; next++) {
			const [from, to] = found[next];
			if (to > start) {
				shared.push([place, [Math.max(from, start) - start, Math.min(to, end) - start]]);
			}
			if (to > end) break;
		}
		start = end;
	}
	return shared;
}
