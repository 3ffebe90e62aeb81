/**
 * Finds any of some words in a text while it is read once, letters of either case alike, whatever
 * text and words are (Aho and Corasick, 1975). A state stands for the longest beginning of a word
 * that the text ends with; 0 is none.
 */
export interface WordFinder {
	step: (state: number, charCode: number) => number;
	/** Characters of that beginning. */
	depth: (state: number) => number;
	/** Characters of the longest word that ends here; 0 for none. */
	found: (state: number) => number;
	/** Whether a word ends with this. */
	hasTail: (tail: string) => boolean;
	/** Characters of the longest word. */
	longest: number;
}

interface State {
	next: Map<number, number>;
	/** The state of the next shorter beginning. */
	shorter: number;
	depth: number;
	found: number;
}

export function createWordFinder(words: string[]): WordFinder {
	const states: State[] = [{ next: new Map(), shorter: 0, depth: 0, found: 0 }];
	for (const word of words) addWord(states, word);
	linkShorter(states);
	const folded = words.map(foldAll);
	const step = (from: number, charCode: number): number => {
		const code = fold(charCode);
		for (let state = from; ; state = states[state].shorter) {
			const next = states[state].next.get(code);
			if (next !== undefined) return next;
			if (state === 0) return 0;
		}
	};
	return {
		step,
		depth: (state) => states[state].depth,
		found: (state) => states[state].found,
		hasTail: (tail) => folded.some((word) => word.endsWith(foldAll(tail))),
		longest: Math.max(0, ...words.map(({ length }) => length)),
	};
}

function addWord(states: State[], word: string): void {
	let state = 0;
	for (let at = 0; at < word.length; at++) {
		const code = fold(word.charCodeAt(at));
		let next = states[state].next.get(code);
		if (next === undefined) {
			next = states.length;
			states.push({ next: new Map(), shorter: 0, depth: at + 1, found: 0 });
			states[state].next.set(code, next);
		}
		state = next;
	}
	states[state].found = word.length;
}

/** Shorter beginnings first: each link is made of links that are there already. */
function linkShorter(states: State[]): void {
	let level = [0];
	while (level.length > 0) {
		const deeper: number[] = [];
		for (const from of level) {
			for (const [code, to] of states[from].next) {
				const { shorter } = states[from];
				states[to].shorter = from === 0 ? 0 : follow(states, shorter, code);
				states[to].found ||= states[states[to].shorter].found;
				deeper.push(to);
			}
		}
		level = deeper;
	}
}

function follow(states: State[], from: number, code: number): number {
	for (let state = from; ; state = states[state].shorter) {
		const next = states[state].next.get(code);
		if (next !== undefined) return next;
		if (state === 0) return 0;
	}
}

const foldAll = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Capital letters of ASCII as small ones. */
const fold = (code: number) => (code >= 65 && code <= 90 ? code + 32 : code);
