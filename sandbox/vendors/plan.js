'use strict';

const { isObject } = require('../service/answers');
const { problemOfPlan: problemOfServicePlan } = require('../service/plan');
const { problemOfEntry } = require('./faults');

// A plan is the JSON object behind the word `sandbox:` in a prompt, as at the sandbox service: a
// gateway hands prompts on, so a person in n8n can tell the vendor behind the gateway what to do.

const wholeFrom0 = (value) =>
	Number.isSafeInteger(value) && value >= 0 ? undefined : 'is a whole number from 0 up';

const answers = (value) => {
	const entries = [value].flat();
	return entries.length === 0 ? 'is empty' : entries.map(problemOfEntry).find(Boolean);
};

const OWN_KEYS = {
	queuedPolls: wholeFrom0,
	runningPolls: wholeFrom0,
	submit: answers,
	poll: answers,
	content: answers,
	text: answers,
};

/** Keys that mean here what they mean at the sandbox service. */
const SHARED_KEYS = [
	...['outcome', 'failReason', 'video', 'sizeBytes', 'range', 'etag', 'lastModified'],
	...['calls', 'says', 'blocked', 'finishReason', 'noParts', 'thoughts', 'image', 'candidates'],
	...['nullUsage', 'chunks', 'chunkDelayMs', 'errorAfterChunks', 'keepAlive', 'pieceBytes'],
];

/** @returns {string | undefined} a sentence about the first thing that is wrong with a plan */
function problemOfPlan(plan) {
	if (!isObject(plan)) return 'a plan is a JSON object';
	for (const [key, value] of Object.entries(plan)) {
		const check = OWN_KEYS[key];
		if (!check && !SHARED_KEYS.includes(key)) return `there is no plan key "${key}" for vendors`;
		const problem = check ? check(value) : undefined;
		if (problem) return `"${key}": ${problem}`;
	}
	const isShared = ([key]) => !Object.hasOwn(OWN_KEYS, key);
	return problemOfServicePlan(Object.fromEntries(Object.entries(plan).filter(isShared)));
}

module.exports = { problemOfPlan, PLAN_KEYS: [...Object.keys(OWN_KEYS), ...SHARED_KEYS] };
