'use strict';

/** Returns how often to try something random: a fifth in `npm test`, all by hand and with `--all`. */
const runs = (all) => Math.ceil(all / (process.env.DAILY ? 5 : 1));

module.exports = { runs };
