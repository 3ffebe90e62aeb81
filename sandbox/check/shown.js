'use strict';

const MAX_LENGTH = 220;
const HIDDEN = '[API key]';
/** What moves a terminal's cursor, colours it or turns its text around. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]+/gu;

const HTML = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** How a server may write a key that it quotes. */
function formsOf(key) {
	// Gateways take a key with and without this prefix, and may quote it without.
	const bare = key.replace(/^sk-/i, '');
	const names = [key, ...(bare.length >= 8 ? [bare] : [])];
	return names.flatMap((name) => [
		name,
		encodeURIComponent(name),
		JSON.stringify(name).slice(1, -1),
		name.replace(/[&<>"']/g, (sign) => HTML[sign]),
		Buffer.from(name).toString('base64').replace(/=+$/, ''),
		Buffer.from(name).toString('base64url'),
	]);
}

/** As a reader may read it: with what JSON, addresses and pages write in other characters. */
const decoded = (text) =>
	text
		.replace(/\\u([\da-f]{4})/gi, (_all, hex) => String.fromCharCode(parseInt(hex, 16)))
		.replace(/%([\da-f]{2})/gi, (_all, hex) => String.fromCharCode(parseInt(hex, 16)))
		.replace(/&#x([\da-f]{2,4});/gi, (_all, hex) => String.fromCharCode(parseInt(hex, 16)))
		.replace(/&#(\d{2,5});/g, (_all, number) => String.fromCharCode(Number(number)));

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * What makes a text fit to be shown: one line, without what only a terminal reads, without the keys,
 * cut. In this order: what is taken out may have stood inside a key, and half a key is still one.
 * @param {string[]} keys
 * @returns {(value: unknown, maxLength?: number) => string}
 */
function createShow(keys) {
	const forms = [...new Set(keys.flatMap(formsOf))].sort((one, other) => other.length - one.length);
	const pattern = new RegExp(forms.map(escaped).join('|'), 'gi');
	return (value, maxLength = MAX_LENGTH) => {
		const line = String(value).replace(/\s+/g, ' ').replace(INVISIBLE, '').trim();
		const plain = line.replace(pattern, HIDDEN);
		const isHidden = [decoded(plain), decoded(decoded(plain))].every(
			(text) => text.search(pattern) < 0,
		);
		const safe = isHidden ? plain : `words that hold ${HIDDEN}`;
		return safe.length > maxLength ? `${safe.slice(0, maxLength)}…` : safe;
	};
}

module.exports = { createShow, HIDDEN };
