'use strict';

const { randomUUID } = require('node:crypto');
const { changeDue, withChange } = require('./answers');
const { falComposed, falOutput, madeBy } = require('./made');
const { MODELS, falDocument } = require('./namedModels');
const { ok, poll, reasonOf, submit } = require('./namedTasks');
const { falPrices } = require('./prices');
const { stateOf } = require('./taskRecord');
const { falInitiate } = require('./uploads');

// fal, after its pages and its client of 2026-08-02.

function falAddresses({ url }, { task_id }) {
	const [request_id] = task_id.split('/').slice(-1);
	const response_url = `${url}/${task_id}`;
	return { request_id, response_url, status_url: `${response_url}/status`, queue_position: 0 };
}

function falModels({ query }) {
	const { endpoint_id, category, expand } = query;
	const models = Object.entries(MODELS.fal)
		.filter(([id, model]) =>
			endpoint_id ? id === endpoint_id : !category || model.category === category,
		)
		.map(([id, model]) => ({
			endpoint_id: id,
			metadata: { display_name: model.name, category: model.category, status: 'active' },
			...(expand && { openapi: falDocument(id, model) }),
		}));
	return ok({ models, next_cursor: null, has_more: false });
}

/** A finished render's own answer: its file, or the model's words on why there is none. */
function falResult(exchange) {
	const { state, service, params, record } = exchange;
	const task = state.tasks.get(params.id);
	if (!task) return service.unknown();
	record.taskId = task.task_id;
	const { status } = stateOf(task);
	if (status === 'FAILURE') {
		const detail = [
			{ loc: ['body', 'prompt'], msg: reasonOf(task), type: 'content_policy_violation' },
		];
		return ok({ detail }, 422);
	}
	if (status !== 'SUCCESS') return ok({ detail: 'Request is still in progress' }, 400);
	const change = changeDue(exchange, 'content', task.task_id, task.plan.content);
	task.downloads++;
	const made = MODELS.fal[task.model].isFlat
		? falComposed(state, task)
		: { ...falOutput(madeBy(state, task)), seed: 7 };
	const result = { ...ok(made), headers: { 'x-fal-billable-units': '8' } };
	return withChange(result, change);
}

/** The service as namedRoutes.js has it. */
const FAL = {
	key: /^Key (\S+)$/,
	denied: () => ok({ detail: 'Authentication is required to access this application.' }, 401),
	routes: [
		['GET', /^\/v1\/models$/, falModels],
		['GET', /^\/v1\/models\/pricing$/, falPrices],
		['POST', /^\/storage\/upload\/initiate$/, falInitiate],
		['POST', /^\/(?<model>.+)$/, submit],
		['GET', /^\/(?<id>[^/]+\/[^/]+\/requests\/[^/]+)\/status$/, poll],
		['GET', /^\/(?<id>[^/]+\/[^/]+\/requests\/[^/]+)$/, falResult],
	],
	readOrder: (body, { model }) => ({ model, input: body }),
	unknown: () => ok({ detail: 'Not Found' }, 404),
	misfit: ({ field, message }) =>
		ok({ detail: [{ loc: ['body', field], msg: message, type: 'value_error' }] }, 422),
	newId: (model) => `${model.split('/').slice(0, 2).join('/')}/requests/${randomUUID()}`,
	accepted: (state, task) => ok({ ...falAddresses(state, task), status: 'IN_QUEUE' }),
	record(state, task, status) {
		const words = { queued: 'IN_QUEUE', IN_PROGRESS: 'IN_PROGRESS' };
		const isOver = !words[status];
		const word = words[status] ?? 'COMPLETED';
		return ok({ ...falAddresses(state, task), status: word }, isOver ? 200 : 202);
	},
};

module.exports = { FAL };
