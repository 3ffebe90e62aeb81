'use strict';

const { entryCheck } = require('../service/answers');
const { ANSWER_FAULTS } = require('../service/answerFaults');
const { WIRE_FAULTS } = require('../service/wireFaults');

// What a plan's lists of answers may hold. The words are the sandbox service's; what is an error
// there is the same error here in the words of the vendor that was asked, so that it is the gateway
// that makes the service's answer of it.

/** @typedef {'badRequest' | 'unauthorized' | 'noQuota' | 'forbidden' | 'notFound404' | 'rateLimited' | 'json500' | 'json503' | 'filtered'} Refusal */

/** @type {Record<Refusal, { about: string, status: number, message: string }>} */
const REFUSALS = {
	badRequest: { about: 'a field is wrong', status: 400, message: 'A field has a wrong value' },
	unauthorized: { about: 'the vendor key is wrong', status: 401, message: 'The key is not valid' },
	noQuota: { about: 'the account is empty', status: 402, message: 'The balance is not enough' },
	forbidden: { about: 'the account may not do it', status: 403, message: 'Permission denied' },
	notFound404: { about: 'there is no such task', status: 404, message: 'Not found' },
	rateLimited: { about: 'too many requests', status: 429, message: 'Too many requests' },
	json500: { about: 'the vendor has a defect', status: 500, message: 'Internal error' },
	json503: { about: 'the vendor is overloaded', status: 503, message: 'The model is overloaded' },
	filtered: { about: 'the input is not allowed', status: 400, message: 'The input was blocked' },
};

const AS_AT_THE_SERVICE = {
	...Object.fromEntries(
		['html502', 'html503', 'html504', 'html200', 'empty200', 'empty500'].map((name) => [
			name,
			ANSWER_FAULTS[name],
		]),
	),
	...WIRE_FAULTS,
};

const FAULTS = { ...REFUSALS, ...AS_AT_THE_SERVICE };

const KEYS = new Set([
	...['status', 'message', 'json', 'text', 'html', 'headers', 'delayMs', 'accept', 'fault'],
	...['socket', 'cutAfterBytes', 'stallAfterBytes'],
]);
const BODY_KEYS = ['json', 'text', 'html', 'socket'];

const problemOfEntry = entryCheck(FAULTS, KEYS);

/** A status without a body is the vendor's own error of that status. */
const refusalOfStatus = (status) =>
	Object.keys(REFUSALS).find((name) => REFUSALS[name].status === status) ?? 'json500';

/**
 * The change of an answer that an entry asks for, `undefined` for none.
 * @param {object} vendor whose words an error is said in
 * @param {string} place 'submit', 'poll', 'content' or 'text'
 */
function toChange(vendor, entry, place) {
	if (entry === undefined || entry === 'ok') return undefined;
	const { fault, message, ...rest } = typeof entry === 'string' ? { fault: entry } : entry;
	const hasOwnBody = BODY_KEYS.some((key) => key in rest);
	if (fault && Object.hasOwn(REFUSALS, fault)) return { ...vendor.refuse(fault, message), ...rest };
	if (!fault && !hasOwnBody && rest.status >= 400) {
		return { ...vendor.refuse(refusalOfStatus(rest.status), message), ...rest };
	}
	const change = fault ? AS_AT_THE_SERVICE[fault].change : {};
	return { ...(typeof change === 'function' ? change(place) : change), ...rest };
}

module.exports = { FAULTS, REFUSALS, problemOfEntry, toChange };
