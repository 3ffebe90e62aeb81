'use strict';

const { randomInt, randomUUID } = require('node:crypto');
const { REFUSALS } = require('./plan');
const { filmRoute, filmUrl, poll, submit } = require('./jobs');
const { isAddress, isBase64, oneOf, problemOf, text } = require('./rules');

// Kling: text2video and image2video (app.klingai.com/global/dev/document-api).

const CODES = {
	badRequest: 1201,
	unauthorized: 1002,
	noQuota: 1102,
	forbidden: 1103,
	notFound404: 1203,
	rateLimited: 1302,
	json500: 5000,
	json503: 5001,
	filtered: 1301,
};

function refuse(kind, message = REFUSALS[kind].message) {
	const status = kind === 'noQuota' ? 429 : REFUSALS[kind].status;
	return { status, json: { code: CODES[kind], message, request_id: randomUUID() } };
}

/** An address, or base64 without the prefix of a data URI. */
const picture = [
	(value) => isAddress(value) || isBase64(value),
	'must be an address or base64 without a data: prefix',
];
const RULES = {
	duration: oneOf('5', '10'),
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
	const missing =
		isFromImage && !body?.image && !body?.image_tail ? 'image is required' : undefined;
	const needsPrompt = !isFromImage && !body?.prompt ? 'prompt is required' : undefined;
	return submit(
		exchange,
		{
			id: String(randomInt(2 ** 47)),
			model: body?.model_name ?? 'kling-v1',
			prompt: body?.prompt,
			shape: body?.aspect_ratio ?? '16:9',
			problem: problemOf(body, RULES) ?? missing ?? needsPrompt,
		},
		(task) => wrap({ task_id: task.id, task_status: 'submitted', ...timesOf(task) }),
	);
}

const look = (exchange) =>
	poll(exchange, exchange.params.id, (task, state) => {
		const reason = state === 'filtered' ? FILTERED : (task.plan.failReason ?? 'Generation failed');
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
	hasKey: ({ headers }) => /^Bearer \S/.test(headers.authorization ?? ''),
	channel: {
		type: 50,
		label: 'Kling',
		key: 'kling-access|kling-secret',
		models: ['kling-v1', 'kling-v1-6', 'kling-v2-master'],
	},
	routes: [['POST', '/v1/videos/:kind', create], ['GET', '/v1/videos/:kind/:id', look], filmRoute],
};
