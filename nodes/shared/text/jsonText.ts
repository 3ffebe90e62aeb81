/** A text that looks like JSON, of however much else is written around it. */
export interface Found {
	text: string;
	/** Whether it stands in a fence of its own. */
	isFenced: boolean;
}

const BRACKET = /[{[]/g;
/** A text, or as much of it as there is before the end; bounded, so that none is read again and again. */
const stringBefore = (next: string) => `"(?:[^"\\\\]|\\\\[^]){0,500}(?:"\\s*(?:${next}|$)|\\\\?$)`;
/** As JSON begins, up to what follows its first text or number: prose has brackets and quotes, too. */
const BEGINS = new RegExp(
	[
		`\\{\\s*(?:\\}|${stringBefore(':')})`,
		`\\[\\s*(?:[{[\\]]|${stringBefore('[,\\]]')}|(?:-?\\d[\\d.eE+-]{0,50}|true|false|null)\\s*(?:[,\\]]|$))`,
	].join('|'),
	'y',
);
/** All that decides where it ends. */
const SIGNS = /["\\{}[\]]/g;
const FENCE_BEFORE = /`{3}[\w-]{0,20}\s{0,20}$/;
const MAX_FENCE_CHARS = 50;

/**
 * The objects and lists of a text, in order, each as long as it is; whether they are valid is for the
 * JSON parser. What stands inside one is not looked at again, so this takes linear time, and no piece
 * of JSON that is broken passes for the whole. `isCutOff`: the last one has no end.
 */
export function findJson(text: string): { found: Found[]; isCutOff: boolean } {
	const found: Found[] = [];
	BRACKET.lastIndex = 0;
	for (let open = BRACKET.exec(text); open; open = BRACKET.exec(text)) {
		const { index } = open;
		BEGINS.lastIndex = index;
		if (!BEGINS.test(text)) continue;
		const end = findEnd(text, index);
		if (end === undefined) return { found, isCutOff: true };
		const before = text.slice(Math.max(0, index - MAX_FENCE_CHARS), index);
		found.push({ text: text.slice(index, end), isFenced: FENCE_BEFORE.test(before) });
		BRACKET.lastIndex = end;
	}
	return { found, isCutOff: false };
}

function findEnd(text: string, from: number): number | undefined {
	let depth = 0;
	let isQuoted = false;
	SIGNS.lastIndex = from;
	for (let sign = SIGNS.exec(text); sign; sign = SIGNS.exec(text)) {
		const [mark] = sign;
		if (mark === '\\') SIGNS.lastIndex++;
		else if (mark === '"') isQuoted = !isQuoted;
		else if (!isQuoted) {
			depth += mark === '{' || mark === '[' ? 1 : -1;
			if (depth === 0) return SIGNS.lastIndex;
		}
	}
	return undefined;
}
