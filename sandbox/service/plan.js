'use strict';

const { isObject, problemOfEntry } = require('./answers');
const { OWNERS } = require('./gatewayProfile');
const { PLAN_CHECKS, check, checksOf, flag, isFlag, isText } = require('./planKeys');
const { milliseconds, number, oneOf } = require('./planKeys');

// A plan is the JSON object behind the word `sandbox:` in a prompt; a deployment is what differs from
// one service to the next. Both are checked when they are read, because a misspelt key would
// otherwise be a fault that silently never happens.

/** Returns a sentence about the first key that is unknown or has a wrong value. */
function problemOfKeys(object, checks, kind) {
	if (!isObject(object)) return 'it is no JSON object';
	for (const [key, value] of Object.entries(object)) {
		if (!Object.hasOwn(checks, key)) {
			return `there is no ${kind} "${key}" (there are ${Object.keys(checks).join(', ')})`;
		}
		const problem = checks[key](value);
		if (problem) return `"${key}": ${problem}`;
	}
	return undefined;
}

const problemOfPlan = (plan) => problemOfKeys(plan, PLAN_CHECKS, 'plan key');

/** The end of the JSON object that starts at `from`, or -1 where its brackets do not balance. */
function endOfObject(prompt, from) {
	let depth = 0;
	let quoted = false;
	for (let at = from; at < prompt.length; at++) {
		const sign = prompt[at];
		if (quoted && sign === '\\') at++;
		else if (sign === '"') quoted = !quoted;
		else if (!quoted && sign === '{') depth++;
		else if (!quoted && sign === '}' && --depth === 0) return at + 1;
	}
	return -1;
}

/**
 * Splits a prompt into what is asked of the model and what is asked of the sandbox.
 * @param {(plan: unknown) => string | undefined} problemOf for plans with other keys than these
 */
function readPlan(prompt, problemOf = problemOfPlan) {
	const start = /\bsandbox:\s*(?=\{)/.exec(prompt);
	if (!start) return { asked: prompt, plan: {} };
	const from = start.index + start[0].length;
	const end = endOfObject(prompt, from);
	if (end < 0) return { asked: prompt, plan: {}, problem: 'its brackets do not balance' };
	const asked = (prompt.slice(0, start.index) + prompt.slice(end)).trim();
	try {
		const plan = JSON.parse(prompt.slice(from, end));
		return { asked, plan, problem: problemOf(plan) };
	} catch (error) {
		return { asked, plan: {}, problem: `it is not valid JSON (${error.message})` };
	}
}

const DOCUMENTED_MODELS = {
	video: [
		...['veo-3.1-lite-generate-001', 'veo-3.1-fast-generate-001'],
		...['dreamina-seedance-2-0-fast', 'doubao-seedance-1-5-pro-251215'],
	],
	text: [
		...['gemini-3.1-pro-preview', 'gemini-3-pro-preview', 'gemini-3-flash-preview'],
		...['gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-2.5-flash-image'],
	],
};

const names = (value) => Array.isArray(value) && value.every(isText);
const modelNames = check(
	(value) => isObject(value) && names(value.video ?? []) && names(value.text ?? []),
	'is {"video":[names],"text":[names]}',
);
const owners = check(
	(value) => isObject(value) && names(Object.values(value)),
	'is {"model":"owner"}',
);
const orAnswer = (fits) => (value) => (fits(value) ? undefined : problemOfEntry(value));

/** What each setting of a deployment does, the values that it takes, and its default. */
const SETTINGS = {
	renderMs: ['how long a render takes', milliseconds, 3000],
	refreshMs: ['how often tasks change (at real deployments about every 15 s)', milliseconds, 0],
	latencyMs: ['added to every answer', milliseconds, 0],
	listings: ['`GET /v1/models` and `GET /v1beta/models`; false is 404', orAnswer(isFlag), true],
	models: ['which models there are', modelNames, DOCUMENTED_MODELS],
	owners: ['`owned_by` of listed models; of all others it is `custom`', owners, {}],
	profile: [
		'`gateway` answers videos as a real gateway did',
		oneOf(['contract', 'gateway']),
		'contract',
	],
	bodyLimitBytes: [
		"larger bodies get a proxy's HTML 413 (real proxies often stop at 1 to 4 MB)",
		number(0),
		32 * 1024 * 1024,
	],
	foreignRefusesAuthorization: [
		'signed addresses refuse requests with an `Authorization` header',
		flag,
		true,
	],
	outage: ['what every address answers', orAnswer((value) => value === null), null],
	plan: ["a plan for every prompt; the prompt's own keys take precedence", problemOfPlan, {}],
};
const DEFAULTS = Object.fromEntries(
	Object.entries(SETTINGS).map(([name, [, , byDefault]]) => [name, byDefault]),
);
const SETTING_CHECKS = checksOf(SETTINGS);

/** Returns the settings with some of them changed; throws on one that does not exist. */
function changeSettings(settings, changes, checks) {
	const problem = problemOfKeys(changes, checks, 'setting');
	if (problem) throw new TypeError(`Settings: ${problem}`);
	return { ...settings, ...changes };
}

const isTextModel = (model) => model.startsWith('gemini-');

/** What comes with the profile, unless it is set otherwise. */
const GATEWAY = {
	owners: OWNERS,
	models: {
		video: Object.keys(OWNERS).filter((model) => !isTextModel(model)),
		text: Object.keys(OWNERS).filter(isTextModel),
	},
};

function changeDeployment(deployment, changes) {
	const changed = changeSettings(deployment, changes, SETTING_CHECKS);
	const ofProfile = changes.profile === 'gateway' ? GATEWAY : {};
	const models = { ...deployment.models, ...ofProfile.models, ...changes.models };
	return { ...changed, ...ofProfile, ...changes, models };
}

module.exports = {
	...{ DEFAULTS, SETTINGS, changeDeployment, changeSettings },
	...{ problemOfKeys, problemOfPlan, readPlan },
};
