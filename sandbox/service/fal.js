'use strict';

const { randomUUID } = require('node:crypto');
const { changeDue, withChange } = require('./answers');
const { falComposed, falOutput, madeBy } = require('./made');
const { MODELS, falDocument } = require('./namedModels');
const { cancel, ok, poll, reasonOf, submit } = require('./namedTasks');
const { falPrices } = require('./prices');
const { stateOf } = require('./taskRecord');
const { isBetween, listedTasks, listing, numberOf, timeOf } = require('./taskLists');
const { byClockOf, isOver, isoOf, timesOf } = require('./taskTimes');
const { falInitiate } = require('./uploads');

// fal, after its pages and its client of 2026-08-02.

function falAddresses({ url }, { task_id }) {
	const [request_id] = task_id.split('/').slice(-1);
	const response_url = `${url}/${task_id}`;
	return {
		...{ request_id, response_url, queue_position: 0 },
		...{ status_url: `${response_url}/status`, cancel_url: `${response_url}/cancel` },
	};
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

/** What fal says of a request that left its queue. */
const REMOVED = { error: 'Request was cancelled by the client.', error_type: 'client_cancelled' };

/** How a request ended: what its model answered, and with which status. */
function endOf(state, task, status) {
	if (status === 'CANCELLED') {
		return [{ detail: REMOVED.error, error_type: REMOVED.error_type }, 499];
	}
	if (status === 'FAILURE') {
		const type = 'content_policy_violation';
		return [{ detail: [{ loc: ['body', 'prompt'], msg: reasonOf(task), type }] }, 422];
	}
	const made = MODELS.fal[task.model].isFlat
		? falComposed(state, task)
		: { ...falOutput(madeBy(state, task)), seed: 7 };
	return [made, 200];
}

/** An entry of the list; one that has not ended has no answer. */
function entryOf(state, task, isExpanded) {
	const { status } = stateOf(task);
	const { startedAt, endedAt } = timesOf(task);
	const [json_output, status_code] = isOver(status) ? endOf(state, task, status) : [];
	return {
		request_id: falAddresses(state, task).request_id,
		endpoint_id: task.model,
		sent_at: isoOf(state, task.at),
		started_at: isoOf(state, startedAt ?? endedAt),
		...(status_code && {
			ended_at: isoOf(state, endedAt),
			status_code,
			duration: (endedAt - (startedAt ?? endedAt)) / 1000,
		}),
		...(isExpanded && { json_input: task.input, ...(status_code && { json_output }) }),
	};
}

const KINDS = {
	success: (code) => code < 400,
	user_error: (code) => code >= 400 && code < 500,
	error: (code) => code >= 500,
};
const DAY_MS = 24 * 3600 * 1000;

const invalid = (field, msg) =>
	ok({ detail: [{ loc: ['query', field], msg, type: 'value_error' }] }, 422);

/** The number of a page; NaN if the cursor is none of the service's. */
const pageOf = (cursor) =>
	cursor === undefined ? 1 : numberOf(Buffer.from(cursor, 'base64').toString(), NaN, 1, Infinity);

/** The requests of some models by their end, the latest first. What still runs is before them, if it is shown. */
function requestsByEndpoint({ state, query }) {
	const models = [query.endpoint_id ?? []].flat().flatMap((ids) => ids.split(','));
	if (models.length === 0) return invalid('endpoint_id', 'Field required');
	if (models.length > 50) return invalid('endpoint_id', 'List should have at most 50 items');
	const now = Date.now();
	const from = timeOf(query.start) ?? byClockOf(state, now) - DAY_MS;
	const [to, page, limit] = [
		timeOf(query.end),
		pageOf(query.cursor),
		numberOf(query.limit, 50, 1, 100),
	];
	const wrong = Object.entries({ start: from, end: to, cursor: page, limit }).find(([, value]) =>
		Number.isNaN(value),
	);
	if (wrong) return invalid(wrong[0], 'Input is not valid');
	const isKind = query.status === undefined ? () => true : KINDS[query.status];
	if (!isKind) return invalid('status', "Input should be 'success', 'error' or 'user_error'");
	const isExpanded = [query.expand].flat().includes('payloads');
	const all = listedTasks(state, now)
		.filter(({ model }) => models.includes(model))
		.map((task) => ({ task, at: timesOf(task).endedAt ?? Infinity }))
		.filter(({ at, task }) =>
			at === Infinity
				? state.deployment.listsRunning && isBetween(state, task.at, undefined, to)
				: isBetween(state, at, from, to),
		)
		.sort((one, other) => (one.at === other.at ? 0 : other.at - one.at))
		.map(({ task }) => entryOf(state, task, isExpanded))
		.filter(({ status_code }) => isKind(status_code));
	const has_more = all.length > page * limit;
	return ok({
		items: all.slice((page - 1) * limit, page * limit),
		next_cursor: has_more ? Buffer.from(String(page + 1)).toString('base64') : null,
		has_more,
	});
}

/** A finished render's own answer: its file, or the model's words on why there is none. */
function falResult(exchange) {
	const { state, service, params, record } = exchange;
	const task = state.tasks.get(params.id);
	if (!task) return service.unknown();
	record.taskId = task.task_id;
	const { status } = stateOf(task);
	if (status !== 'SUCCESS' && isOver(status)) return ok(...endOf(state, task, status));
	if (status !== 'SUCCESS') return ok({ detail: 'Request is still in progress' }, 400);
	const change = changeDue(exchange, 'content', task.task_id, task.plan.content);
	task.downloads++;
	const result = { ...ok(...endOf(state, task, status)), headers: { 'x-fal-billable-units': '8' } };
	return withChange(result, change);
}

/** The service as namedRoutes.js has it. */
const FAL = {
	key: /^Key (\S+)$/,
	denied: () => ok({ detail: 'Authentication is required to access this application.' }, 401),
	routes: [
		['GET', /^\/v1\/models$/, falModels],
		['GET', /^\/v1\/models\/pricing$/, falPrices],
		['GET', /^\/v1\/models\/requests\/by-endpoint$/, listing(requestsByEndpoint)],
		['POST', /^\/storage\/upload\/initiate$/, falInitiate],
		['POST', /^\/(?<model>.+)$/, submit],
		['GET', /^\/(?<id>[^/]+\/[^/]+\/requests\/[^/]+)\/status$/, poll],
		['GET', /^\/(?<id>[^/]+\/[^/]+\/requests\/[^/]+)$/, falResult],
		['PUT', /^\/(?<id>[^/]+\/[^/]+\/requests\/[^/]+)\/cancel$/, cancel],
	],
	readOrder: (body, { model }) => ({ model, input: body }),
	unknown: () => ok({ detail: 'Not Found' }, 404),
	misfit: ({ field, message }) =>
		ok({ detail: [{ loc: ['body', field], msg: message, type: 'value_error' }] }, 422),
	newId: (model) => `${model.split('/').slice(0, 2).join('/')}/requests/${randomUUID()}`,
	accepted: (state, task) => ok({ ...falAddresses(state, task), status: 'IN_QUEUE' }),
	record(state, task, status) {
		const words = { queued: 'IN_QUEUE', IN_PROGRESS: 'IN_PROGRESS' };
		const word = words[status] ?? 'COMPLETED';
		const why = status === 'CANCELLED' ? REMOVED : {};
		return ok({ ...falAddresses(state, task), status: word, ...why }, words[status] ? 202 : 200);
	},
	uncancelled: () => ok({ status: 'NOT_FOUND' }, 404),
	/** Only what waits leaves the queue; whether a running one ends is for its app to say, and here none does. */
	cancel(_state, task, status) {
		if (isOver(status)) return ok({ status: 'ALREADY_COMPLETED' }, 400);
		if (status === 'queued') task.cancelledAt = Date.now();
		return ok({ status: 'CANCELLATION_REQUESTED' }, 202);
	},
};

module.exports = { FAL };
