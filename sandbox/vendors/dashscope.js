'use strict';

const { randomUUID } = require('node:crypto');
const { refusing } = require('./plan');
const { filmRoute, filmUrl, poll, reasonOf, submit } = require('./jobs');
const { flag, mediaUrl, oneOf, problemOf, text, whole } = require('./jobs');

// Alibaba's DashScope, which is Wan (help.aliyun.com/zh/model-studio, video-synthesis).

const refuse = refusing('dashscope', (code, message) => ({
	code,
	message,
	request_id: randomUUID(),
}));

const SIZES = [
	...['832*480', '480*832', '624*624'],
	...['1280*720', '720*1280', '960*960', '1088*832', '832*1088'],
	...['1920*1080', '1080*1920', '1440*1440', '1632*1248', '1248*1632'],
];
const RULES = {
	'model!': text,
	'parameters.size': oneOf(...SIZES),
	'parameters.resolution': oneOf('480P', '720P', '1080P'),
	// Wan 3.0 chooses the length itself for -1.
	'parameters.duration': whole(-1, 30),
	'parameters.prompt_extend': flag,
	'parameters.watermark': flag,
	'parameters.audio': flag,
	'parameters.seed': whole(0, 2147483647),
	'input.img_url': mediaUrl,
	'input.first_frame_url': mediaUrl,
	'input.last_frame_url': mediaUrl,
};

/** What is wrong between fields: the way of rendering is in the model's name. */
function problemBetween({ model, input = {} }) {
	if (/i2v/.test(model) && !input.img_url && !input.first_frame_url) {
		return 'input.img_url is required';
	}
	if (/kf2v/.test(model) && !input.first_frame_url) return 'input.first_frame_url is required';
	return /t2v/.test(model) && !input.prompt ? 'input.prompt is required' : undefined;
}

const WORDS = { queued: 'PENDING', running: 'RUNNING', done: 'SUCCEEDED' };

function create(exchange) {
	const body = exchange.json;
	if (exchange.headers['x-dashscope-async'] !== 'enable') {
		return refuse('forbidden', 'current user api does not support synchronous calls.');
	}
	const problem = problemOf(body, RULES) ?? problemBetween(body);
	const job = { id: randomUUID(), model: body?.model, prompt: body?.input?.prompt };
	const shape = body?.parameters?.size;
	return submit(exchange, { ...job, shape, problem }, ({ id: task_id }) => ({
		json: { output: { task_status: 'PENDING', task_id }, request_id: randomUUID() },
	}));
}

/** DashScope's clock: "2025-01-01 08:00:00.000". */
const clock = (ms) => new Date(ms).toISOString().replace('T', ' ').replace('Z', '');

const look = (exchange) =>
	poll(exchange, exchange.params.id, (task, state) => {
		const { duration = 5 } = task.body.parameters ?? {};
		const code = state === 'filtered' ? 'DataInspectionFailed' : 'InternalError';
		const message = reasonOf(task, state, 'Inappropriate content.', 'An internal error.');
		const end = state === 'done' ? { video_url: filmUrl(exchange, task) } : { code, message };
		const ended = !['queued', 'running'].includes(state);
		return {
			json: {
				request_id: randomUUID(),
				output: {
					task_id: task.id,
					task_status: WORDS[state] ?? 'FAILED',
					submit_time: clock(task.at),
					...(ended && { end_time: clock(Date.now()), ...end }),
				},
				...(state === 'done' && { usage: { duration, video_count: 1, SR: 720 } }),
			},
		};
	});

module.exports = {
	name: 'dashscope',
	refuse,
	channel: {
		type: 17,
		label: 'Ali (Wan)',
		key: 'dashscope-key',
		models: [
			...['3.0-video', '2.7-i2v', '2.7-t2v', '2.5-i2v-preview', '2.5-t2v-preview'],
			...['2.2-i2v-flash', '2.2-t2v-plus', '2.2-kf2v-flash'],
		].map((name) => `wan${name}`),
	},
	routes: [
		['POST', '/api/v1/services/aigc/video-generation/video-synthesis', create],
		['GET', '/api/v1/tasks/:id', look],
		filmRoute,
	],
};
