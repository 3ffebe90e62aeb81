import { type BoxHeader, readHeader } from './boxes';

/** Returns a check of a file of boxes. It gets the bytes as they pass, and holds one header of a box. */
export function createMp4Check() {
	let header = Buffer.alloc(0);
	let restOfBox = 0;
	let size = 0;
	let lastData = '';
	let hasMovie = false;

	const begin = ({ type, headerBytes, size: boxBytes }: BoxHeader) => {
		if (DATA_BOXES.includes(type)) lastData = type;
		hasMovie ||= type === 'moov';
		restOfBox = boxBytes - headerBytes;
		header = Buffer.alloc(0);
	};

	/** Returns whether no box is cut or broken. */
	const isClosed = () => header.length === 0 && (restOfBox === 0 || restOfBox === Infinity);

	return {
		isClosed,
		feed(chunk: Uint8Array) {
			size += chunk.length;
			// Nothing is told from a box that is shorter than its header on.
			for (let at = 0; at < chunk.length && restOfBox >= 0;) {
				if (restOfBox > 0) {
					const used = Math.min(restOfBox, chunk.length - at);
					restOfBox -= used;
					at += used;
				} else {
					// It has 8 bytes, and 8 more if they do not hold its length.
					const part = chunk.subarray(at, at + 8 - (header.length % 8));
					header = Buffer.concat([header, part]);
					at += part.length;
					const box = readHeader(header);
					if (box) begin(box);
				}
			}
		},
		size: () => size,
		/**
		 * Returns whether no box is cut or broken, and there are samples and the index (`moov`), without
		 * which no player plays them (section 8.2.1).
		 */
		isWhole: () => hasMovie && lastData === 'mdat' && isClosed(),
	};
}

/** The boxes with samples, and those that tell of the samples behind them. */
const DATA_BOXES = ['mdat', 'moof'];
