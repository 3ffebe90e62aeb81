'use strict';

const { randomUUID } = require('node:crypto');
const { madeBy, replicateOutput } = require('./made');
const { MODELS, modelOfVersion, replicateModel } = require('./namedModels');
const { cancel, ok, poll, reasonOf, submit } = require('./namedTasks');
const { stateOf } = require('./taskRecord');
const { isBetween, listedTasks, listing, timeOf } = require('./taskLists');
const { isOver, isoOf, timesOf } = require('./taskTimes');
const { replicateUpload } = require('./uploads');

// Replicate, after its pages and its client of 2025-11-17 (npm's replicate 1.4.0).

const WORDS = {
	queued: 'starting',
	IN_PROGRESS: 'processing',
	SUCCESS: 'succeeded',
	FAILURE: 'failed',
	CANCELLED: 'canceled',
};

/** Its times have microseconds. */
const timeText = (state, ms) => isoOf(state, ms)?.replace('Z', '000Z') ?? null;

function metricsOf({ at }, { startedAt, endedAt }) {
	if (startedAt === undefined || endedAt === undefined) return {};
	return { predict_time: (endedAt - startedAt) / 1000, total_time: (endedAt - at) / 1000 };
}

function recordOf(state, task, status) {
	const times = timesOf(task, { status });
	const get = `${state.url}/v1/predictions/${task.task_id}`;
	return {
		id: task.task_id,
		model: task.model,
		version: replicateModel(task.model).latest_version.id,
		input: task.input,
		status: WORDS[status],
		output: status === 'SUCCESS' ? replicateOutput(madeBy(state, task)) : null,
		error: status === 'FAILURE' ? reasonOf(task) : null,
		created_at: timeText(state, task.at),
		started_at: timeText(state, times.startedAt),
		completed_at: timeText(state, times.endedAt),
		...{ source: 'api', data_removed: false },
		urls: { get, cancel: `${get}/cancel`, web: `${state.url}/p/${task.task_id}` },
		metrics: metricsOf(task, times),
	};
}

const PAGE = 100;

/** The address of a page beside this one; its cursor names the entry that this one ends or begins with. */
function pageAddress({ state, query }, words) {
	const cursor = Buffer.from(new URLSearchParams(words).toString()).toString('base64');
	return `${state.url}/v1/predictions?${new URLSearchParams({ ...query, cursor })}`;
}

/** The list; later pages stay as they are while further predictions are made. */
function predictions(exchange) {
	const { state, query } = exchange;
	const [from, to] = [timeOf(query.created_after), timeOf(query.created_before)];
	if (Number.isNaN(from) || Number.isNaN(to)) {
		return ok({ detail: 'created_after and created_before are dates', status: 400 }, 400);
	}
	const all = listedTasks(state).filter(({ at }) => isBetween(state, at, from, to));
	const cursor = new URLSearchParams(Buffer.from(query.cursor ?? '', 'base64').toString());
	const found = all.findIndex(({ task_id }) => task_id === cursor.get('p'));
	if (query.cursor && found < 0) return ok({ detail: 'Invalid cursor' }, 404);
	const begin = cursor.has('r') ? Math.max(0, found - PAGE) : found + 1;
	const page = all.slice(begin, begin + PAGE);
	const isLast = begin + PAGE >= all.length;
	return ok({
		previous: begin > 0 ? pageAddress(exchange, { r: '1', p: page[0]?.task_id }) : null,
		next: isLast ? null : pageAddress(exchange, { p: page.at(-1).task_id }),
		results: page.map((task) => recordOf(state, task, stateOf(task).status)),
	});
}

const replicateCollection = ({ params: { category } }) =>
	ok({
		slug: category,
		models: Object.keys(MODELS.replicate)
			.filter((id) => MODELS.replicate[id].category === category)
			.map(replicateModel),
	});

/** Its search knows more of a model than the name; here, its kind. */
const replicateSearch = ({ query: { query = '' } }) =>
	ok({
		query,
		models: Object.keys(MODELS.replicate)
			.filter((id) => `${id} ${MODELS.replicate[id].category}`.includes(query))
			.map((id) => ({ model: replicateModel(id), metadata: { score: 1 } })),
		...{ collections: [], pages: [] },
	});

const replicateOne = ({ service, params: { model } }) =>
	MODELS.replicate[model] ? ok(replicateModel(model)) : service.unknown();

function replicateVersion({ service, params: { version } }) {
	const model = modelOfVersion(version);
	return model ? ok(replicateModel(model).latest_version) : service.unknown();
}

/** The service as namedRoutes.js has it. */
const REPLICATE = {
	key: /^Bearer (\S+)$/,
	denied: () =>
		ok({ title: 'Unauthenticated', detail: 'You did not pass a valid token', status: 401 }, 401),
	routes: [
		['GET', /^\/v1\/account$/, () => ok({ type: 'user', username: 'sandbox' })],
		['GET', /^\/v1\/search$/, replicateSearch],
		['GET', /^\/v1\/collections\/(?<category>[^/]+)$/, replicateCollection],
		['GET', /^\/v1\/models\/(?<model>[^/]+\/[^/]+)$/, replicateOne],
		['GET', /^\/v1\/versions\/(?<version>[^/]+)$/, replicateVersion],
		['POST', /^\/v1\/files$/, replicateUpload],
		['POST', /^\/v1\/predictions$/, submit],
		['POST', /^\/v1\/models\/(?<model>[^/]+\/[^/]+)\/predictions$/, submit],
		['GET', /^\/v1\/predictions$/, listing(predictions)],
		['GET', /^\/v1\/predictions\/(?<id>[^/]+)$/, poll],
		['POST', /^\/v1\/predictions\/(?<id>[^/]+)\/cancel$/, cancel],
	],
	readOrder: ({ version, input }, { model = modelOfVersion(version) ?? version }) => ({
		...{ model, input },
	}),
	unknown: () => ok({ title: 'Not found', detail: 'The resource was not found', status: 404 }, 404),
	misfit: ({ field, message }) =>
		ok(
			{ title: 'Input validation failed', detail: `- input.${field}: ${message}`, status: 422 },
			422,
		),
	newId: () => randomUUID().replaceAll('-', '').slice(0, 26),
	accepted: (state, task) => ok(recordOf(state, task, 'queued'), 201),
	record: (state, task, status) => ok(recordOf(state, task, status)),
	/** One that has ended stays as it is. */
	cancel(state, task, status) {
		if (!isOver(status)) task.cancelledAt = Date.now();
		return ok(recordOf(state, task, stateOf(task).status));
	},
};

module.exports = { REPLICATE };
