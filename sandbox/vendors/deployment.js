'use strict';

const { isObject } = require('../service/answers');
const { problemOfPlan } = require('./plan');

// What holds for all vendors until a plan says otherwise; changeable while they run.

const DEFAULTS = {
	queuedPolls: 1,
	runningPolls: 1,
	latencyMs: 0,
	bodyLimitBytes: 64 * 1024 * 1024,
	plan: {},
	/** The wire's end of the sandbox service asks for it; vendors have their own lists of answers. */
	outage: null,
};

const number = (value) =>
	Number.isFinite(value) && value >= 0 ? undefined : 'is a number from 0 up';

const CHECKS = {
	queuedPolls: number,
	runningPolls: number,
	latencyMs: number,
	bodyLimitBytes: number,
	plan: problemOfPlan,
};

/** The deployment with some of its settings changed; throws on a setting that does not exist. */
function changeDeployment(deployment, changes) {
	if (!isObject(changes)) throw new TypeError('A deployment is changed with an object of settings');
	for (const [key, value] of Object.entries(changes)) {
		if (!Object.hasOwn(CHECKS, key)) {
			const names = Object.keys(CHECKS).join(', ');
			throw new TypeError(`The vendors have no setting "${key}" (they have ${names})`);
		}
		const problem = CHECKS[key](value);
		if (problem) throw new TypeError(`Setting "${key}": ${problem}`);
	}
	return { ...deployment, ...changes };
}

module.exports = { DEFAULTS, changeDeployment };
