'use strict';

const { generateKeyPairSync, randomUUID } = require('node:crypto');
const { openVideo } = require('../service/media');
const { answerText, readVeo, refuse, splitAction, RAI } = require('./google');
const { poll, submit } = require('./jobs');

// Veo on Vertex AI: predictLongRunning and fetchPredictOperation; without a storage address the film
// comes as base64. Also Gemini text under the same addresses.

let account;

/**
 * A Google service account, made once per process: its key signs, and opens nothing anywhere.
 * @returns {Record<string, string>} the JSON file that Google gives out
 */
function serviceAccount() {
	account ??= {
		type: 'service_account',
		project_id: 'sandbox-project',
		private_key_id: 'sandbox',
		private_key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
			type: 'pkcs8',
			format: 'pem',
		}),
		client_email: 'sandbox@sandbox-project.iam.gserviceaccount.com',
		client_id: '1',
		token_uri: 'https://oauth2.googleapis.com/token',
	};
	return account;
}

function film({ video, plan }) {
	const { length, read } = openVideo(video, plan.sizeBytes);
	return Buffer.concat([...read(0, length)]).toString('base64');
}

/** The body of an operation. */
function operation(task, state) {
	const { id: name, plan } = task;
	if (state === 'queued' || state === 'running') return { json: { name } };
	if (state === 'failed') {
		const message = plan.failReason ?? 'Video generation failed due to an internal server issue';
		return { json: { name, done: true, error: { code: 13, message, details: [] } } };
	}
	const { storageUri } = task.body.parameters ?? {};
	const video = storageUri
		? { gcsUri: `${storageUri}/sample_0.mp4` }
		: { bytesBase64Encoded: state === 'done' ? film(task) : '' };
	const films = { raiMediaFilteredCount: 0, videos: [{ ...video, mimeType: 'video/mp4' }] };
	return {
		json: {
			name,
			done: true,
			response: {
				'@type': 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse',
				...(state === 'filtered' ? RAI : films),
			},
		},
	};
}

function predict(exchange, { project, location, model }) {
	const place = `projects/${project}/locations/${location}/publishers/google/models/${model}`;
	const job = { ...readVeo(exchange.json), id: `${place}/operations/${randomUUID()}`, model };
	return submit(exchange, job, ({ id: name }) => ({ json: { name } }));
}

function act(exchange) {
	const { project, location, modelAndAction } = exchange.params;
	const { model, action } = splitAction(modelAndAction);
	if (action === 'predictLongRunning') return predict(exchange, { project, location, model });
	if (action === 'fetchPredictOperation') {
		return poll(exchange, exchange.json?.operationName, operation);
	}
	return answerText(exchange, model, action) ?? refuse('notFound404');
}

module.exports = {
	name: 'vertex',
	refuse,
	hasKey: ({ headers }) => /^Bearer \S/.test(headers.authorization ?? ''),
	channel: {
		type: 41,
		label: 'Vertex AI',
		get key() {
			return JSON.stringify(serviceAccount());
		},
		/** Where Vertex AI runs a model; the form of the gateways' "region" field. */
		other: '{"default":"us-central1"}',
		models: ['veo-3.0-fast-generate-001', 'veo-3.1-generate-001'],
	},
	routes: [
		[
			'POST',
			'/v1/projects/:project/locations/:location/publishers/google/models/:modelAndAction',
			act,
		],
	],
};
