'use strict';

const { randomInt } = require('node:crypto');
const { refusing } = require('./plan');
const { fileOf, filmRoute, filmUrl, poll, reasonOf, submit } = require('./jobs');
const { mediaUrl, oneOf, problemOf } = require('./jobs');

// MiniMax, which is Hailuo (platform.minimax.io/docs/api-reference/video-generation-intro). Its
// errors are codes in answers of status 200.

const FINE = { status_code: 0, status_msg: 'success' };

const toError = (code, message) => ({
	task_id: '',
	base_resp: { status_code: code, status_msg: message },
});
const refuse = (...about) => ({ ...refusing('minimax', toError)(...about), status: 200 });

const RULES = {
	// Its newest models are asked at another address.
	'model!': [(value) => /hailuo|2v-01/i.test(value), 'is not a model of this address'],
	duration: oneOf(6, 10),
	resolution: oneOf('512P', '720P', '768P', '1080P'),
	first_frame_image: mediaUrl,
	last_frame_image: mediaUrl,
};

/** What is wrong between fields. */
function problemBetween({ model, duration, resolution, first_frame_image: first, ...body }) {
	if (duration === 10 && resolution === '1080P') return 'duration 10 is not available with 1080P';
	if (/^I2V/.test(model) && !first) return 'first_frame_image is required';
	if (/^S2V/.test(model) && !body.subject_reference) return 'subject_reference is required';
	return first || body.prompt ? undefined : 'prompt is required';
}

const WORDS = { queued: 'Queueing', running: 'Processing', done: 'Success' };

function create(exchange) {
	const body = exchange.json;
	const problem = problemOf(body, RULES) ?? problemBetween(body);
	const id = String(randomInt(2 ** 47));
	return submit(exchange, { id, model: body?.model, prompt: body?.prompt, problem }, () => ({
		json: { task_id: id, base_resp: FINE },
	}));
}

const look = (exchange) =>
	poll(exchange, exchange.query.task_id, (task, state) => {
		const status_code = state === 'filtered' ? 1027 : 1000;
		const status_msg = reasonOf(task, state, 'output new_sensitive', 'unknown error');
		const film = { file_id: task.id, video_width: 1366, video_height: 768 };
		return {
			json: {
				task_id: task.id,
				status: WORDS[state] ?? 'Fail',
				...(state === 'done' && film),
				base_resp: WORDS[state] ? FINE : { status_code, status_msg },
			},
		};
	});

/** A file's address; the id of a file is that of its render here. */
const describeFile = fileOf('file', (exchange, task) => {
	const file = {
		...{ file_id: Number(task.id), bytes: 0, created_at: Math.floor(task.at / 1000) },
		...{ filename: 'output.mp4', purpose: 'video_generation' },
		download_url: filmUrl(exchange, task),
	};
	return { json: { file, base_resp: FINE } };
});

module.exports = {
	name: 'minimax',
	refuse,
	channel: {
		type: 35,
		label: 'MiniMax (Hailuo)',
		key: 'minimax-key',
		models: ['H3', 'Hailuo-2.3', 'Hailuo-02']
			.map((name) => `MiniMax-${name}`)
			.concat(['T2V-01', 'I2V-01', 'S2V-01']),
	},
	routes: [
		['POST', '/v1/video_generation', create],
		['GET', '/v1/query/video_generation', look],
		['GET', '/v1/files/retrieve', (exchange) => describeFile(exchange, exchange.query.file_id)],
		filmRoute,
	],
};
