'use strict';

// The forms in which an answer of one or more chunks travels.

const FORMS = {
	sse: {
		type: 'text/event-stream',
		before: () => 'data: ',
		after: () => '\r\n\r\n',
		alive: ': keep-alive\r\n\r\n',
	},
	array: {
		type: 'application/json; charset=utf-8',
		before: (index) => (index === 0 ? '[' : ',\r\n'),
		after: (_index, isLast) => (isLast ? ']' : ''),
		alive: '\r\n',
	},
	lines: {
		type: 'application/x-ndjson',
		before: () => '',
		after: () => '\n',
		alive: '\n',
	},
};

const FORM_NAMES = [...Object.keys(FORMS), 'object'];

module.exports = { FORMS, FORM_NAMES };
