'use strict';

const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { isMainThread } = require('node:worker_threads');

// Loaded into n8n with --require. On SIGUSR2 it frees what nothing needs any more, so that memory
// is compared with what n8n really holds, and not with the garbage of the run before.

if (isMainThread) {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc');
	process.on('SIGUSR2', () => collect());
}
