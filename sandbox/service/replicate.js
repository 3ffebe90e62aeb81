'use strict';

const { randomUUID } = require('node:crypto');
const { madeBy, replicateOutput } = require('./made');
const { MODELS, modelOfVersion, replicateModel } = require('./namedModels');
const { ok, poll, reasonOf, submit } = require('./namedTasks');
const { replicateUpload } = require('./uploads');

// Replicate, after its pages and its client of 2025-11-17 (npm's replicate 1.4.0).

function replicateRecord(state, task, status) {
	const words = { queued: 'starting', IN_PROGRESS: 'processing', SUCCESS: 'succeeded' };
	return {
		id: task.task_id,
		model: task.model,
		status: words[status] ?? 'failed',
		output: status === 'SUCCESS' ? replicateOutput(madeBy(state, task)) : null,
		error: status === 'FAILURE' ? reasonOf(task) : null,
		urls: { get: `${state.url}/v1/predictions/${task.task_id}` },
	};
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
		['GET', /^\/v1\/predictions\/(?<id>[^/]+)$/, poll],
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
	accepted: (state, task) => ok(replicateRecord(state, task, 'queued'), 201),
	record: (state, task, status) => ok(replicateRecord(state, task, status)),
};

module.exports = { REPLICATE };
