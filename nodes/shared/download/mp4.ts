/** Follows the boxes of an MP4 file as its bytes pass; holds no more than one header. */
export interface Mp4Check {
	feed: (chunk: Uint8Array) => void;
	/** Returns the bytes seen so far. */
	size: () => number;
	/** Returns whether the first box is one that video files begin with. */
	isVideo: () => boolean;
	/** Returns whether the bytes end where a box ends and include what players need (`moov`). */
	isWhole: () => boolean;
}

/** Boxes that come first in MP4 and QuickTime files (ISO/IEC 14496-12, section 4). */
const FIRST_BOXES = new Set(['ftyp', 'styp', 'moov', 'mdat', 'free', 'skip', 'wide']);
const HEADER_BYTES = 8;
/** If a box gives its length as 1, the real length is in the 8 bytes after the type. */
const LONG_HEADER_BYTES = 16;

export function createMp4Check(): Mp4Check {
	let size = 0;
	let header: number[] = [];
	let restOfBox = 0;
	let firstType: string | undefined;
	let hasMovie = false;
	let isBroken = false;

	const endHeader = () => {
		const type = String.fromCharCode(...header.slice(4, 8));
		firstType ??= type;
		// Without `moov`, nothing can play the contents of the other boxes (section 8.2.1).
		hasMovie ||= type === 'moov';
		restOfBox = boxLength(header) - header.length;
		isBroken ||= restOfBox < 0;
		header = [];
	};

	return {
		feed(chunk) {
			size += chunk.length;
			let at = 0;
			while (at < chunk.length) {
				if (restOfBox > 0) {
					const used = Math.min(restOfBox, chunk.length - at);
					restOfBox -= used;
					at += used;
				} else {
					header.push(chunk[at++]);
					if (header.length === headerLength(header)) endHeader();
				}
			}
		},
		size: () => size,
		isVideo: () => firstType !== undefined && FIRST_BOXES.has(firstType),
		isWhole: () =>
			hasMovie && !isBroken && header.length === 0 && (restOfBox === 0 || restOfBox === Infinity),
	};
}

const readUint32 = (bytes: number[], at: number) =>
	bytes.slice(at, at + 4).reduce((sum, byte) => sum * 256 + byte, 0);

const headerLength = (header: number[]) =>
	header.length >= HEADER_BYTES && readUint32(header, 0) === 1 ? LONG_HEADER_BYTES : HEADER_BYTES;

/** Returns the length in bytes, header included; a field of 0 means "to the end of the file". */
function boxLength(header: number[]): number {
	const short = readUint32(header, 0);
	if (short === 0) return Infinity;
	return short === 1 ? readUint32(header, 8) * 2 ** 32 + readUint32(header, 12) : short;
}
