'use strict';

const { randomBytes } = require('node:crypto');
const { DEFAULT_SECONDS, FRAMES_PER_SECOND, problemOfTask, tokensOf } = require('./arkRequest');
const { REFUSALS } = require('./faults');
const { filmRoute, filmUrl, poll, submit } = require('./jobs');

// Volcengine Ark: content generation tasks, which is Seedance
// (www.volcengine.com/docs/82379/1520757 and 1521309).

const CODES = {
	badRequest: 'InvalidParameter',
	unauthorized: 'AuthenticationError',
	noQuota: 'AccountOverdueError',
	forbidden: 'OperationDenied.PermissionDenied',
	notFound404: 'InvalidEndpointOrModel.NotFound',
	rateLimited: 'RateLimitExceeded.EndpointRPMExceeded',
	json500: 'InternalServiceError',
	json503: 'ServerOverloaded',
	filtered: 'InputTextSensitiveContentDetected',
};

function refuse(kind, message = REFUSALS[kind].message) {
	const status = kind === 'noQuota' ? 403 : REFUSALS[kind].status;
	return { status, json: { error: { code: CODES[kind], message, param: '', type: '' } } };
}

function create(exchange) {
	const body = exchange.json;
	const problem = problemOfTask(body);
	const items = Array.isArray(body?.content) ? body.content : [];
	const day = new Date().toISOString().slice(0, 10).replace(/-/g, '');
	const id = `cgt-${day}${Date.now() % 1e6}-${randomBytes(3).toString('hex')}`;
	const prompt = items.find((item) => item?.type === 'text')?.text;
	return submit(exchange, { id, model: body?.model, prompt, shape: body?.ratio, problem }, () => ({
		json: { id },
	}));
}

/** What a task says of its end, by state. */
function endOf(exchange, task, state) {
	if (state === 'done') {
		const tokens = tokensOf(task.body);
		return {
			status: 'succeeded',
			content: { video_url: filmUrl(exchange, task) },
			usage: { completion_tokens: tokens, total_tokens: tokens },
		};
	}
	if (state !== 'failed' && state !== 'filtered') return { status: state };
	const [code, message] =
		state === 'filtered'
			? ['OutputVideoSensitiveContentDetected', 'The output video may be sensitive']
			: ['InternalServiceError', task.plan.failReason ?? 'The service met an internal error'];
	return { status: 'failed', error: { code, message } };
}

const look = (exchange) =>
	poll(exchange, exchange.params.id, (task, state) => {
		const { resolution = '720p', ratio = '16:9', duration = DEFAULT_SECONDS, seed = 7 } = task.body;
		const created_at = Math.floor(task.at / 1000);
		const asked = { resolution, ratio, duration, seed, framespersecond: FRAMES_PER_SECOND };
		const times = { created_at, updated_at: Math.floor(Date.now() / 1000) };
		return {
			json: {
				id: task.id,
				model: task.model,
				...endOf(exchange, task, state),
				...times,
				...asked,
				service_tier: 'default',
			},
		};
	});

module.exports = {
	name: 'ark',
	refuse,
	hasKey: ({ headers }) => /^Bearer \S/.test(headers.authorization ?? ''),
	channel: {
		type: 54,
		label: 'DoubaoVideo (Seedance)',
		key: 'ark-key',
		models: [
			'doubao-seedance-1-0-pro-250528',
			'doubao-seedance-1-5-pro-251215',
			'doubao-seedance-2-0-260128',
		],
	},
	routes: [
		['POST', '/api/v3/contents/generations/tasks', create],
		['GET', '/api/v3/contents/generations/tasks/:id', look],
		filmRoute,
	],
};
