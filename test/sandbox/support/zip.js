'use strict';

const { brotliDecompressSync, gunzipSync, inflateSync } = require('node:zlib');

module.exports = { brotliDecompressSync, gunzipSync, inflateSync };
