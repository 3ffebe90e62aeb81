'use strict';

/** A line for whoever reads the test run; Jest's own console would add where it came from. */
const print = (line) => void process.stdout.write(`${line}\n`);

module.exports = { print };
