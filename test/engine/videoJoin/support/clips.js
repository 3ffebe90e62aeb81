'use strict';

const { execFileSync, spawnSync } = require('node:child_process');
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const hasFfmpeg = ['ffmpeg', 'ffprobe'].every((tool) => !spawnSync(tool, ['-version']).error);

const folder = mkdtempSync(path.join(os.tmpdir(), 'clips-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = (ending = 'mp4') => path.join(folder, `${++files}.${ending}`);

const ffmpeg = (...args) =>
	execFileSync('ffmpeg', ['-v', 'error', '-y', ...args], { maxBuffer: 2 ** 30 });

/** In each second of a clip with beeps, a flash begins at the same time as a beep. */
const FLASH_SECONDS = 0.48;
const FLASH = `testsrc2=s=160x120:r=25,lutyuv=y=val/4,drawbox=c=white:t=fill:enable='eq(mod(n\\,25)\\,12)'`;
const BEEP = `sin(2*PI*1000*t)*between(mod(t\\,1)\\,${FLASH_SECONDS}\\,0.58)`;

const made = new Map();

/**
 * Makes a clip, once for the same options; without any, one second of H.264 and stereo sound.
 * @param {Record<string, unknown>} [options] those of `make`
 * @returns {Buffer}
 */
function makeClip(options = {}) {
	const key = JSON.stringify(options);
	if (!made.has(key)) made.set(key, make(options));
	return made.get(key);
}

function make({
	size = '160x120',
	fps = '25',
	codec = 'libx264',
	rate = 48000,
	channels = 2,
	seconds = 1,
	soundSeconds = seconds,
	delaySeconds = 0,
	ending = 'mp4',
	args = [],
	beep = false,
}) {
	const file = newFile(ending);
	const seen = beep
		? `${FLASH},trim=duration=${seconds}`
		: `testsrc2=s=${size}:r=${fps}:d=${seconds}`;
	const heard = beep
		? `aevalsrc='${BEEP}':d=${soundSeconds}:s=${rate}`
		: `sine=frequency=440:r=${rate}:d=${soundSeconds}`;
	const input = ['-itsoffset', String(delaySeconds), '-f', 'lavfi', '-i', heard];
	const format = ['-pix_fmt', 'yuv420p', '-c:v', codec, '-c:a', 'aac', '-ac', String(channels)];
	ffmpeg('-f', 'lavfi', '-i', seen, ...input, ...format, ...args, file);
	return readFileSync(file);
}

/** Puts a clip into another file without encoding it. */
function remake(clip, ...args) {
	const file = newFile();
	ffmpeg('-i', write(clip), '-c', 'copy', ...args, file);
	return readFileSync(file);
}

/** Lets a clip begin later without encoding it: its edit list hides what is before. */
function trim(clip, seconds, ...args) {
	const file = newFile();
	ffmpeg('-ss', String(seconds), '-i', write(clip), '-c', 'copy', ...args, file);
	return readFileSync(file);
}

function write(bytes) {
	const file = newFile();
	writeFileSync(file, bytes);
	return file;
}

const decoded = new WeakMap();

/** Decodes everything; returns what ffmpeg complains about, and a hash of each picture. */
function decode(bytes) {
	if (!decoded.has(bytes)) decoded.set(bytes, decodeOnce(bytes));
	return decoded.get(bytes);
}

/** Returns a hash of each picture, also of those that an edit list hides, if they can be decoded. */
const allPictures = (bytes) => decodeOnce(bytes, '-ignore_editlist', '1').pictures;

function decodeOnce(bytes, ...options) {
	const strict = ['-v', 'warning', '-err_detect', 'explode', '-xerror', ...options];
	const input = ['-i', write(bytes)];
	const all = ['-fps_mode', 'passthrough', '-f', 'null', '-'];
	const hashes = ['-map', '0:v', '-fps_mode', 'passthrough', '-f', 'framemd5', '-'];
	const { stdout, stderr } = spawnSync('ffmpeg', [...strict, ...input, ...all, ...hashes]);
	const lines = stdout.toString().trim().split('\n');
	return {
		complaints: stderr.toString(),
		pictures: lines.filter((line) => !line.startsWith('#')).map((line) => line.split(',').at(-1)),
	};
}

/** @returns {Array<{ codec_type: string, duration: string, nb_frames: string }>} */
function probe(bytes) {
	const fields = ['-show_entries', 'stream=codec_type,duration,nb_frames', '-of', 'json'];
	const json = execFileSync('ffprobe', ['-v', 'error', ...fields, write(bytes)]);
	return JSON.parse(json).streams;
}

const BEEP_LEVEL = 6000;

/** How many milliseconds each beep is behind the next flash, if frames of sound are played back to back. */
function beepDelays(bytes) {
	const file = write(bytes);
	const raw = ['-vf', 'scale=1:1,format=gray,fps=25', '-f', 'rawvideo', '-'];
	const pictures = [...ffmpeg('-i', file, '-map', '0:v', ...raw)];
	const flashes = pictures.flatMap((light, i) => (light > 100 ? [i / 25] : []));
	const mono = '-map 0:a -ac 1 -ar 48000 -f s16le -'.split(' ');
	const bytesOfSound = ffmpeg('-i', file, ...mono);
	const beeps = [];
	let quiet = Infinity;
	for (let at = 0; at + 2 <= bytesOfSound.length; at += 2) {
		const isLoud = Math.abs(bytesOfSound.readInt16LE(at)) > BEEP_LEVEL;
		if (isLoud && quiet > 9_600) beeps.push(at / 2 / 48_000);
		quiet = isLoud ? 0 : quiet + 1;
	}
	return beeps.map((beep) => {
		const delays = flashes.map((flash) => (beep - flash) * 1000);
		return delays.reduce((one, other) => (Math.abs(other) < Math.abs(one) ? other : one), Infinity);
	});
}

/**
 * What mp4box.js reads of a file.
 * @returns {Promise<{ seconds: number, tracks: Array<{ samples: number }> }>}
 */
async function readWithMp4Box(bytes) {
	const { createFile } = require('mp4box');
	const file = createFile();
	const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
	copy.fileStart = 0;
	return await new Promise((resolve, reject) => {
		file.onError = (module, message) => reject(new Error(`${module}: ${message}`));
		file.onReady = (info) =>
			resolve({
				seconds: info.duration / info.timescale,
				tracks: info.tracks.map(({ nb_samples }) => ({ samples: nb_samples })),
			});
		file.appendBuffer(copy);
		file.flush();
	});
}

module.exports = {
	allPictures,
	beepDelays,
	decode,
	hasFfmpeg,
	makeClip,
	probe,
	readWithMp4Box,
	remake,
	trim,
};
