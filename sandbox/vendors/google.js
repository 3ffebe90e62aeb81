'use strict';

const { REFUSALS } = require('./faults');
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

module.exports = { refuse, readVeo, splitAction, RAI };
