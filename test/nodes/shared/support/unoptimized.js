'use strict';

const { setFlagsFromString } = require('node:v8');

/**
 * V8 stops optimizing patterns in a process that has compiled much code, as n8n has after some time.
 * From then on a loop over one character class takes stack for each character, and overflows on the
 * text of a picture of some MB ("Maximum call stack size exceeded").
 */
const stopOptimizing = () => setFlagsFromString('--no-regexp-optimization');

module.exports = { stopOptimizing };
