'use strict';

const { randomBytes } = require('node:crypto');
const { REFUSALS } = require('./plan');
const { content, poll, submit } = require('./jobs');
const { oneOf, problemOf, text } = require('./rules');

// OpenAI's videos, which is Sora (platform.openai.com/docs/api-reference/videos).

const CODES = {
	badRequest: ['invalid_request_error', 'invalid_value'],
	unauthorized: ['invalid_request_error', 'invalid_api_key'],
	noQuota: ['insufficient_quota', 'insufficient_quota'],
	forbidden: ['invalid_request_error', 'model_not_found'],
	notFound404: ['invalid_request_error', null],
	rateLimited: ['requests', 'rate_limit_exceeded'],
	json500: ['server_error', null],
	json503: ['server_error', null],
	filtered: ['invalid_request_error', 'moderation_blocked'],
};

function refuse(kind, message = REFUSALS[kind].message) {
	const [type, code] = CODES[kind];
	// An empty account is a limit of requests: 429.
	const status = kind === 'noQuota' ? 429 : REFUSALS[kind].status;
	return { status, json: { error: { message, type, param: null, code } } };
}

const RULES = {
	'model!': text,
	'prompt!': text,
	seconds: oneOf('4', '8', '12'),
	size: oneOf('720x1280', '1280x720', '1024x1792', '1792x1024'),
};

const WORDS = { queued: 'queued', running: 'in_progress', done: 'completed', failed: 'failed' };
const PROGRESS = { queued: 0, running: 50, done: 100, failed: 100, filtered: 100 };

/** A video job in OpenAI's shape. */
function video({ id, model, body, at, plan }, state) {
	const created_at = Math.floor(at / 1000);
	const asked = { model, seconds: body.seconds ?? '4', size: body.size ?? '720x1280' };
	const filtered = state === 'filtered';
	const message = filtered ? 'Our moderation system has blocked it' : plan.failReason;
	return {
		json: {
			id,
			object: 'video',
			created_at,
			status: WORDS[state] ?? 'failed',
			...asked,
			progress: PROGRESS[state],
			...(state === 'done' && { completed_at: Math.floor(Date.now() / 1000) }),
			error:
				WORDS[state] && state !== 'failed'
					? null
					: {
							code: filtered ? 'moderation_blocked' : 'video_generation_failed',
							message: message ?? 'The video could not be generated',
						},
		},
	};
}

function create(exchange) {
	const body = exchange.json;
	const job = { model: body?.model, prompt: body?.prompt, shape: body?.size ?? '720x1280' };
	const id = `video_${randomBytes(16).toString('hex')}`;
	return submit(exchange, { ...job, id, problem: problemOf(body, RULES) }, (task) =>
		video(task, 'queued'),
	);
}

module.exports = {
	name: 'openai',
	refuse,
	hasKey: ({ headers }) => /^Bearer \S/.test(headers.authorization ?? ''),
	channel: { type: 55, label: 'Sora', key: 'openai-key', models: ['sora-2', 'sora-2-pro'] },
	routes: [
		['POST', '/v1/videos', create],
		['GET', '/v1/videos/:id', (exchange) => poll(exchange, exchange.params.id, video)],
		['GET', '/v1/videos/:id/content', (exchange) => content(exchange, exchange.params.id)],
	],
};
