/** A text as somebody reads it, and where each of its characters stands in what was written. */
export interface View {
	text: string;
	/** One more than characters: the last is the end. Missing where nothing was escaped. */
	from?: Uint32Array;
}

/** JSON's and JavaScript's, those of addresses, those of HTML. */
const ESCAPES = [
	/\\(?:u([\da-f]{4})|u\{([\da-f]{1,6})\}|x([\da-f]{2})|([^ux]))/,
	/%(?:u([\da-f]{4})|([\da-f]{2}))/,
	/&#x0{0,9}([\da-f]{1,6})(?:;|(?=[^\da-f.…;])END)/,
	/&#0{0,9}(\d{1,7})(?:;|(?=[^\d.…;])END)/,
	/&(amp|quot|apos|lt|gt);/,
];

/** Browsers read the numbers of HTML without `;`, too; in a text that goes on, more digits may come. */
const toPattern = (end: string) =>
	new RegExp(ESCAPES.map(({ source }) => source.replace('END', end)).join('|'), 'gi');
const IN_WHOLE = toPattern('|$');
const IN_PIECE = toPattern('');

/** Texts are escaped once more wherever they are put into another one: more often than this is rare. */
const MAX_LAYERS = 4;

const NAMED: ReadonlyMap<string, string> = new Map([
	['amp', '&'],
	['quot', '"'],
	['apos', "'"],
	['lt', '<'],
	['gt', '>'],
]);

/**
 * The text as it is, and once more for each layer of escapes.
 *
 * @param goesOn whether more of it may come
 */
export function viewsOf(text: string, goesOn = false): View[] {
	const views: View[] = [{ text }];
	for (let layer = 0; layer < MAX_LAYERS; layer++) {
		const next = withoutEscapes(views[layer], goesOn ? IN_PIECE : IN_WHOLE);
		if (!next) break;
		views.push(next);
	}
	return views;
}

/** Where a character of a view stands in what was written. */
export const placeOf = ({ from }: View, at: number) => (from ? from[at] : at);

function withoutEscapes(view: View, escapes: RegExp): View | undefined {
	const { text } = view;
	const places = new Uint32Array(text.length + 1);
	const pieces: string[] = [];
	let length = 0;
	let read = 0;
	const keep = (piece: string, at: number, isOne: boolean) => {
		for (let i = 0; i < piece.length; i++) places[length++] = placeOf(view, isOne ? at : at + i);
		pieces.push(piece);
	};
	for (const match of text.matchAll(escapes)) {
		keep(text.slice(read, match.index), read, false);
		keep(toCharacter(match), match.index, true);
		read = match.index + match[0].length;
	}
	if (read === 0) return undefined;
	keep(text.slice(read), read, false);
	places[length] = placeOf(view, text.length);
	return { text: pieces.join(''), from: places.subarray(0, length + 1) };
}

function toCharacter([
	,
	u,
	braced,
	x,
	signed,
	wide,
	percent,
	hex,
	decimal,
	named,
]: RegExpMatchArray): string {
	if (signed !== undefined) return /[nrtbf]/.test(signed) ? ' ' : signed;
	if (named !== undefined) return NAMED.get(named.toLowerCase()) ?? '';
	const digits = u ?? braced ?? x ?? wide ?? percent ?? hex;
	const code = decimal === undefined ? Number.parseInt(digits, 16) : Number(decimal);
	return code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code);
}

/** The beginning of an escape at the end of a text, whose rest may come. */
const OPEN_ESCAPE =
	/(?:\\(?:u[\da-f]{0,3}|u\{[\da-f]{0,6}|x[\da-f]?)?|%(?:u[\da-f]{0,3}|[\da-f]?)|&(?:#(?:x[\da-f]{0,15}|\d{0,16})|[a-z]{0,4})?)$/i;
/** The longest escape. */
export const MAX_ESCAPE_CHARS = 19;

/** How much of the text stands before an escape that has not ended. */
export function endOfWhole(text: string): number {
	const start = Math.max(0, text.length - MAX_ESCAPE_CHARS);
	const open = OPEN_ESCAPE.exec(text.slice(start));
	return open ? start + open.index : text.length;
}
