'use strict';

/** Returns how often to try something random: a fifth in `npm test`, all by hand and with `--all`. */
const runs = (all) => Math.ceil(all / (process.env.DAILY ? 5 : 1));

/** How many files of each kind are changed: with FUZZ=16000 so many, and others each time. */
const FUZZ = {
	runs: Number(process.env.FUZZ ?? 600),
	seed: process.env.FUZZ ? Date.now() % 2 ** 31 : 58,
	timeoutMs: process.env.FUZZ ? 24 * 3600 * 1000 : 90_000,
};

module.exports = { runs, FUZZ };
