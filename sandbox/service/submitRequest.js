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
	duration: { type: 'int', fits: () => true },
	seconds: { type: 'string', fits: isText },
	mode: { type: 'string', fits: isText },
	input_reference: { type: 'string', fits: isText },
	metadata: { type: 'map[string]interface {}', fits: () => true },
};

const kindOf = (value) => (Array.isArray(value) ? 'array' : typeof value);

function misfit(body) {
	for (const [field, { type, fits }] of Object.entries(READ_FIELDS)) {
		const value = body[field];
		if (value !== undefined && value !== null && !fits(value)) {
			return `json: cannot unmarshal ${kindOf(value)} into Go struct field .Alias.${field} of type ${type}`;
		}
	}
	return undefined;
}

/** Text that says what a field should be counts; what says nothing is as if it were not there. */
function toRead({ duration, metadata, ...request }) {
	const isWhole = /^\d+$/.test(String(duration ?? ''));
	const object = isObject(metadata) ? metadata : parsed(metadata);
	return {
		...request,
		...(isWhole && { duration: Number(duration) }),
		...(object && { metadata: object }),
	};
}

function parsed(text) {
	try {
		const value = JSON.parse(text);
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/**
 * @param {Buffer} bytes
 * @returns {{ unread?: string, model?: string, problem?: string, request?: object, dropped?: string[] }}
 */
function readSubmit(bytes) {
	let body;
	try {
		body = JSON.parse(bytes.toString('utf8'));
	} catch {
		return { unread: 'Invalid request: Invalid request: invalid JSON request body' };
	}
	if (!isObject(body) || body.model === undefined || body.model === '') {
		return { unread: 'Model name not specified, model name cannot be empty' };
	}
	if (!isText(body.model)) {
		return { unread: 'Invalid request: Invalid request: field model must be a string' };
	}
	const { model } = body;
	const problem = misfit(body);
	if (problem) return { model, problem };
	if (!body.prompt?.trim()) return { model, problem: 'prompt is required' };
	const isRead = ([field]) => Object.hasOwn(READ_FIELDS, field);
	const isSent = ([, value]) => value !== null;
	const fields = Object.entries(body);
	return {
		model,
		request: toRead(Object.fromEntries(fields.filter(isRead).filter(isSent))),
		dropped: fields.filter((field) => !isRead(field)).map(([field]) => field),
	};
}

module.exports = { readSubmit };
