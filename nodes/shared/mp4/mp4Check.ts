const HEADER_BYTES = 8;
/** If a box gives its length as 1, the real length is in the 8 bytes after the type. */
const LONG_HEADER_BYTES = 16;

/** Returns a check of a file of boxes. It gets the bytes as they pass, and holds at most one header. */
export function createMp4Check() {
	const header = Buffer.alloc(LONG_HEADER_BYTES);
	let headerBytes = 0;
	let restOfBox = 0;
	let size = 0;
	let hasMovie = false;
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
		isBroken ||= restOfBox < 0;
		headerBytes = 0;
	};

	return {
		feed(chunk: Uint8Array) {
			size += chunk.length;
			for (let at = 0; at < chunk.length;) {
				if (restOfBox > 0) {
					const used = Math.min(restOfBox, chunk.length - at);
					restOfBox -= used;
					at += used;
				} else {
					header[headerBytes++] = chunk[at++];
					if (headerBytes >= HEADER_BYTES) readHeader();
				}
			}
		},
		size: () => size,
		/** Returns whether no box is cut or broken, and the one that players need (`moov`) is there. */
		isWhole: () =>
			hasMovie && !isBroken && headerBytes === 0 && (restOfBox === 0 || restOfBox === Infinity),
	};
}
