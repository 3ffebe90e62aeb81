/** A generator of chance (mulberry32) that gives the same numbers for the same seed. */
export function createChance(seed: number) {
	let state = seed;
	const next = () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return (mixed ^ (mixed >>> 14)) >>> 0;
	};
	const below = (count: number) => next() % count;
	return { next, below, of: <T>(values: T[]) => values[below(values.length)] };
}

type Chance = ReturnType<typeof createChance>;

const BYTES = [0, 1, 2, 0x7f, 0x80, 0xff];
const WORDS = [0, 0, 1, 8, 0xffff, 500_000, 2 ** 31 - 1, 2 ** 32 - 1];

/** A type of a box, whose numbers harm more than those of pictures. */
const TYPE =
	/ftyp|moov|trak|tkhd|mdhd|mvhd|hdlr|elst|stsd|avc1|avcC|mp4a|esds|stts|ctts|stss|stsc|stsz|co64|mvex|trex|moof|traf|tfhd|tfdt|trun|fmt |data/g;

const targets = new WeakMap<Buffer, number[]>();

function targetsOf(bytes: Buffer): number[] {
	const known = targets.get(bytes);
	if (known) return known;
	const found = [...bytes.toString('latin1').matchAll(TYPE)].map(({ index }) => index);
	targets.set(bytes, found);
	return found;
}

/** Returns a copy of a file that is changed at one to three places. */
export function mutate(file: Buffer, chance: Chance): Buffer {
	let bytes: Buffer = Buffer.from(file);
	const places = targetsOf(file);
	/** Mostly in one of the fields of four bytes that a box begins with, or a table's first rows. */
	const place = () =>
		places.length > 0 && chance.below(4) > 0
			? chance.of(places) + 4 * chance.below(14)
			: chance.below(bytes.length);
	for (let left = 1 + chance.below(3); left > 0; left--) {
		const at = place();
		const kind = chance.below(16);
		if (kind < 9) {
			const word = chance.below(4) ? chance.of(WORDS) : chance.next();
			if (at + 4 <= bytes.length) bytes.writeUInt32BE(word, at);
		} else if (kind < 13) {
			const offset = at + chance.below(4);
			if (offset < bytes.length) bytes[offset] = chance.below(2) ? chance.of(BYTES) : chance.next();
		} else if (kind === 13) {
			bytes = bytes.subarray(0, Math.max(12, at));
		} else {
			const end = at + chance.below(64);
			const again = kind === 14 ? [bytes.subarray(at, end)] : [];
			bytes = Buffer.concat([bytes.subarray(0, at), ...again, ...again, bytes.subarray(end)]);
		}
	}
	return bytes;
}
