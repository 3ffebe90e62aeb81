'use strict';

const { randomBytes } = require('node:crypto');
const { answerText, readVeo, refuse, splitAction, RAI } = require('./google');
const { content, poll, submit } = require('./jobs');

// The Gemini API: Veo (predictLongRunning, operations, file download) and text.

/** The body of an operation (google.longrunning.Operation). */
function operation(exchange, { id, plan }, state) {
	const name = id;
	if (state === 'queued' || state === 'running') return { json: { name } };
	if (state === 'failed') {
		const message = plan.failReason ?? 'Video generation failed due to an internal server issue';
		return { json: { name, done: true, error: { code: 13, message } } };
	}
	const file = id.replace(/^.*\//, '');
	const uri = `${exchange.state.url}/gemini/v1beta/files/${file}:download?alt=media`;
	const films = state === 'filtered' ? RAI : { generatedSamples: [{ video: { uri } }] };
	return {
		json: {
			name,
			done: true,
			response: {
				'@type':
					'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse',
				generateVideoResponse: films,
			},
		},
	};
}

function predict(exchange, model) {
	const id = `models/${model}/operations/${randomBytes(6).toString('hex')}`;
	const job = { ...readVeo(exchange.json), id, model };
	return submit(exchange, job, ({ id: name }) => ({ json: { name } }));
}

function act(exchange) {
	const { model, action } = splitAction(exchange.params.modelAndAction);
	if (action === 'predictLongRunning') return predict(exchange, model);
	return answerText(exchange, model, action) ?? refuse('notFound404');
}

const look = (exchange) => {
	const { model, operation: id } = exchange.params;
	return poll(exchange, `models/${model}/operations/${id}`, (task, state) =>
		operation(exchange, task, state),
	);
};

/** The film, for whoever has the key. */
function file(exchange) {
	const { model: name, action } = splitAction(exchange.params.file);
	if (action !== 'download') return refuse('notFound404');
	const task = [...exchange.state.tasks.values()].find(
		({ id, vendor }) => vendor === 'gemini' && id.endsWith(`/${name}`),
	);
	return task ? content(exchange, task.id) : refuse('notFound404');
}

/** Google takes the key in a header or in the address. */
const hasKey = ({ headers, query }) => Boolean(headers['x-goog-api-key'] ?? query.key);

module.exports = {
	name: 'gemini',
	refuse,
	hasKey,
	channel: {
		type: 24,
		label: 'Google Gemini',
		key: 'gemini-key',
		models: [
			'veo-3.0-generate-001',
			'veo-3.1-generate-preview',
			'veo-3.1-fast-generate-preview',
			'gemini-2.5-flash',
			'gemini-2.5-pro',
		],
	},
	routes: [
		['POST', '/v1beta/models/:modelAndAction', act],
		['GET', '/v1beta/models/:model/operations/:operation', look],
		['GET', '/v1beta/files/:file', file],
	],
};
