'use strict';

const { createH264MP4Encoder } = require('h264-mp4-encoder');
const font = require('oled-font-5x7');

// A video that shows its prompt, so that a person can tell one from the next.

const SIZES = {
	landscape: [640, 360],
	portrait: [360, 640],
	square: [480, 480],
	classic: [480, 360],
	upright: [360, 480],
	wide: [672, 288],
};
const FRAMES_PER_SECOND = 8;
const MOST_LINES = 8;
const MARGIN = 20;
const BAR_HEIGHT = 8;
const WHITE = [255, 255, 255, 255];

/** A picture of four bytes a pixel. */
const createPicture = (width, height) => {
	const pixels = Buffer.alloc(width * height * 4);
	return {
		pixels,
		fill([left, top, wide, high], color) {
			for (let y = top; y < top + high; y++) {
				const at = (y * width + left) * 4;
				pixels.fill(Buffer.from(color), at, at + wide * 4);
			}
		},
	};
};

/** Lines of whole words, as far as words fit into one. */
function toLines(text, length) {
	const lines = [''];
	for (const word of text.split(/\s+/)) {
		const longer = `${lines.at(-1)} ${word}`.trim();
		if (longer.length <= length) lines[lines.length - 1] = longer;
		else lines.push(word.slice(0, length));
	}
	return lines.filter(Boolean).slice(0, MOST_LINES);
}

function write(picture, text, width) {
	const dot = Math.floor(width / 150);
	const columns = Math.floor((width - 2 * MARGIN) / ((font.width + 1) * dot));
	for (const [row, line] of toLines(text, columns).entries()) {
		for (const [column, letter] of [...line].entries()) {
			const known = Math.max(font.lookup.indexOf(letter), 0);
			for (let x = 0; x < font.width; x++) {
				for (let y = 0; y < font.height; y++) {
					if (!((font.fontData[known * font.width + x] >> y) & 1)) continue;
					const left = MARGIN + (column * (font.width + 1) + x) * dot;
					const top = MARGIN + (row * (font.height + 3) + y) * dot;
					picture.fill([left, top, dot, dot], WHITE);
				}
			}
		}
	}
}

/** A dark color that depends on the text. */
function colorOf(text, shade) {
	const hue = [...text].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 360, 7);
	const wave = (shift) => Math.cos(((hue + shift) * Math.PI) / 180);
	return [...[0, 120, 240].map((shift) => Math.round(shade * (70 + 50 * wave(shift)))), 255];
}

/** Resolves to an MP4 that shows a text, and how much of it has passed, for so many seconds. */
async function drawVideo(shape, text, seconds) {
	const [width, height] = SIZES[shape];
	const picture = createPicture(width, height);
	for (let y = 0; y < height; y++) {
		picture.fill([0, y, width, 1], colorOf(text, 1 - (0.5 * y) / height));
	}
	write(picture, text, width);
	const encoder = await createH264MP4Encoder();
	const groupOfPictures = FRAMES_PER_SECOND;
	Object.assign(encoder, { width, height, frameRate: FRAMES_PER_SECOND, groupOfPictures });
	encoder.initialize();
	const frames = Math.round(seconds * FRAMES_PER_SECOND);
	for (let frame = 1; frame <= frames; frame++) {
		const passed = Math.round((width * frame) / frames);
		picture.fill([0, height - BAR_HEIGHT, passed, BAR_HEIGHT], WHITE);
		encoder.addFrameRgba(picture.pixels);
	}
	encoder.finalize();
	const file = Buffer.from(encoder.FS.readFile(encoder.outputFilename));
	encoder.delete();
	return file;
}

module.exports = { drawVideo };
