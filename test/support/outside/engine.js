'use strict';

const { createEngine } = globalThis.outside.require('../engine/index');

module.exports = { createEngine };
