'use strict';

/**
 * Lets n8n try its patterns as long as it takes. It gives each 250 ms of the clock on the wall, which a
 * busy machine may spend on other tests, and a node then fails for no reason of its own.
 * @param {Pick<typeof import('n8n-workflow'), 'setSafeRegexEngine'>} workflow n8n-workflow
 */
function setPatientPatterns({ setSafeRegexEngine }) {
	setSafeRegexEngine({
		exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
		test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
		replace: (pattern, input, flags, by) => input.replace(new RegExp(pattern, flags), by),
		matchAll: (pattern, input, flags = '') => [
			...input.matchAll(new RegExp(pattern, flags.includes('g') ? flags : `${flags}g`)),
		],
		split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
	});
}

module.exports = { setPatientPatterns };
