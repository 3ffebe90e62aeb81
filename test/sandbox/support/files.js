'use strict';

const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { brotliDecompressSync, gunzipSync, inflateSync } = require('node:zlib');

const ROOT = join(__dirname, '..', '..', '..');

const sha256 = (value) => createHash('sha256').update(value).digest('hex');

const readMedia = (name) => readFileSync(join(ROOT, 'sandbox/service/media', `${name}.mp4`));

/** A page of docs/. */
const readPage = (name = 'sandbox-service') =>
	readFileSync(join(ROOT, 'docs', `${name}.md`), 'utf8');

/** Whether ffprobe can judge the files; says on the terminal why not. */
function hasFfprobe() {
	const found = spawnSync('ffprobe', ['-version']).status === 0;
	if (!found) process.stderr.write('Not judged by ffprobe: it is not installed here.\n');
	return found;
}

/** What ffprobe reads of a file, after decoding every frame of it. */
function ffprobe(name) {
	const path = join(ROOT, 'sandbox/service/media', `${name}.mp4`);
	const show = 'stream=codec_name,pix_fmt,width,height,nb_read_frames:format=duration';
	const options = ['-v', 'error', '-count_frames', '-show_entries', show, '-of', 'json', path];
	const { stdout, stderr } = spawnSync('ffprobe', options, { encoding: 'utf8' });
	return { ...JSON.parse(stdout), complaints: stderr.trim() };
}

/**
 * Walks the boxes of an MP4 file (ISO 14496-12), independent of the code that serves it.
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

module.exports = {
	boxesOf,
	brotliDecompressSync,
	gunzipSync,
	inflateSync,
	sha256,
	readMedia,
	readPage,
	hasFfprobe,
	ffprobe,
};
