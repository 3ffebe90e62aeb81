'use strict';

// What a vendor documents about a field's values, so that a gateway or a client that sends anything
// else is refused here as it would be there.

const at = (body, path) => path.split('.').reduce((value, key) => value?.[key], body);

/** @returns {[(value: unknown) => boolean, string]} */
const oneOf = (...values) => [
	(value) => values.includes(value),
	`must be one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
];
const whole = (from, to) => [
	(value) => Number.isInteger(value) && value >= from && value <= to,
	`must be a whole number from ${from} to ${to}`,
];
const flag = [(value) => typeof value === 'boolean', 'must be true or false'];
const text = [(value) => typeof value === 'string', 'must be a string'];
/** Base64 as RFC 4648 has it: the usual alphabet, padded, without a prefix. */
const isBase64 = (value) =>
	typeof value === 'string' && value.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value);
const isAddress = (value) => /^https?:\/\/\S+$/.test(String(value));
/** An address or a data URI. */
const mediaUrl = [
	(value) => isAddress(value) || /^data:[\w.+-]+\/[\w.+-]+;base64,\S+$/.test(String(value)),
	'must be an http(s) address or a data URI',
];

/**
 * The first thing that is wrong with a body, as a sentence.
 * @param {unknown} body
 * @param {Record<string, [(value: unknown) => boolean, string]>} rules by path, e.g. "input.prompt";
 *   a path that ends with "!" must be there
 * @returns {string | undefined}
 */
function problemOf(body, rules) {
	if (typeof body !== 'object' || body === null) return 'the body is not a JSON object';
	for (const [path, [fits, says]] of Object.entries(rules)) {
		const name = path.replace(/!$/, '');
		const value = at(body, name);
		const missing = value === undefined || value === null || value === '';
		if (missing && path !== name) return `${name} is required`;
		if (!missing && !fits(value)) return `${name} ${says}`;
	}
	return undefined;
}

module.exports = { problemOf, oneOf, whole, flag, text, mediaUrl, isBase64, isAddress };
