'use strict';

const { fail } = require('../service/commandLine');
const { SHORTEST_KEY } = require('./keyForms');
const { BAD_USAGE } = require('./options');

/** Takes the keys out of the environment, so that nothing started from here inherits them. */
function takeKeys(env) {
	const { VIDEO_API_KEY: key = '', TEXT_API_KEY: textKey = '' } = env;
	delete env.VIDEO_API_KEY;
	delete env.TEXT_API_KEY;
	return { key: key.trim(), textKey: textKey.trim() };
}

/** What could not be sent, or could not be told from other words in what is shown. */
function ensureUsable(key) {
	if (/^[\x21-\x7e]{1,1000}$/.test(key) && key.length >= SHORTEST_KEY) return key;
	return fail('The key is too short or holds characters that no key has.', BAD_USAGE);
}

/** Both keys, asked for where the environment has none; or the end with 2. */
async function completeKeys({ key, textKey }, terminal) {
	if (!key && !terminal.isAttended) {
		fail('There is no terminal to ask for the key: set VIDEO_API_KEY.', BAD_USAGE);
	}
	const known = ensureUsable(key || (await terminal.askHidden('API key (not shown): ')));
	return { key: known, textKey: textKey ? ensureUsable(textKey) : known };
}

module.exports = { completeKeys, takeKeys };
