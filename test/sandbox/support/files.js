'use strict';

const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

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

module.exports = { sha256, readMedia, readPage, hasFfprobe, ffprobe };
