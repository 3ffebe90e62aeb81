'use strict';

const { isObject, problemOfEntry } = require('./answers');
const { VIDEOS, smallestSize } = require('./media');
const { ENVELOPES } = require('./taskRecord');
const { SOURCE_KINDS, WAYS } = require('./textSources');
const { FORM_NAMES } = require('./textStream');
const { problemOfCalls } = require('./toolCalls');

// The keys that a plan may have. docs/dev/sandbox.md has a table of them, written from these rows by
// `npm run docs:write`.

const SHAPES = ['documented', 'vendor', 'vendorFlat', 'flat', 'oldest'];
const TASK_WORDS = ['queued', 'IN_PROGRESS', 'SUCCESS', 'FAILURE'];

/** A check returns what is wrong with a value; its sentence says which values are right. */
const saying = (sentence, problemOf) => Object.assign((value) => problemOf(value), { sentence });
const check = (fits, sentence) => saying(sentence, (value) => (fits(value) ? undefined : sentence));
const number = (least) =>
	check((value) => Number.isFinite(value) && value >= least, `is a number from ${least} up`);
const whole = (least) =>
	check(
		(value) => Number.isSafeInteger(value) && value >= least,
		`is a whole number from ${least} up`,
	);
const isText = (value) => typeof value === 'string';
const isFlag = (value) => typeof value === 'boolean';
const flag = check(isFlag, 'is true or false');
const text = check(isText, 'is a text');
const textOrNull = check((value) => value === null || isText(value), 'is a text or null');
const flagOrText = check((value) => isFlag(value) || isText(value), 'is true, false or a text');
const oneOf = (words) => check((value) => words.includes(value), `is one of ${words.join(', ')}`);
const oneOrMore = (one) =>
	saying(`${one.sentence}; or a list`, (value) => {
		const values = [value].flat();
		return values.length === 0 ? 'is empty' : values.map(one).find(Boolean);
	});
const words = check(
	(value) => isObject(value) && Object.keys(value).every((word) => TASK_WORDS.includes(word)),
	`is an object with some of ${TASK_WORDS.join(', ')}: the service never says others`,
);

const answer = saying('is an answer', problemOfEntry);
const answers = oneOrMore(answer);
const milliseconds = number(0);
const count = whole(0);

/** What each key of a plan does, and the values that it takes. */
const PLAN_KEYS = {
	renderMs: ['from the submit to the end of the render', milliseconds],
	queuedMs: ['the part of it that is spent as `queued`, instead of a fifth', milliseconds],
	outcome: [
		'how it ends; `filtered` is SUCCESS, but the download is 502',
		oneOf(['SUCCESS', 'FAILURE', 'never', 'filtered']),
	],
	failReason: ['`fail_reason` of a FAILURE; null leaves the field out', textOrNull],
	notExistMs: ['for so long, polls answer 400 `task_not_exist`', milliseconds],
	notCompletedMs: ['for so long after the SUCCESS, downloads answer 400', milliseconds],
	submit: ['answers to submits of this prompt', answers],
	poll: ['answers to polls', answers],
	content: ['answers to downloads', answers],
	lastFrame: ['answers to downloads of its last frame', answers],
	text: ['answers to texts of this prompt', answers],
	shape: [
		"what polls answer, in turn: `documented` or the `vendor`'s record in `{code, data}`, either one `flat`, or the `oldest`, with the URL in `fail_reason`",
		oneOrMore(oneOf(SHAPES)),
	],
	envelope: [
		'where resellers put IDs and records: `beside` an empty `data`, in a `list`, `nested` in `data.video`, under the ID of a `request`, in `result`, or as `data.taskId`',
		oneOf(Object.keys(ENVELOPES)),
	],
	words: ['what polls say for these states, e.g. `{"SUCCESS":"completed"}`', words],
	progress: ['how polls tell the progress', oneOf(['string', 'number', 'absent', 'falling'])],
	resultUrl: [
		'`result_url` of a SUCCESS: `content`, `localhost`, `foreign` (the storage host), `none`, or an address',
		text,
	],
	lastFrameUrl: ['`last_frame_url`, if it was asked for: `none`, or an address', text],
	idOnly: ['a submit is answered with `{"id"}` alone', flag],
	idLength: ['the length of the task ID', whole(8)],
	oddId: ['a task ID with `/ + = ? % # &` in it', flag],
	numberId: ['a task ID that is a number, too large for JavaScript', flag],
	video: [
		'the file, instead of the one that fits `size` or the ratio in `metadata`',
		oneOf(VIDEOS),
	],
	sizeBytes: [
		'fills the file up with a box that players skip; takes no memory',
		whole(smallestSize),
	],
	range: ['whether parts are sent (206); true by default', flag],
	etag: ["the file's ETag, which If-Range is compared with", text],
	lastModified: ["the file's Last-Modified, likewise", text],
	says: ['what the model says, instead of repeating what arrived', text],
	calls: [
		'the tools that the model calls before it answers',
		saying('is a list of turns, each a list of `{ name, args }`', problemOfCalls),
	],
	blocked: ['200 with this `promptFeedback.blockReason`, and no candidates', flagOrText],
	finishReason: ['instead of `STOP`', text],
	noParts: ['`content` without `parts`', flag],
	thoughts: ['a part with `thought: true` comes first', flagOrText],
	image: ['a small PNG as `inlineData` at the end', flag],
	audio: [
		'a tone without a header, in as many pieces as chunks; a text is its MIME type',
		flagOrText,
	],
	candidates: ['how many; 0 is an empty list', count],
	nullUsage: ['zeros and nulls in `usageMetadata`', flag],
	spelling: ['how names are written, whatever the vendor does', oneOf(['camel', 'snake'])],
	signed: [
		'calls have an `id` and a `thoughtSignature`, and the next turn is 400 without it',
		flag,
	],
	sources: [
		'what the answer rests on, with the sentence that each source supports',
		oneOrMore(oneOf(SOURCE_KINDS)),
	],
	sourcesIn: [
		'of a stream: in the last chunk, one in each, or in each all so far',
		oneOf(Object.keys(WAYS)),
	],
	chunks: ['pieces of a stream; 4 by default', whole(1)],
	chunkDelayMs: ['time between two pieces', milliseconds],
	errorAfterChunks: ['after so many pieces `{"error":{...}}` follows, and the stream ends', count],
	blockAfterChunks: [
		'after so many pieces what `blocked` says follows, and the stream ends',
		count,
	],
	holdAfterChunks: ['after so many pieces the stream waits for `POST /_sandbox/release`', count],
	reasonInEveryChunk: ['each chunk has a `finishReason`', flag],
	keepAlive: ['a comment or an empty line before each piece', flag],
	pieceBytes: ['bytes go out in pieces of this length, cut inside lines and characters', whole(1)],
	streamForm: ['what `streamGenerateContent` answers, whatever `alt` says', oneOf(FORM_NAMES)],
	wholeForm: ['what `generateContent` answers, instead of `object`', oneOf(FORM_NAMES)],
};

const checksOf = (rows) =>
	Object.fromEntries(Object.entries(rows).map(([key, [, problemOf]]) => [key, problemOf]));
const PLAN_CHECKS = checksOf(PLAN_KEYS);

module.exports = {
	...{ PLAN_CHECKS, PLAN_KEYS, check, checksOf, flag, isFlag, isText, milliseconds },
	...{ number, oneOf, oneOrMore, whole },
};
