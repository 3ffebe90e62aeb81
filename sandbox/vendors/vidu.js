'use strict';

const { randomInt } = require('node:crypto');
const { refusing } = require('./plan');
const { filmRoute, filmUrl, poll, reasonOf, submit } = require('./jobs');
const { oneOf, problemOf, text, whole } = require('./jobs');

// Vidu: text, image, first and last frame, references (platform.vidu.com/docs).

const refuse = refusing('vidu', (reason, message, status) => ({
	code: status,
	reason,
	message,
	metadata: {},
}));

/** How many pictures each way of rendering takes. */
const PICTURES = {
	text2video: [0, 0],
	img2video: [1, 1],
	'start-end2video': [2, 2],
	reference2video: [1, 7],
};

const RULES = {
	'model!': text,
	duration: whole(1, 16),
	resolution: oneOf('360p', '540p', '720p', '1080p'),
	movement_amplitude: oneOf('auto', 'small', 'medium', 'large'),
	seed: whole(0, 2147483647),
};

function problemOfPictures({ images }, kind) {
	const [least, most] = PICTURES[kind];
	const count = images?.length ?? 0;
	return count >= least && count <= most
		? undefined
		: `${kind} takes ${least} to ${most} images, not ${count}`;
}

const WORDS = { queued: 'queueing', running: 'processing', done: 'success' };

function create(exchange) {
	const { kind } = exchange.params;
	const body = exchange.json;
	if (!Object.hasOwn(PICTURES, kind)) return refuse('notFound404');
	const job = { id: String(randomInt(2 ** 47)), model: body?.model, prompt: body?.prompt };
	const problem = problemOf(body, RULES) ?? problemOfPictures(body, kind);
	const shape = body?.aspect_ratio ?? '16:9';
	return submit(exchange, { ...job, shape, problem }, (task) => {
		const { images = [], duration = 5, seed = 0, resolution = '720p' } = body;
		const created_at = new Date(task.at).toISOString();
		const asked = { model: task.model, prompt: body.prompt, images, duration, seed, resolution };
		return { json: { task_id: task.id, state: 'created', ...asked, created_at } };
	});
}

const look = (exchange) =>
	poll(exchange, exchange.params.id, (task, state) => {
		const code = reasonOf(task, state, 'CreationPolicyViolation', 'SystemThrottling');
		const creation = { id: `${task.id}0`, url: filmUrl(exchange, task), cover_url: '' };
		return {
			json: {
				state: WORDS[state] ?? 'failed',
				err_code: WORDS[state] ? '' : code,
				credits: 4,
				payload: task.body.payload ?? '',
				creations: state === 'done' ? [creation] : [],
			},
		};
	});

module.exports = {
	name: 'vidu',
	refuse,
	hasKey: ({ headers }) => /^Token \S/.test(headers.authorization ?? ''),
	channel: {
		type: 52,
		label: 'Vidu',
		key: 'vidu-key',
		models: ['viduq3-pro', 'viduq2', 'viduq1', 'vidu2.0'],
	},
	routes: [
		['POST', '/ent/v2/:kind', create],
		['GET', '/ent/v2/tasks/:id/creations', look],
		filmRoute,
	],
};
