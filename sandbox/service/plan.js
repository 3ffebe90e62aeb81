'use strict';

const { isObject, problemOfEntry } = require('./answers');
const { OWNERS } = require('./gatewayProfile');
const { VIDEOS, smallestSize } = require('./media');
const { ENVELOPES } = require('./taskRecord');
const { SOURCE_KINDS, WAYS } = require('./textSources');
const { FORM_NAMES } = require('./textStream');
const { problemOfCalls } = require('./toolCalls');

// A plan is the JSON object behind the word `sandbox:` in a prompt; a deployment is what differs from
// one service to the next. Both are checked when they are read, because a misspelt key would
// otherwise be a fault that silently never happens. A check returns what is wrong with a value.

const SHAPES = ['documented', 'vendor', 'vendorFlat', 'flat', 'oldest'];
const TASK_WORDS = ['queued', 'IN_PROGRESS', 'SUCCESS', 'FAILURE'];

const check = (fits, sentence) => (value) => (fits(value) ? undefined : sentence);
const number = (least) =>
	check((value) => Number.isFinite(value) && value >= least, `is a number from ${least} up`);
const whole = (least) =>
	check(
		(value) => Number.isSafeInteger(value) && value >= least,
		`is a whole number from ${least} up`,
	);
const flag = check((value) => typeof value === 'boolean', 'is true or false');
const text = check((value) => typeof value === 'string', 'is a text');
const textOrNull = (value) => (value === null ? undefined : text(value));
const flagOrText = (value) => (typeof value === 'boolean' ? undefined : text(value));
const oneOf = (words) => check((value) => words.includes(value), `is one of ${words.join(', ')}`);
const oneOrMore = (one) => (value) => {
	const values = [value].flat();
	return values.length === 0 ? 'is empty' : values.map(one).find(Boolean);
};
const words = check(
	(value) => isObject(value) && Object.keys(value).every((word) => TASK_WORDS.includes(word)),
	`is an object with some of ${TASK_WORDS.join(', ')}: the service never says others`,
);
const names = (value) => Array.isArray(value) && value.every((name) => typeof name === 'string');

const answers = oneOrMore(problemOfEntry);

/** One check for several keys. */
const each = (names, problemOf) =>
	Object.fromEntries(names.split(' ').map((name) => [name, problemOf]));

const PLAN_CHECKS = {
	...each('renderMs queuedMs notExistMs notCompletedMs chunkDelayMs', number(0)),
	...each('candidates errorAfterChunks holdAfterChunks blockAfterChunks', whole(0)),
	...each('chunks pieceBytes', whole(1)),
	...each('idOnly numberId oddId range noParts image nullUsage keepAlive signed', flag),
	...each('resultUrl lastFrameUrl etag lastModified says finishReason', text),
	...each('blocked thoughts audio', flagOrText),
	...each('submit poll content lastFrame text', answers),
	...each('streamForm wholeForm', oneOf(FORM_NAMES)),
	reasonInEveryChunk: flag,
	failReason: textOrNull,
	outcome: oneOf(['SUCCESS', 'FAILURE', 'never', 'filtered']),
	shape: oneOrMore(oneOf(SHAPES)),
	words,
	progress: oneOf(['string', 'number', 'absent', 'falling']),
	envelope: oneOf(Object.keys(ENVELOPES)),
	idLength: whole(8),
	video: oneOf(VIDEOS),
	sizeBytes: whole(smallestSize),
	calls: problemOfCalls,
	spelling: oneOf(['camel', 'snake']),
	sources: oneOrMore(oneOf(SOURCE_KINDS)),
	sourcesIn: oneOf(Object.keys(WAYS)),
};

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

const DEFAULTS = {
	renderMs: 3000,
	refreshMs: 0,
	latencyMs: 0,
	listings: true,
	models: {
		video: [
			...['veo-3.1-lite-generate-001', 'veo-3.1-fast-generate-001'],
			...['dreamina-seedance-2-0-fast', 'doubao-seedance-1-5-pro-251215'],
		],
		text: [
			...['gemini-3.1-pro-preview', 'gemini-3-pro-preview', 'gemini-3-flash-preview'],
			...['gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-2.5-flash-image'],
		],
	},
	owners: {},
	profile: 'contract',
	bodyLimitBytes: 32 * 1024 * 1024,
	foreignRefusesAuthorization: true,
	outage: null,
	plan: {},
};

const SETTING_CHECKS = {
	...each('renderMs refreshMs latencyMs bodyLimitBytes', number(0)),
	listings: (value) => (typeof value === 'boolean' ? undefined : problemOfEntry(value)),
	models: check(
		(value) => isObject(value) && names(value.video ?? []) && names(value.text ?? []),
		'is {"video":[names],"text":[names]}',
	),
	owners: check((value) => isObject(value) && names(Object.values(value)), 'is {"model":"owner"}'),
	profile: oneOf(['contract', 'gateway']),
	foreignRefusesAuthorization: flag,
	outage: (value) => (value === null ? undefined : problemOfEntry(value)),
	plan: problemOfPlan,
};

/** Returns the settings with some of them changed; throws on one that does not exist. */
function changeSettings(settings, changes, checks) {
	const problem = problemOfKeys(changes, checks, 'setting');
	if (problem) throw new TypeError(`Settings: ${problem}`);
	return { ...settings, ...changes };
}

const isText = (model) => model.startsWith('gemini-');

/** What comes with the profile, unless it is set otherwise. */
const GATEWAY = {
	owners: OWNERS,
	models: {
		video: Object.keys(OWNERS).filter((model) => !isText(model)),
		text: Object.keys(OWNERS).filter(isText),
	},
};

function changeDeployment(deployment, changes) {
	const changed = changeSettings(deployment, changes, SETTING_CHECKS);
	const ofProfile = changes.profile === 'gateway' ? GATEWAY : {};
	const models = { ...deployment.models, ...ofProfile.models, ...changes.models };
	return { ...changed, ...ofProfile, ...changes, models };
}

module.exports = {
	...{ PLAN_CHECKS, each, number, oneOrMore, problemOfKeys, problemOfPlan, readPlan, whole },
	...{ DEFAULTS, changeDeployment, changeSettings },
};
