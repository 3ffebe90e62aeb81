'use strict';

const { isObject, problemOfEntry } = require('./answers');
const { ENVELOPES } = require('./envelopes');
const { VIDEOS, smallestSize } = require('./media');
const { FORM_NAMES } = require('./textForms');
const { SOURCE_KINDS, WAYS } = require('./textSources');
const { problemOfCalls } = require('./toolCalls');

// A plan is the JSON object behind the word `sandbox:` in a prompt. It is checked when it is read,
// because a misspelt key would otherwise be a fault that silently never happens.

const SHAPES = ['documented', 'vendor', 'vendorFlat', 'flat', 'oldest'];
const TASK_WORDS = ['queued', 'IN_PROGRESS', 'SUCCESS', 'FAILURE'];

const number = (least) => (value) =>
	Number.isFinite(value) && value >= least ? undefined : `is a number from ${least} up`;
const whole = (least) => (value) =>
	Number.isSafeInteger(value) && value >= least ? undefined : `is a whole number from ${least} up`;
const flag = (value) => (typeof value === 'boolean' ? undefined : 'is true or false');
const text = (value) => (typeof value === 'string' ? undefined : 'is a text');
const textOrNull = (value) => (value === null ? undefined : text(value));
const flagOrText = (value) => (typeof value === 'boolean' ? undefined : text(value));
const oneOf = (words) => (value) =>
	words.includes(value) ? undefined : `is one of ${words.join(', ')}`;
const oneOrMore = (check) => (value) => {
	const values = Array.isArray(value) ? value : [value];
	return values.length === 0 ? 'is empty' : values.map(check).find((problem) => problem);
};
const words = (value) => {
	if (!isObject(value)) return 'is an object from status word to status word';
	const unknown = Object.keys(value).find((word) => !TASK_WORDS.includes(word));
	return unknown === undefined
		? undefined
		: `has the word "${unknown}" that the service never says`;
};

/** @type {Record<string, (value: any) => string | undefined>} */
const CHECKS = {
	renderMs: number(0),
	queuedMs: number(0),
	notExistMs: number(0),
	notCompletedMs: number(0),
	outcome: oneOf(['SUCCESS', 'FAILURE', 'never', 'filtered']),
	failReason: textOrNull,
	shape: oneOrMore(oneOf(SHAPES)),
	words,
	progress: oneOf(['string', 'number', 'absent', 'falling']),
	envelope: oneOf(Object.keys(ENVELOPES)),
	idOnly: flag,
	numberId: flag,
	idLength: whole(8),
	oddId: flag,
	resultUrl: text,
	video: oneOf(VIDEOS),
	sizeBytes: whole(smallestSize),
	range: flag,
	etag: text,
	lastModified: text,
	submit: oneOrMore(problemOfEntry),
	poll: oneOrMore(problemOfEntry),
	content: oneOrMore(problemOfEntry),
	text: oneOrMore(problemOfEntry),
	calls: problemOfCalls,
	says: text,
	blocked: flagOrText,
	finishReason: text,
	noParts: flag,
	thoughts: flagOrText,
	image: flag,
	candidates: whole(0),
	nullUsage: flag,
	chunks: whole(1),
	chunkDelayMs: number(0),
	errorAfterChunks: whole(0),
	holdAfterChunks: whole(0),
	keepAlive: flag,
	pieceBytes: whole(1),
	streamForm: oneOf(FORM_NAMES),
	wholeForm: oneOf(FORM_NAMES),
	spelling: oneOf(['camel', 'snake']),
	sources: oneOrMore(oneOf(SOURCE_KINDS)),
	sourcesIn: oneOf(Object.keys(WAYS)),
	audio: flagOrText,
	signed: flag,
	reasonInEveryChunk: flag,
	blockAfterChunks: whole(0),
};

/** @returns {string | undefined} a sentence about the first thing that is wrong with a plan */
function problemOfPlan(plan) {
	if (!isObject(plan)) return 'a plan is a JSON object';
	for (const [key, value] of Object.entries(plan)) {
		if (!Object.hasOwn(CHECKS, key)) {
			return `there is no plan key "${key}" (there are ${Object.keys(CHECKS).join(', ')})`;
		}
		const problem = CHECKS[key](value);
		if (problem) return `"${key}": ${problem}`;
	}
	return undefined;
}

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
 * @param {string} prompt
 * @param {(plan: unknown) => string | undefined} check for plans with other keys than these
 * @returns {{ asked: string, plan: object, problem?: string }}
 */
function readPlan(prompt, check = problemOfPlan) {
	const start = /\bsandbox:\s*(?=\{)/.exec(prompt);
	if (!start) return { asked: prompt, plan: {} };
	const from = start.index + start[0].length;
	const end = endOfObject(prompt, from);
	if (end < 0) return { asked: prompt, plan: {}, problem: 'its brackets do not balance' };
	const asked = (prompt.slice(0, start.index) + prompt.slice(end)).trim();
	try {
		const plan = JSON.parse(prompt.slice(from, end));
		return { asked, plan, problem: check(plan) };
	} catch (error) {
		return { asked, plan: {}, problem: `it is not valid JSON (${error.message})` };
	}
}

module.exports = { readPlan, problemOfPlan, PLAN_KEYS: Object.keys(CHECKS) };
