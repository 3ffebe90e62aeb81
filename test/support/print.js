'use strict';

/** A line for whoever reads the test run; through Jest's console, which no worker process loses. */
const print = (line) => console.info(line);

module.exports = { print };
