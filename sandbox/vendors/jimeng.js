'use strict';

const { randomInt, randomUUID } = require('node:crypto');
const { refusing } = require('./plan');
const { filmRoute, filmUrl, poll, submit } = require('./jobs');
const { isAddress, isBase64, oneOf, problemOf, text } = require('./jobs');

// Volcengine's visual service, which is Jimeng (www.volcengine.com/docs/85621): one address, and the
// action in the query.

const about = () => ({ request_id: randomUUID(), time_elapsed: '12.3ms' });

const refuse = refusing('jimeng', (code, message) => ({
	code,
	data: null,
	message,
	status: code,
	...about(),
}));

const succeed = (data) => ({
	json: { code: 10000, data, message: 'Success', status: 10000, ...about() },
});

const listOf = (fits, what) => [
	(value) => Array.isArray(value) && value.every(fits),
	`must be a list of ${what}`,
];
const RULES = {
	'req_key!': text,
	frames: oneOf(121, 241),
	aspect_ratio: oneOf('16:9', '4:3', '1:1', '3:4', '9:16', '21:9'),
	binary_data_base64: listOf(isBase64, 'base64 texts without a prefix'),
	image_urls: listOf(isAddress, 'addresses'),
};

function create(exchange) {
	const body = exchange.json;
	const count = (body?.binary_data_base64 ?? body?.image_urls ?? []).length;
	const missing = /_i2v_/.test(body?.req_key) && count === 0 ? 'an image is required' : undefined;
	const job = { id: String(randomInt(2 ** 47)), model: body?.req_key, prompt: body?.prompt };
	const shape = body?.aspect_ratio || '16:9';
	const problem = problemOf(body, RULES) ?? missing;
	return submit(exchange, { ...job, shape, problem }, ({ id: task_id }) => succeed({ task_id }));
}

const WORDS = { queued: 'in_queue', running: 'generating', done: 'done' };

const look = (exchange) =>
	poll(exchange, exchange.json?.task_id, (task, state) => {
		if (state === 'filtered') return refuse('filtered', 'Post Img Risk Not Pass');
		if (state === 'failed') return refuse('json500', task.plan.failReason ?? 'Internal Error');
		const video_url = state === 'done' ? filmUrl(exchange, task) : '';
		const empty = { binary_data_base64: [], image_urls: null, resp_data: '' };
		return succeed({ ...empty, status: WORDS[state], video_url });
	});

const ACTIONS = { CVSync2AsyncSubmitTask: create, CVSync2AsyncGetResult: look };
const act = (exchange) => ACTIONS[exchange.query.Action]?.(exchange) ?? refuse('notFound404');

module.exports = {
	name: 'jimeng',
	refuse,
	/** Requests are signed; the signature is not verified. */
	hasKey: ({ headers }) => /^HMAC-SHA256 Credential=/.test(headers.authorization ?? ''),
	channel: {
		type: 51,
		label: 'Jimeng',
		key: 'jimeng-access|jimeng-secret',
		models: ['jimeng_vgfm_t2v_l20', 'jimeng_v30'],
	},
	routes: [['POST', '/', act], filmRoute],
};
