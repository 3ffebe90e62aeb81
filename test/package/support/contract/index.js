'use strict';

const { changesSince } = require('./compare');
const { readContract } = require('./read');

module.exports = { changesSince, readContract };
