'use strict';

const { generateKeyPairSync, randomBytes, randomUUID } = require('node:crypto');
const { isOwnAnswer, withChange } = require('../service/answers');
const { openVideo } = require('../service/media');
const { wholeAnswer } = require('../service/textAnswer');
const { readTextRequest, splitAction } = require('../service/textRoutes');
const { streamAnswer } = require('../service/textStream');
const { flag, isBase64, oneOf, problemOf, text, whole } = require('./jobs');
const { changeDue, content, planOf, poll, submit } = require('./jobs');
const { refusing } = require('./plan');

// The Gemini API and Vertex AI: the shape of an error, Veo's request
// (ai.google.dev/gemini-api/docs/video, cloud.google.com/vertex-ai/.../veo-video-generation).

const refuse = refusing('google', (word, message, code) => ({
	error: { code, message, status: word },
}));

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
	if (!isBase64(bytesBase64Encoded)) return 'instances[0].image: Base64 decoding failed';
	return /^image\/(png|jpeg|webp)$/.test(mimeType ?? '')
		? undefined
		: `instances[0].image: the mime type ${mimeType} is not supported`;
}

/** A predictLongRunning request: a render that is known by its operation. */
function predict(exchange, model, id) {
	const { instances, parameters } = exchange.json ?? {};
	const problem = problemOf(exchange.json, RULES) ?? problemOfPicture(instances?.[0]?.image);
	const shape = parameters?.aspectRatio ?? '16:9';
	const job = { id, model, prompt: instances?.[0]?.prompt, shape, problem };
	return submit(exchange, job, () => ({ json: { name: id } }));
}

/** The body of an operation (google.longrunning.Operation); `toResponse` tells of its films. */
function operation({ id: name, plan }, state, details, toResponse) {
	if (state === 'queued' || state === 'running') return { json: { name } };
	if (state !== 'failed') return { json: { name, done: true, response: toResponse() } };
	const message = plan.failReason ?? 'Video generation failed due to an internal server issue';
	return { json: { name, done: true, error: { code: 13, message, ...details } } };
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

/** Returns an answer; undefined where there is no such action. */
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

// The Gemini API: predictLongRunning, operations, file download.

const GEMINI_TYPE =
	'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse';

function actAtGemini(exchange) {
	const { model, action } = splitAction(exchange.params.modelAndAction);
	if (action !== 'predictLongRunning') {
		return answerText(exchange, model, action) ?? refuse('notFound404');
	}
	return predict(exchange, model, `models/${model}/operations/${randomBytes(6).toString('hex')}`);
}

function look(exchange) {
	const { model, operation: file } = exchange.params;
	return poll(exchange, `models/${model}/operations/${file}`, (task, state) =>
		operation(task, state, {}, () => {
			const uri = `${exchange.state.url}/gemini/v1beta/files/${file}:download?alt=media`;
			const films = state === 'filtered' ? RAI : { generatedSamples: [{ video: { uri } }] };
			return { '@type': GEMINI_TYPE, generateVideoResponse: films };
		}),
	);
}

/** The film, for whoever has the key. */
function file(exchange) {
	const { model: name, action } = splitAction(exchange.params.file);
	const task = [...exchange.state.tasks.values()].find(
		({ id, vendor }) => vendor === 'gemini' && id.endsWith(`/${name}`),
	);
	return action === 'download' && task ? content(exchange, task.id) : refuse('notFound404');
}

const gemini = {
	name: 'gemini',
	refuse,
	/** Google takes the key in a header or in the address. */
	hasKey: ({ headers, query }) => Boolean(headers['x-goog-api-key'] ?? query.key),
	channel: {
		type: 24,
		label: 'Google Gemini',
		key: 'gemini-key',
		models: [
			...['veo-3.0-generate-001', 'veo-3.1-generate-preview', 'veo-3.1-fast-generate-preview'],
			...['veo3.1-fast', 'gemini-2.5-flash', 'gemini-2.5-pro'],
		],
	},
	routes: [
		['POST', '/v1beta/models/:modelAndAction', actAtGemini],
		['GET', '/v1beta/models/:model/operations/:operation', look],
		['GET', '/v1beta/files/:file', file],
	],
};

// Vertex AI: predictLongRunning and fetchPredictOperation; the film comes as base64.

const VERTEX_TYPE = 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse';

let account;

/** The JSON file of a Google service account, made once per process; its key opens nothing anywhere. */
function serviceAccount() {
	const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
	account ??= JSON.stringify({
		...{ type: 'service_account', project_id: 'sandbox-project', private_key_id: 'sandbox' },
		private_key: newKey().export({ type: 'pkcs8', format: 'pem' }),
		client_email: 'sandbox@sandbox-project.iam.gserviceaccount.com',
		...{ client_id: '1', token_uri: 'https://oauth2.googleapis.com/token' },
	});
	return account;
}

function film({ video, plan }) {
	const { length, read } = openVideo(video, plan.sizeBytes);
	return Buffer.concat([...read(0, length)]).toString('base64');
}

function vertexFilms(task, state) {
	if (state === 'filtered') return RAI;
	const videos = [{ bytesBase64Encoded: film(task), mimeType: 'video/mp4' }];
	return { raiMediaFilteredCount: 0, videos };
}

function actAtVertex(exchange) {
	const { project, location, modelAndAction } = exchange.params;
	const { model, action } = splitAction(modelAndAction);
	if (action === 'fetchPredictOperation') {
		return poll(exchange, exchange.json?.operationName, (task, state) =>
			operation(task, state, { details: [] }, () => ({
				'@type': VERTEX_TYPE,
				...vertexFilms(task, state),
			})),
		);
	}
	if (action !== 'predictLongRunning') {
		return answerText(exchange, model, action) ?? refuse('notFound404');
	}
	const place = `projects/${project}/locations/${location}/publishers/google/models/${model}`;
	return predict(exchange, model, `${place}/operations/${randomUUID()}`);
}

const vertex = {
	name: 'vertex',
	refuse,
	channel: {
		type: 41,
		label: 'Vertex AI',
		get key() {
			return serviceAccount();
		},
		/** Where Vertex AI runs a model; the form of the gateways' "region" field. */
		other: '{"default":"us-central1"}',
		models: ['veo-3.0-fast-generate-001', 'veo-3.1-generate-001'],
	},
	routes: [
		[
			'POST',
			'/v1/projects/:project/locations/:location/publishers/google/models/:modelAndAction',
			actAtVertex,
		],
	],
};

module.exports = { gemini, vertex };
