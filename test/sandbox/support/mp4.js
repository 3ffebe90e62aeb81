'use strict';

// Walks the boxes of an MP4 file (ISO 14496-12), independent of the code that serves it.

const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl']);

/**
 * @param {Buffer} file
 * @returns {{ type: string, start: number, size: number, body: number }[]} the boxes of one level
 */
function boxesOf(file, from = 0, to = file.length) {
	const boxes = [];
	for (let start = from; start < to;) {
		if (start + 8 > to) throw new Error(`${to - start} bytes at ${start} are no box`);
		const short = file.readUInt32BE(start);
		const type = file.toString('latin1', start + 4, start + 8);
		const size = short === 1 ? Number(file.readBigUInt64BE(start + 8)) : short;
		if (size < 8 || start + size > to) throw new Error(`Box ${type} at ${start} is not whole`);
		boxes.push({ type, start, size, body: start + (short === 1 ? 16 : 8) });
		start += size;
	}
	return boxes;
}

/** Every box of a type, however deep. */
function find(file, type, boxes = boxesOf(file)) {
	return boxes.flatMap((box) => {
		const inner = CONTAINERS.has(box.type) ? boxesOf(file, box.body, box.start + box.size) : [];
		return [...(box.type === type ? [box] : []), ...find(file, type, inner)];
	});
}

/** The bytes of all samples that the file's tables promise. */
function sampleBytes(file) {
	return find(file, 'stsz').reduce((total, { body }) => {
		const same = file.readUInt32BE(body + 4);
		const count = file.readUInt32BE(body + 8);
		if (same > 0) return total + same * count;
		const sizes = Array.from({ length: count }, (_, n) => file.readUInt32BE(body + 12 + 4 * n));
		return total + sizes.reduce((sum, size) => sum + size, 0);
	}, 0);
}

/** Where the tables say that chunks of samples start. */
function chunkOffsets(file) {
	return find(file, 'stco').flatMap(({ body }) =>
		Array.from({ length: file.readUInt32BE(body + 4) }, (_, n) =>
			file.readUInt32BE(body + 8 + 4 * n),
		),
	);
}

/** Width and height of the picture. */
function pictureSize(file) {
	const sizes = find(file, 'tkhd').map(({ start, size }) => ({
		width: file.readUInt32BE(start + size - 8) / 65536,
		height: file.readUInt32BE(start + size - 4) / 65536,
	}));
	return sizes.find(({ width }) => width > 0);
}

/** The kinds of the tracks, e.g. ['vide', 'soun']. */
const trackKinds = (file) =>
	find(file, 'hdlr').map(({ body }) => file.toString('latin1', body + 8, body + 12));

module.exports = { boxesOf, find, sampleBytes, chunkOffsets, pictureSize, trackKinds };
