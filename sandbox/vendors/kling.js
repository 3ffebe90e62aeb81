'use strict';

const { randomInt, randomUUID } = require('node:crypto');
const { refusing } = require('./plan');
const { filmRoute, filmUrl, poll, reasonOf, submit } = require('./jobs');
const { isAddress, isBase64, oneOf, problemOf, text } = require('./jobs');

// Kling: text2video and image2video (app.klingai.com/global/dev/document-api).

const refuse = refusing('kling', (code, message) => ({ code, message, request_id: randomUUID() }));

/** An address, or base64 without the prefix of a data URI. */
const picture = [
	(value) => isAddress(value) || isBase64(value),
	'must be an address or base64 without a data: prefix',
];
const RULES = {
	duration: [(value) => value >= 3 && value <= 15, 'must be 3 to 15'],
	aspect_ratio: oneOf('16:9', '9:16', '1:1'),
	mode: oneOf('std', 'pro'),
	cfg_scale: [
		(value) => typeof value === 'number' && value >= 0 && value <= 1,
		'must be a number from 0 to 1',
	],
	negative_prompt: text,
	image: picture,
	image_tail: picture,
};

const WORDS = { queued: 'submitted', running: 'processing', done: 'succeed' };
const FILTERED = 'Failure to pass the risk control system';

const wrap = (data) => ({ json: { code: 0, message: 'SUCCEED', request_id: randomUUID(), data } });

const timesOf = ({ at }) => ({ created_at: at, updated_at: Date.now() });

function create(exchange) {
	const body = exchange.json;
	const isFromImage = exchange.params.kind === 'image2video';
	const { model_name: model = 'kling-v1', prompt, aspect_ratio: shape = '16:9' } = body ?? {};
	const isThere = isFromImage ? (body?.image ?? body?.image_tail) : prompt;
	const missing = isThere ? undefined : `${isFromImage ? 'image' : 'prompt'} is required`;
	const problem = problemOf(body, RULES) ?? missing;
	const job = { id: String(randomInt(2 ** 47)), model, prompt, shape, problem };
	return submit(exchange, job, (task) =>
		wrap({ task_id: task.id, task_status: 'submitted', ...timesOf(task) }),
	);
}

const look = (exchange) =>
	poll(exchange, exchange.params.id, (task, state) => {
		const reason = reasonOf(task, state, FILTERED, 'Generation failed');
		const seconds = task.body.duration ?? '5';
		const videos = [{ id: `film-${task.id}`, url: filmUrl(exchange, task), duration: seconds }];
		const units = Number(seconds) / 5;
		return wrap({
			task_id: task.id,
			task_status: WORDS[state] ?? 'failed',
			task_status_msg: WORDS[state] ? '' : reason,
			...timesOf(task),
			...(state === 'done' && { task_result: { videos }, final_unit_deduction: String(units) }),
		});
	});

module.exports = {
	name: 'kling',
	refuse,
	channel: {
		type: 50,
		label: 'Kling',
		key: 'kling-access|kling-secret',
		models: ['kling-v1', 'kling-v1-6', 'kling-v2-master', 'kling-3.0'],
	},
	routes: [['POST', '/v1/videos/:kind', create], ['GET', '/v1/videos/:kind/:id', look], filmRoute],
};
