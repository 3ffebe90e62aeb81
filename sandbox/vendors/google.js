'use strict';

const { isOwnAnswer, withChange } = require('../service/answers');
const { wholeAnswer } = require('../service/textAnswer');
const { readTextRequest } = require('../service/textRoutes');
const { streamAnswer } = require('../service/textStream');
const { changeDue, planOf } = require('./jobs');
const { REFUSALS } = require('./plan');
const { flag, isBase64, oneOf, problemOf, text, whole } = require('./rules');

// What the Gemini API and Vertex AI have in common: the shape of an error, and Veo's request
// (ai.google.dev/gemini-api/docs/video, cloud.google.com/vertex-ai/.../veo-video-generation).

const WORDS = {
	badRequest: 'INVALID_ARGUMENT',
	unauthorized: 'UNAUTHENTICATED',
	noQuota: 'RESOURCE_EXHAUSTED',
	forbidden: 'PERMISSION_DENIED',
	notFound404: 'NOT_FOUND',
	rateLimited: 'RESOURCE_EXHAUSTED',
	json500: 'INTERNAL',
	json503: 'UNAVAILABLE',
	filtered: 'INVALID_ARGUMENT',
};

/** @returns {object} an answer with Google's error */
function refuse(kind, message = REFUSALS[kind].message) {
	// An empty account is a quota that is used up: 429.
	const status = kind === 'noQuota' ? 429 : REFUSALS[kind].status;
	return { status, json: { error: { code: status, message, status: WORDS[kind] } } };
}

const RULES = {
	'instances!': [(value) => Array.isArray(value) && value.length === 1, 'must hold one instance'],
	'instances.0.prompt!': text,
	'parameters.sampleCount': whole(1, 4),
	'parameters.durationSeconds': oneOf(4, 6, 8),
	'parameters.aspectRatio': oneOf('16:9', '9:16'),
	'parameters.resolution': oneOf('720p', '1080p', '4k'),
	'parameters.seed': whole(0, 4294967295),
	'parameters.negativePrompt': text,
	'parameters.personGeneration': oneOf('allow_all', 'allow_adult', 'dont_allow'),
	'parameters.generateAudio': flag,
};

/** What is wrong with a picture: base64 and a type, nothing else. */
function problemOfPicture(picture) {
	if (picture === undefined) return undefined;
	const { bytesBase64Encoded, mimeType } = picture;
	if (!isBase64(bytesBase64Encoded)) {
		return 'instances[0].image: Base64 decoding failed';
	}
	return /^image\/(png|jpeg|webp)$/.test(mimeType ?? '')
		? undefined
		: `instances[0].image: the mime type ${mimeType} is not supported`;
}

/** Reads a predictLongRunning request. */
function readVeo(body) {
	const problem = problemOf(body, RULES) ?? problemOfPicture(body?.instances?.[0]?.image);
	return {
		problem,
		prompt: body?.instances?.[0]?.prompt,
		shape: body?.parameters?.aspectRatio ?? '16:9',
	};
}

/** "model:action" as Google's addresses end; the model may hold colons. */
function splitAction(modelAndAction) {
	const [, model, action] = /^(.*):([^:]*)$/.exec(modelAndAction) ?? [];
	return { model, action };
}

/** A render that Google's filter took: it is done, and holds no film. */
const RAI = {
	raiMediaFilteredCount: 1,
	raiMediaFilteredReasons: ['Veo could not generate a video: the prompt may violate the policies'],
};

// Text of the Gemini API (ai.google.dev/api/generate-content): the sandbox service's answers, since
// the service hands them on as they are, with Google's own errors.

const ACTIONS = {
	generateContent: (_exchange, asked) => ({ json: wholeAnswer(asked) }),
	streamGenerateContent: streamAnswer,
};

/** @returns {object | undefined} an answer; undefined where there is no such action */
function answerText(exchange, model, action) {
	if (!Object.hasOwn(ACTIONS, action)) return undefined;
	const { problem, prompt, ...request } = readTextRequest(exchange.body);
	if (problem) return refuse('badRequest', problem);
	const { asked, plan, answer } = planOf(exchange, prompt);
	if (answer) return answer;
	const change = changeDue(exchange, 'text', prompt, plan);
	if (isOwnAnswer(change)) return change;
	return withChange(ACTIONS[action](exchange, { ...request, asked, model, plan }), change);
}

module.exports = { answerText, refuse, readVeo, splitAction, RAI };
