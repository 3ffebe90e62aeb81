/** Names of models are shorter. */
const MAX_CHARS = 200;
/** Less is another name, and not a mistyped one. */
const LEAST_LIKENESS = 0.5;
/** So many names are compared letter by letter: with all, a thousand rows would block n8n for a minute. */
const MOST_LIKE = 5;

/** Returns the letters and digits of a name: people mistype the signs between them most often. */
const toLetters = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

function toPairs(plain: string): Set<string> {
	const pairs = new Set<string>();
	for (let i = 1; i < plain.length; i++) pairs.add(plain.slice(i - 1, i + 1));
	return pairs;
}

/** Returns how like two texts are, from 0 to 1, by the pairs of letters that both have (Sorensen-Dice). */
function likenessOf(one: Set<string>, other: Set<string>): number {
	let shared = 0;
	for (const pair of one) shared += Number(other.has(pair));
	return (2 * shared) / (one.size + other.size || 1);
}

/** Returns how many letters have to be added, removed or replaced to make one text of another (Levenshtein). */
function distanceOf(one: string, other: string): number {
	let row = Array.from({ length: other.length + 1 }, (_letter, i) => i);
	for (let i = 0; i < one.length; i++) {
		const next = [i + 1];
		for (let j = 0; j < other.length; j++) {
			const replaced = row[j] + Number(one[i] !== other[j]);
			next.push(Math.min(next[j] + 1, row[j + 1] + 1, replaced));
		}
		row = next;
	}
	return row[other.length];
}

function nearestOf(typed: string, names: readonly string[]): string | undefined {
	// What both begin with, such as `fal-ai/`, makes no two names alike.
	const owner = typed.slice(0, typed.indexOf('/') + 1);
	const toCompared = (name: string) =>
		toLetters(name.slice(name.startsWith(owner) ? owner.length : 0));
	const wanted = toCompared(typed.slice(0, MAX_CHARS));
	const pairs = toPairs(wanted);
	const [nearest] = names
		.filter(({ length }) => length <= MAX_CHARS)
		.map((name) => ({ name, likeness: likenessOf(pairs, toPairs(toCompared(name))) }))
		.filter(({ likeness }) => likeness > LEAST_LIKENESS)
		.sort((one, other) => other.likeness - one.likeness)
		.slice(0, MOST_LIKE)
		.map(({ name }) => ({ name, distance: distanceOf(wanted, toCompared(name)) }))
		.sort((one, other) => one.distance - other.distance);
	return nearest?.name;
}

/** Returns words for a name that a list lacks; '' for one that it has, or that is like none in it. */
export function nameNearest(
	typed: string,
	names: readonly string[],
	among = " in the service's list",
): string {
	const nearest = names.includes(typed) ? undefined : nearestOf(typed, names);
	return nearest === undefined ? '' : `The nearest name${among} is "${nearest}".`;
}
