/** A part of an answer's text, in characters as JavaScript counts them: `text.slice(start, end)`. */
export interface Segment {
	text: string;
	start?: number;
	end?: number;
}

/** As the service says where it is: in bytes of UTF-8, and by its words where it quotes them. */
export interface ByteRange {
	startIndex: number;
	endIndex: number;
	text?: string;
}

/**
 * Finds parts of a text by their bytes. What the service quotes counts more than where it says that
 * it stands: it counts from the beginning of a part here, and of the whole text there.
 *
 * @param starts where the parts of the answer begin in the text, in bytes
 * @returns for each range its segment; `undefined` where there is none
 */
export function findSegments(
	text: string,
	ranges: ByteRange[],
	startOf: (range: number) => number = () => 0,
): Array<Segment | undefined> {
	const shifted = ranges.map(({ startIndex, endIndex }, i) => {
		const shift = startOf(i);
		return [startIndex, endIndex, startIndex + shift, endIndex + shift];
	});
	const places = toCharacters(text, shifted.flat());
	return ranges.map(({ text: quoted }, i) => {
		const [start, end, ownStart, ownEnd] = shifted[i].map((offset) => places.get(offset));
		const found = [
			[ownStart, ownEnd],
			[start, end],
		]
			.map(([from, to]) => toSegment(text, from, to))
			.find((segment) => segment && (quoted === undefined || segment.text === quoted));
		return found ?? (quoted === undefined ? undefined : { text: quoted });
	});
}

function toSegment(text: string, start?: number, end?: number): Segment | undefined {
	if (start === undefined || end === undefined || start >= end) return undefined;
	return { text: text.slice(start, end), start, end };
}

/** Offsets in bytes as offsets in characters, in one pass; those inside a character have none. */
function toCharacters(text: string, offsets: number[]): Map<number, number> {
	const wanted = [...new Set(offsets)].sort((a, b) => a - b);
	const places = new Map<number, number>();
	let bytes = 0;
	let at = 0;
	for (const offset of wanted) {
		while (bytes < offset && at < text.length) {
			const sign = text.codePointAt(at) ?? 0;
			bytes += sign < 0x80 ? 1 : sign < 0x800 ? 2 : sign < 0x10000 ? 3 : 4;
			at += sign < 0x10000 ? 1 : 2;
		}
		if (bytes === offset) places.set(offset, at);
	}
	return places;
}
