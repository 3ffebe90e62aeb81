'use strict';

const { randomBytes } = require('node:crypto');
const { refusing } = require('./plan');
const { content, poll, reasonOf, submit } = require('./jobs');
const { oneOf, problemOf, text } = require('./jobs');

// OpenAI's videos, which is Sora (platform.openai.com/docs/api-reference/videos).

const refuse = refusing('openai', (words, message) => {
	const [type, code] = words.split('/');
	return { error: { message, type, param: null, code: code || null } };
});

const RULES = {
	'model!': text,
	'prompt!': text,
	seconds: oneOf('4', '8', '12'),
	size: oneOf('720x1280', '1280x720', '1024x1792', '1792x1024'),
};

const WORDS = {
	...{ queued: 'queued', running: 'in_progress', done: 'completed' },
	...{ failed: 'failed', filtered: 'failed' },
};
const PROGRESS = { queued: 0, running: 50, done: 100, failed: 100, filtered: 100 };

/** A video job in OpenAI's shape. */
function video(task, state) {
	const { id, model, body, at } = task;
	const isFiltered = state === 'filtered';
	const error = {
		code: isFiltered ? 'moderation_blocked' : 'video_generation_failed',
		message: reasonOf(task, state, 'Our moderation system has blocked it', 'It could not be made'),
	};
	return {
		json: {
			id,
			object: 'video',
			created_at: Math.floor(at / 1000),
			status: WORDS[state],
			model,
			seconds: body.seconds ?? '4',
			size: body.size ?? '720x1280',
			progress: PROGRESS[state],
			...(state === 'done' && { completed_at: Math.floor(Date.now() / 1000) }),
			error: WORDS[state] === 'failed' ? error : null,
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
	channel: { type: 55, label: 'Sora', key: 'openai-key', models: ['sora-2', 'sora-2-pro'] },
	routes: [
		['POST', '/v1/videos', create],
		['GET', '/v1/videos/:id', (exchange) => poll(exchange, exchange.params.id, video)],
		['GET', '/v1/videos/:id/content', (exchange) => content(exchange, exchange.params.id)],
	],
};
