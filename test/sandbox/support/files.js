'use strict';

const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { brotliDecompressSync, gunzipSync, inflateSync } = require('node:zlib');

const ROOT = join(__dirname, '..', '..', '..');

const sha256 = (value) => createHash('sha256').update(value).digest('hex');

const readMedia = (name) => readFileSync(join(ROOT, 'sandbox/service/media', `${name}.mp4`));

/** A page of docs/. */
const readPage = (name) => readFileSync(join(ROOT, 'docs', `${name}.md`), 'utf8');

module.exports = {
	brotliDecompressSync,
	gunzipSync,
	inflateSync,
	sha256,
	readMedia,
	readPage,
};
