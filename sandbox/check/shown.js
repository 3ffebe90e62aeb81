'use strict';

const { createKeyFinder, formsOf } = require('./keyForms');
const { toText } = require('./words');

const MAX_LENGTH = 220;
/** What is looked at behind that; further away no key can begin that is shown in part. */
const LOOKED_AT_BEHIND = 10_000;
const HIDDEN = '[API key]';
/** What moves a terminal's cursor, colours it or turns its text around. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]+/gu;

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * What makes a value fit to be shown: one line, without what only a terminal reads, without the keys,
 * cut. In this order: what is taken out may have stood inside a key, and half a key is still one.
 * Never throws.
 * @param {string[]} keys
 * @returns {(value: unknown, maxLength?: number) => string}
 */
function createShow(keys) {
	const forms = [...new Set(keys.flatMap(formsOf))].sort((one, other) => other.length - one.length);
	const pattern = new RegExp(forms.map(escaped).join('|') || '(?!)', 'gi');
	const holdsKey = createKeyFinder(keys);
	const hide = (line, isWhole) => {
		const plain = line.replace(pattern, HIDDEN);
		const isSafe = plain === line || isWhole;
		return isSafe && !plain.split(HIDDEN).some(holdsKey) ? plain : `words that hold ${HIDDEN}`;
	};
	return (value, maxLength = MAX_LENGTH) => {
		const line = toText(value).replace(/\s+/g, ' ').replace(INVISIBLE, '').trim();
		const end = maxLength + LOOKED_AT_BEHIND;
		const safe = hide(line.slice(0, end), line.length <= end);
		return safe.length > maxLength ? `${safe.slice(0, maxLength)}…` : safe;
	};
}

module.exports = { createShow, HIDDEN };
