'use strict';

const { isObject } = require('./answers');

// What the service reads of a submit's body. Any other top-level field is dropped in silence.

const isText = (value) => typeof value === 'string';

/** @type {Record<string, { type: string, fits: (value: unknown) => boolean }>} */
const READ_FIELDS = {
	model: { type: 'string', fits: isText },
	prompt: { type: 'string', fits: isText },
	image: { type: 'string', fits: isText },
	images: { type: '[]string', fits: (value) => Array.isArray(value) && value.every(isText) },
	size: { type: 'string', fits: isText },
	duration: { type: 'int', fits: Number.isInteger },
	seconds: { type: 'string', fits: isText },
	mode: { type: 'string', fits: isText },
	input_reference: { type: 'string', fits: isText },
	metadata: { type: 'map[string]interface {}', fits: isObject },
};

const kindOf = (value) => (Array.isArray(value) ? 'array' : typeof value);

function misfit(body) {
	for (const [field, { type, fits }] of Object.entries(READ_FIELDS)) {
		const value = body[field];
		if (value !== undefined && value !== null && !fits(value)) {
			return `json: cannot unmarshal ${kindOf(value)} into Go struct field .${field} of type ${type}`;
		}
	}
	return undefined;
}

/**
 * @param {Buffer} bytes
 * @returns {{ problem?: string, request?: object, dropped?: string[] }}
 */
function readSubmit(bytes) {
	let body;
	try {
		body = JSON.parse(bytes.toString('utf8'));
	} catch (error) {
		return { problem: `invalid JSON: ${error.message}` };
	}
	if (!isObject(body)) return { problem: 'invalid JSON: an object is expected' };
	const problem = misfit(body);
	if (problem) return { problem };
	if (!body.model) return { problem: 'field model is required' };
	if (!body.prompt) return { problem: 'field prompt is required' };
	const isRead = ([field]) => Object.hasOwn(READ_FIELDS, field);
	const isSent = ([, value]) => value !== null;
	const fields = Object.entries(body);
	return {
		request: Object.fromEntries(fields.filter(isRead).filter(isSent)),
		dropped: fields.filter((field) => !isRead(field)).map(([field]) => field),
	};
}

module.exports = { readSubmit };
