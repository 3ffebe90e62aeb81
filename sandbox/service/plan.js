'use strict';

const { z } = require('zod');
const { ENCODINGS } = require('./respond');
const { FAULTS } = require('./faults');
const { VIDEOS, smallestSize } = require('./media');
const { SOURCE_KINDS } = require('./textSources');
const { FORM_NAMES } = require('./textStream');

// A plan is the JSON object behind the word `sandbox:` in a prompt. It is checked when it is read,
// because a misspelt key would otherwise be a fault that silently never happens. `npm run sandbox -- --help`
// lists the keys from the rows below, with the descriptions of their schemas.

/** What a model may make (`made.js`). */
const MADE = ['video', 'image', 'inline', 'sound', 'text', 'weights'];
const SHAPES = ['documented', 'vendor', 'vendorFlat', 'flat', 'oldest'];

const text = z.string().describe('text');
const flag = z.boolean().describe('flag');
const flagOrText = z.union([z.boolean(), z.string()]).describe('flag or text');
const milliseconds = z.number().min(0).describe('number');
const whole = (least) =>
	z
		.number()
		.int()
		.min(least)
		.describe(`whole number${least > 1 ? ` from ${least} up` : ''}`);
const oneOf = (words) => z.enum(words).describe(words.join(', '));
const oneOrMore = (one) =>
	z.union([one, z.array(one).nonempty()]).describe(`${one.description}; or a list`);

const isFault = (faults) => (name) => name === 'ok' || Object.hasOwn(faults, name);
/** An object whose other keys are refused. */
const object = (shape) => z.object(shape).partial().strict();

/**
 * One answer of a list: a name, an object with some of the keys, or `{ always }` of one.
 * @param {object} faults those that an answer may name
 * @param {Record<string, z.ZodTypeAny>} keys that it may have beside `fault`
 */
function answerOf(faults, keys) {
	const name = z.string().refine(isFault(faults), (fault) => ({
		message: `there is no fault "${fault}"`,
	}));
	const all = { ...keys, fault: name };
	return z.union([name, object({ ...all, always: name.or(object(all)) })]).describe('answer');
}

/** Keys of an answer that vendors know, too. */
const ANSWER_KEYS = {
	...{ status: whole(200).max(599), json: z.unknown(), text, html: text, headers: z.record(text) },
	...{ delayMs: milliseconds, accept: flag, socket: z.enum(['hang', 'reset']) },
	...{ cutAfterBytes: whole(0), stallAfterBytes: whole(0) },
};
const answer = answerOf(FAULTS, {
	...ANSWER_KEYS,
	...{ noLength: flag, closeDelimited: flag },
	...{ redirect: whole(301).max(308), to: text, hops: whole(1) },
	...{ pieceDelayMs: milliseconds, dripMs: milliseconds, dripHeadMs: milliseconds },
	...{ encoding: z.enum(ENCODINGS), padBytes: whole(0) },
});
const answers = oneOrMore(answer);
const words = oneOf(['queued', 'IN_PROGRESS', 'SUCCESS', 'FAILURE']);
const calls = z
	.array(z.array(z.object({ name: text, args: z.record(z.unknown()).optional() })))
	.describe('list of turns, each a list of `{ name, args }`');

