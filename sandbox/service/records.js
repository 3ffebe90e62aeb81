'use strict';

const { createHash } = require('node:crypto');

// One record per request, begun before anything is decided, so that a request which was cut, hung
// or refused is in the list too.

const LONGEST_KEPT_TEXT = 1024;
const BASE64 = /^(data:[^,]{0,100};base64,)?[A-Za-z0-9+/_-]+={0,2}$/;

const fingerprint = (value) => ({
	length: value.length,
	sha256: createHash('sha256').update(value).digest('hex'),
});

/** The same value with long base64 texts replaced by their length and hash. */
function shorten(value) {
	if (typeof value === 'string') {
		return value.length > LONGEST_KEPT_TEXT && BASE64.test(value) ? fingerprint(value) : value;
	}
	if (Array.isArray(value)) return value.map(shorten);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shorten(part)]));
}

/** JSON as a value, anything else as text, no body as undefined. */
function readableBody(bytes) {
	if (bytes.length === 0) return undefined;
	const text = bytes.toString('utf8');
	try {
		return shorten(JSON.parse(text));
	} catch {
		return shorten(text);
	}
}

function newRecord(n, origin, request) {
	const [path] = request.url.split('?');
	return {
		n,
		at: Date.now(),
		origin,
		method: request.method,
		url: request.url,
		path,
		query: { ...request.query },
		headers: { ...request.headers },
		body: undefined,
		taskId: undefined,
		status: null,
		key: 'none',
		aborted: false,
		sentBytes: 0,
	};
}

const pathMatches = (wanted, path) =>
	wanted instanceof RegExp ? wanted.test(path) : path.startsWith(wanted);

/** Whether a record is what `count({...})` asks for. */
function matches(record, filter) {
	const { path, ...rest } = filter;
	if (path !== undefined && !pathMatches(path, record.path)) return false;
	return Object.entries(rest).every(
		([field, value]) => value === undefined || record[field] === value,
	);
}

module.exports = { newRecord, readableBody, shorten, matches };
