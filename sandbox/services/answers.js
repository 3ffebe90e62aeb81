'use strict';

// What stand-ins of hosted services answer: errors, unknown addresses, and a record's templates.

/** The forms of an error. */
const ERRORS = {
	openai: (message, code) => ({
		error: { message, type: 'invalid_request_error', param: null, code },
	}),
	envelope: (message, code) => ({ code, message, data: null }),
	detail: (message) => ({ detail: message }),
};

const PAGE = '<!doctype html><html><head><title>404 Not Found</title></head><body></body></html>';

/** What an address that no page knows answers: status and body. */
const UNKNOWN_PATHS = {
	json404: () => [404, { error: { message: 'Not found' } }],
	newApi: ({ method, url }) => [
		...[
			404,
			{ error: { message: `Invalid URL (${method} ${url})`, type: 'invalid_request_error' } },
		],
	],
	detail: () => [404, { detail: 'Not Found' }],
	html: () => [404, PAGE],
	405: ({ method }) => (method === 'POST' ? [405, 'Method Not Allowed'] : [404, PAGE]),
	noChannel: ({ method }) => {
		if (method !== 'POST') return [404, { error: { message: 'Not found' } }];
		return [503, { error: { message: 'No available channel', code: 'model_not_found' } }];
	},
};

/** A template with the values of a task; a value that is missing leaves its field out. */
function fill(template, values) {
	if (Array.isArray(template)) return template.map((one) => fill(one, values));
	if (typeof template === 'object' && template !== null) {
		const entries = Object.entries(template).map(([name, one]) => [name, fill(one, values)]);
		return Object.fromEntries(entries.filter(([, one]) => one !== undefined));
	}
	if (typeof template !== 'string') return template;
	if (/^\$\w+$/.test(template)) return values[template.slice(1)];
	return template.replace(/\$(\w+)/g, (_all, name) => String(values[name]));
}

module.exports = { ERRORS, UNKNOWN_PATHS, fill };