/** What each key of a plan does, and the values that it takes. */
const PLAN_KEYS = {
	renderMs: ['from the submit to the end of the render', milliseconds],
	outcome: [
		'how it ends; `filtered` is SUCCESS, but the download is 502; at `google`, with a text and no file',
		oneOf(['SUCCESS', 'FAILURE', 'never', 'filtered']),
	],
	failReason: [
		'`fail_reason` of a FAILURE; null leaves the field out',
		text.nullable().describe('text or null'),
	],
	failCode: [
		'the code of a FAILURE at `google`, `kie`, `runway` and `wavespeed`',
		whole(0).or(text).describe('number or text'),
	],
	credits: ['what a task of `runway` has cost when it has ended', whole(0)],
	notExistMs: ['for so long, polls answer 400 `task_not_exist`', milliseconds],
	submit: ['answers to submits of this prompt', answers],
	poll: ['answers to polls', answers],
	content: ['answers to downloads, and to uploads', answers],
	upload: ['answers where a file of `fal` goes', answers],
	list: ['answers to lists of tasks, page by page; in the plan of the deployment only', answers],
	cancel: ['answers to cancels; with `accept`, the task is cancelled anyway', answers],
	text: ['answers to texts of this prompt', answers],
	shape: [
		"what polls answer, in turn: `documented` or the `vendor`'s record in `{code, data}`, either one `flat`, or the `oldest`, with the URL in `fail_reason`",
		oneOrMore(oneOf(SHAPES)),
	],
	words: [
		'what polls say for these states, e.g. `{"SUCCESS":"completed"}`',
		z.record(words, z.unknown()).describe('object'),
	],
	progress: ['how polls tell the progress', oneOf(['string', 'absent'])],
	resultUrl: [
		'`result_url` of a SUCCESS: `content`, `foreign` (the storage host), `none`, or an address',
		text,
	],
	lastFrameUrl: ['`last_frame_url`, if it was asked for: `none`, or an address', text],
	idLength: ['the length of the task ID', whole(8)],
	oddId: ['a task ID with `/ + = ? % # &` in it', flag],
	numberId: ['a task ID that is a number', flag],
	video: [
		'the file, instead of the one that fits `size` or the ratio in `metadata`',
		oneOf(VIDEOS),
	],
	makes: [
		'what a model of a named service makes; `inline` is an image in the record, `weights` no medium',
		oneOrMore(oneOf(MADE)),
	],
	sizeBytes: [
		'fills the file up with a box that players skip; takes no memory',
		whole(smallestSize),
	],
	says: ['what the model says, instead of repeating what arrived', text],
	calls: ['the tools that the model calls before it answers', calls],
	blocked: ['200 with this `promptFeedback.blockReason`, and no candidates', flagOrText],
	finishReason: ['instead of `STOP`', text],
	noParts: ['`content` without `parts`', flag],
	thoughts: ['a part with `thought: true` comes first', flagOrText],
	image: ['a small PNG as `inlineData` at the end', flag],
	audio: [
		'a tone without a header, in as many pieces as chunks; a text is its MIME type',
		flagOrText,
	],
	candidates: ['how many; 0 is an empty list', whole(0)],
	signed: [
		'calls have an `id` and a `thoughtSignature`, and the next turn is 400 without it',
		flag,
	],
	sources: ['what the answer rests on', oneOrMore(oneOf(SOURCE_KINDS))],
	chunks: ['pieces of a stream; 4 by default', whole(1)],
	errorAfterChunks: [
		'after so many pieces `{"error":{...}}` follows, and the stream ends',
		whole(0),
	],
	holdAfterChunks: ['after so many pieces the stream waits for `POST /_sandbox/release`', whole(0)],
	pieceBytes: ['bytes go out in pieces of this length, cut inside lines and characters', whole(1)],
	wholeForm: ['what `generateContent` answers, instead of `object`', oneOf(FORM_NAMES)],
};

/** The schema of an object whose rows are `[about, schema]`. */
const ofRows = (rows) =>
	object(Object.fromEntries(Object.entries(rows).map(([name, [, schema]]) => [name, schema])));
const PLAN = ofRows(PLAN_KEYS);

const toIssues = (issues) =>
	issues.flatMap((issue) =>
		issue.unionErrors ? issue.unionErrors.flatMap((error) => toIssues(error.issues)) : [issue],
	);

/** Says what is wrong with a value; nothing if it fits. */
function problemOf(schema, value) {
	const { error } = schema.safeParse(value);
	if (!error) return undefined;
	const all = toIssues(error.issues);
	// Of the forms that a value may have, the one that comes furthest says what is wrong.
	const known = all.filter(({ code }) => code !== 'invalid_type');
	const deepest = Math.max(...all.map(({ path }) => path.length));
	const telling = known.length > 0 ? known : all.filter(({ path }) => path.length === deepest);
	const sentences = telling.map(({ path, message }) => `${path.join('.')}: ${message}`);
	return [...new Set(sentences)].join('; ').replace(/^: /, '');
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
 * @param {z.ZodTypeAny} [schema] for plans with other keys than these
 */
function readPlan(prompt, schema = PLAN) {
	const start = /\bsandbox:\s*(?=\{)/.exec(prompt);
	if (!start) return { asked: prompt, plan: {} };
	const from = start.index + start[0].length;
	const end = endOfObject(prompt, from);
	if (end < 0) return { asked: prompt, plan: {}, problem: 'its brackets do not balance' };
	const asked = (prompt.slice(0, start.index) + prompt.slice(end)).trim();
	try {
		const plan = JSON.parse(prompt.slice(from, end));
		return { asked, plan, problem: problemOf(schema, plan) };
	} catch (error) {
		return { asked, plan: {}, problem: `it is not valid JSON (${error.message})` };
	}
}

module.exports = {
	...{ ANSWER_KEYS, PLAN, PLAN_KEYS, answerOf, flag, milliseconds, object, ofRows },
	...{ answer, oneOf, oneOrMore, problemOf, readPlan, text, whole },
};
