'use strict';

const { SHORTEST_KEY, createKeyFinder } = require('./keyForms');

// A key among the arguments of a command: everybody on the machine can read those.

const KEY_ARGUMENT =
	'A key is never an argument: process lists and the history of the shell show it. Set VIDEO_API_KEY, ' +
	'or leave it out and enter it when asked. If that was a real key, replace it.';

/** Options that people try, and what keys of well-known makers and of gateways look like. */
const OPTION =
	/^--?([\w-]*-)?(api-?|text-?)?(key|token|secret|password|bearer|authorization)\s*([=:]|\s|$)/i;
const BEGINS = /(^|=)(sk|pk|rk)-[\w-]{6,}|[:/@\s]sk-[\w-]{20,}|(^|=)AIza[\w-]{20,}|\bBearer\s/i;
/** Long, of small letters, capitals and digits at once, or of hex digits: no model has such a name. */
const RANDOM = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w-]{28,}$|^[\da-fA-F]{32,}$/;

/**
 * Whether an argument is a key, or looks like one.
 * @param {string} argument
 * @param {string[]} keys those that are known
 */
function holdsKey(argument, keys = []) {
	const value = argument.replace(/^--[\w-]+=/, '');
	if (OPTION.test(argument) || BEGINS.test(argument) || RANDOM.test(value)) return true;
	return createKeyFinder(keys.filter((key) => key.length >= SHORTEST_KEY))(argument);
}

module.exports = { KEY_ARGUMENT, holdsKey };
