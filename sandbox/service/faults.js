'use strict';

const { ANSWER_FAULTS } = require('./answerFaults');
const { WIRE_FAULTS } = require('./wireFaults');

/**
 * A fault is either an answer of its own (it has a status, a body, a redirect or a socket event) or
 * a change of how the ordinary answer travels. Where the two differ by place ('submit', 'poll',
 * 'content', 'text' or 'list'), `change` is a function of the place.
 * @typedef {Record<string, { about: string, change: object | ((place: string) => object) }>} FaultTable
 */

/** @type {FaultTable} */
const FAULTS = { ...ANSWER_FAULTS, ...WIRE_FAULTS };

module.exports = { FAULTS };
