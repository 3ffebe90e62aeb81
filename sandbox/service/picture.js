'use strict';

const { crc32, deflateSync } = require('node:zlib');

// A picture for workflows that begin with one, where there is no shop to fetch it from.

const SIZE = { width: 640, height: 360 };
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type, data) {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
	length.writeUInt32BE(data.length);
	check.writeUInt32BE(crc32(body));
	return Buffer.concat([length, body, check]);
}

/** A bright disc on a plain ground, as a PNG. */
function makePicture({ width, height } = SIZE) {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	// Eight bits for each of red, green and blue.
	header.set([8, 2, 0, 0, 0], 8);
	const rows = Buffer.alloc(height * (1 + width * 3));
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			const isDisc = Math.hypot(x - width / 2, y - height / 2) < height / 4;
			const shade = Math.round((y / height) * 60);
			const color = isDisc ? [250, 190 - shade, 60] : [90 - shade, 130 - shade, 170 - shade];
			rows.set(color, y * (1 + width * 3) + 1 + x * 3);
		}
	}
	const parts = [
		['IHDR', header],
		['IDAT', deflateSync(rows)],
		['IEND', Buffer.alloc(0)],
	];
	return Buffer.concat([SIGNATURE, ...parts.map(([type, data]) => chunk(type, data))]);
}

module.exports = { makePicture };
