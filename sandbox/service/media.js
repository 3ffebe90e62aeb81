'use strict';

const { readFileSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

// The videos are small and read once; a video of any size is one of them followed by a `free` box,
// which players skip. The filling is written from one buffer, so memory does not grow with size.

const FOLDER = join(__dirname, 'media');
const VIDEOS = readdirSync(FOLDER)
	.filter((name) => name.endsWith('.mp4'))
	.map((name) => name.slice(0, -'.mp4'.length));

const files = new Map(VIDEOS.map((name) => [name, readFileSync(join(FOLDER, `${name}.mp4`))]));

const FILLING = Buffer.alloc(64 * 1024);
const LONG_HEADER_BYTES = 16;
const LARGEST_SHORT_BOX = 2 ** 32 - 1;
const smallestSize =
	Math.max(...[...files.values()].map(({ length }) => length)) + LONG_HEADER_BYTES;

/** Header of a `free` box; ISO 14496-12 has a 64-bit size for boxes of 4 GiB and more. */
function freeBoxHeader(length) {
	const long = length > LARGEST_SHORT_BOX;
	const header = Buffer.alloc(long ? LONG_HEADER_BYTES : 8);
	header.writeUInt32BE(long ? 1 : length, 0);
	header.write('free', 4, 'latin1');
	if (long) header.writeBigUInt64BE(BigInt(length), 8);
	return header;
}

const SHAPES = {
	landscape: 16 / 9,
	portrait: 9 / 16,
	square: 1,
	classic: 4 / 3,
	upright: 3 / 4,
	wide: 21 / 9,
};

/** Which of the videos fits the shape that was asked for, e.g. "720x1280" or "9:16". */
function videoFor(shape) {
	const [, width, height] = /^\s*(\d+)\s*[x:*]\s*(\d+)\s*$/i.exec(shape ?? '') ?? [];
	const off = (name) => Math.abs(Math.log((SHAPES[name] * height) / width));
	const isNearer = (one, other) => (off(other) < off(one) ? other : one);
	return Object.keys(SHAPES).reduce(isNearer);
}

/** Where a duration is in its box, in milliseconds, counted from the type: mvhd is the whole film. */
const DURATIONS = { mvhd: 20, tkhd: 24, elst: 12 };
/** Where the track's clock is, by which its pictures are shown. */
const CLOCK = { timescale: 16, duration: 20 };

/** The same pictures, shown for so many seconds in all. The sound stays as it is. */
function lasting(file, seconds) {
	const film = Buffer.from(file);
	// The track of the pictures is the first one.
	for (const [box, at] of Object.entries(DURATIONS)) {
		film.writeUInt32BE(seconds * 1000, film.indexOf(box) + at);
	}
	const mdhd = film.indexOf('mdhd');
	const ticks = film.readUInt32BE(mdhd + CLOCK.duration);
	film.writeUInt32BE(Math.round(ticks / seconds), mdhd + CLOCK.timescale);
	return film;
}

/** Opens one of VIDEOS, of the length that was asked for, as `openFile` does. */
function openVideo(name, sizeBytes, seconds) {
	const original = files.get(name);
	if (!original) throw new Error(`There is no video "${name}"`);
	return openFile(seconds ? lasting(original, seconds) : original, sizeBytes);
}

/** Opens a file, filled up to `sizeBytes`; of what is read, `to` is exclusive. */
function openFile(file, sizeBytes) {
	const length = sizeBytes ?? file.length;
	const padding = length - file.length;
	const head = padding > 0 ? Buffer.concat([file, freeBoxHeader(padding)]) : file;
	function* read(from, to) {
		if (from < head.length) yield head.subarray(from, Math.min(to, head.length));
		for (let at = Math.max(from, head.length); at < to; at += FILLING.length) {
			yield FILLING.subarray(0, Math.min(FILLING.length, to - at));
		}
	}
	return { length, read };
}

const readPng = (name) =>
	Buffer.from(readFileSync(join(FOLDER, `${name}.base64`), 'latin1'), 'base64');

/** A PNG for workflows that begin with a picture, where there is nobody to send one. */
const PICTURE = readPng('picture');

const lastFrames = new Map(VIDEOS.map((name) => [name, readPng(`${name}-last-frame`)]));

/** The last frame of one of VIDEOS as an answer. */
const lastFrameAnswer = (name) => ({
	status: 200,
	headers: { 'content-type': 'image/png' },
	text: lastFrames.get(name),
});

/** Half a second of a tone of 440 Hz, as a WAV with 8,000 samples of 16 bits per second. */
function makeSound() {
	const samples = Buffer.alloc(8000);
	for (let i = 0; i < 4000; i++) {
		samples.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * 440 * i) / 8000)), 2 * i);
	}
	const header = Buffer.alloc(44);
	header.write('RIFF----WAVEfmt ----', 0, 'latin1');
	header.writeUInt32LE(36 + samples.length, 4);
	header.writeUInt32LE(16, 16);
	// PCM, one channel, samples and bytes per second, bytes and bits per sample.
	for (const [i, value] of [1, 1].entries()) header.writeUInt16LE(value, 20 + 2 * i);
	for (const [i, value] of [8000, 16000].entries()) header.writeUInt32LE(value, 24 + 4 * i);
	for (const [i, value] of [2, 16].entries()) header.writeUInt16LE(value, 32 + 2 * i);
	header.write('data', 36, 'latin1');
	header.writeUInt32LE(samples.length, 40);
	return Buffer.concat([header, samples]);
}
const SOUND = makeSound();

const soundAnswer = () => ({ status: 200, headers: { 'content-type': 'audio/wav' }, text: SOUND });

module.exports = {
	...{ VIDEOS, smallestSize, videoFor, openVideo },
	...{ PICTURE, lastFrameAnswer, SOUND, soundAnswer },
};
