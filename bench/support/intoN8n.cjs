'use strict';

const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { isMainThread } = require('node:worker_threads');

// Loaded into n8n with --require: on SIGUSR2 it frees what nothing needs any more, so that memory is what
// n8n really holds.

if (isMainThread) {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc');
	process.on('SIGUSR2', () => collect());
}
