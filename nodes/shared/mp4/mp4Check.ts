import { boxesIn, needBox } from './boxes';
import { readTables } from './samples';

const HEADER_BYTES = 8;
/** If a box gives its length as 1, the real length is in the 8 bytes after the type. */
const LONG_HEADER_BYTES = 16;

/** A larger index is not held. */
const MAX_INDEX_BYTES = 8 * 1024 * 1024;

/**
 * Returns a check of a file of boxes. It gets the bytes as they pass, and holds one header and the index:
 * of samples that may go on to the end of the file, it alone tells how many there are.
 */
export function createMp4Check() {
	const header = Buffer.alloc(LONG_HEADER_BYTES);
	let headerBytes = 0;
	let restOfBox = 0;
	let size = 0;
	let hasMovie = false;
	let last = '';
	let isEnded = false;
	let hasFragments = false;
	let index: Buffer[] = [];
	let isInIndex = false;
	let isBroken = false;

	const readHeader = () => {
		const type = header.toString('latin1', 4, HEADER_BYTES);
		const short = header.readUInt32BE(0);
		if (short === 1 && headerBytes < LONG_HEADER_BYTES) return;
		// Without `moov`, no player can play what the other boxes hold (section 8.2.1).
		hasMovie ||= type === 'moov';
		const long = short === 1 ? Number(header.readBigUInt64BE(HEADER_BYTES)) : short;
		// A length of 0 means "to the end of the file".
		restOfBox = (long || Infinity) - headerBytes;
		if (DATA_BOXES.includes(type)) last = type;
		hasFragments ||= type === 'moof';
		isEnded = type === 'mfra';
		isInIndex = type === 'moov' && restOfBox <= MAX_INDEX_BYTES;
		if (isInIndex) index = [];
		isBroken ||= restOfBox < 0;
		headerBytes = 0;
	};

	return {
		feed(chunk: Uint8Array) {
			size += chunk.length;
			for (let at = 0; at < chunk.length;) {
				if (restOfBox > 0) {
					const used = Math.min(restOfBox, chunk.length - at);
					// A copy, because a storage frees each piece that it has written.
					if (isInIndex) index.push(Buffer.from(chunk.subarray(at, at + used)));
					restOfBox -= used;
					at += used;
				} else {
					header[headerBytes++] = chunk[at++];
					if (headerBytes >= HEADER_BYTES) readHeader();
				}
			}
		},
		size: () => size,
		/** Returns whether further fragments might follow: nothing tells how many there are (section 8.8.9). */
		mayGoOn: () => hasFragments && !isEnded,
		/** Returns whether no box is cut or broken, and an index (`moov`) and what it tells of are there. */
		isWhole() {
			const isOpen = restOfBox === Infinity;
			if (!hasMovie || last !== 'mdat' || isBroken || headerBytes > 0) return false;
			return isOpen ? size >= findEnd(Buffer.concat(index)) : restOfBox === 0;
		},
	};
}

/** The boxes with samples, and those that tell of the samples behind them. */
const DATA_BOXES = ['mdat', 'moof'];

/** Returns where the last sample of an index ends in its file; 0 if it does not tell. */
function findEnd(moov: Buffer): number {
	try {
		const traks = boxesIn(moov).filter(({ type }) => type === 'trak');
		const ends = traks.map(({ body }) => {
			const { offsets, sizes } = readTables(needBox(body, 'mdia', 'minf', 'stbl'));
			return offsets.reduce((end, at, i) => Math.max(end, at + sizes[i]), 0);
		});
		return Math.max(0, ...ends);
	} catch {
		return 0;
	}
}
