'use strict';

// The values of a server as words. Nothing in them is taken for granted: an object may have a
// `toString` that is no function, or be nested more deeply than can be written down.

/** Anything as a text, as long as it comes; whoever shows it cuts it. Never throws. */
function toText(value) {
	if (typeof value === 'string') return value;
	return value === undefined ? '' : toJson(value);
}

/** The same with texts in quotation marks. */
function toJson(value) {
	try {
		return JSON.stringify(value) ?? 'absent';
	} catch {
		return 'a value that is nested too deeply';
	}
}

/** A task's ID as it came, where each of its characters can be seen; otherwise as JSON has it. */
function nameOf(id) {
	if (/^[\x21-\x7e]+$/.test(id)) return id;
	return JSON.stringify(id).replace(/[^\x21-\x7e]/g, (sign) => {
		return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
	});
}

module.exports = { nameOf, toJson, toText };
