'use strict';

const { randomUUID } = require('node:crypto');
const { changeDue, withChange } = require('./answers');
const { videoAnswer } = require('./contentRoutes');
const { ok, poll, reasonOf, submit } = require('./namedTasks');
const { LIST } = require('./openRouterModels');
const { stateOf } = require('./taskRecord');

// OpenRouter, after its pages, its client of November 2026 (npm's @openrouter/sdk 1.3.19), and what people
// who called it saw.

const refusal = (status, message) => ok({ error: { message, code: status } }, status);

const WORDS = {
	queued: 'pending',
	IN_PROGRESS: 'in_progress',
	SUCCESS: 'completed',
	FAILURE: 'failed',
	CANCELLED: 'cancelled',
};

function recordOf({ url }, task, status) {
	const polling_url = `${url}/api/v1/videos/${task.task_id}`;
	return {
		id: task.task_id,
		polling_url,
		status: task.plan.words?.[status] ?? WORDS[status],
		...(status === 'FAILURE' && { error: reasonOf(task) }),
		...(status === 'SUCCESS' && {
			generation_id: task.task_id,
			...(task.plan.resultUrl !== 'none' && {
				unsigned_urls: [`${polling_url}/content?index=0`],
			}),
			usage: { cost: 3.2, is_byok: false },
		}),
	};
}

/** The file, which needs the key, too. */
function content(exchange) {
	const { state, service, params, record } = exchange;
	const task = state.tasks.get(params.id);
	if (!task) return service.unknown();
	record.taskId = task.task_id;
	if (stateOf(task).status !== 'SUCCESS') return refusal(400, 'Video is not ready');
	const change = changeDue(exchange, 'content', task.task_id, task.plan.content);
	task.downloads++;
	return withChange(videoAnswer(exchange, task), change);
}

/** The service as namedRoutes.js has it. */
const OPENROUTER = {
	key: /^Bearer (\S+)$/,
	/** Comes without a key, too. */
	open: /^\/api\/v1\/videos\/models$/,
	denied: () => refusal(401, 'User not found.'),
	routes: [
		['GET', /^\/api\/v1\/key$/, () => ok({ data: { label: 'sandbox', usage: 0, limit: null } })],
		['GET', /^\/api\/v1\/videos\/models$/, () => ok({ data: LIST })],
		['POST', /^\/api\/v1\/videos$/, submit],
		['GET', /^\/api\/v1\/videos\/(?<id>[^/]+)$/, poll],
		['GET', /^\/api\/v1\/videos\/(?<id>[^/]+)\/content$/, content],
	],
	readOrder: ({ model, ...input }) => ({ model, input }),
	unknown: () => refusal(404, 'Not found'),
	misfit: ({ field, message }) => refusal(400, `${field}: ${message}`),
	newId: () => `gen-vid-1772323200-${randomUUID().replaceAll('-', '').slice(0, 20)}`,
	accepted: (state, task) => ok(recordOf(state, task, 'queued'), 202),
	record: (state, task, status) => ok(recordOf(state, task, status)),
};

module.exports = { OPENROUTER };
