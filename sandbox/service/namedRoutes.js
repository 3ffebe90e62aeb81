'use strict';

const { randomUUID } = require('node:crypto');
const { changeDue, withChange } = require('./answers');
const {
	MODELS,
	falDocument,
	kieDocument,
	modelOfVersion,
	replicateModel,
} = require('./namedModels');
const { falComposed, falOutput, kieOutput, madeBy, replicateOutput } = require('./made');
const { ok, poll, reasonOf, submit } = require('./namedTasks');
const { GOOGLE } = require('./google');
const { OPENROUTER } = require('./openRouter');
const { falPrices, kiePrice, kieWords } = require('./prices');
const { parseJson } = require('./server');
const { foreignAddress, stateOf } = require('./taskRecord');
const { falInitiate, replicateUpload } = require('./uploads');
const { RUNWAY } = require('./runway');
const { WAVESPEED } = require('./wavespeed');

// fal, Google, Replicate, kie.ai, OpenRouter, Runway and WaveSpeed, as far as their pages tell what a client needs. A deployment's
// profile names one of them; it has the addresses of no other service then.

function falAddresses({ url }, { task_id }) {
	const [request_id] = task_id.split('/').slice(-1);
	const response_url = `${url}/${task_id}`;
	return { request_id, response_url, status_url: `${response_url}/status`, queue_position: 0 };
}

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

function kieRecord(state, task, status) {
	const words = { queued: 'waiting', IN_PROGRESS: 'generating', SUCCESS: 'success' };
	const data = { taskId: task.task_id, model: task.model, state: words[status] ?? 'fail' };
	if (status === 'SUCCESS') {
		Object.assign(data, { resultJson: kieOutput(madeBy(state, task)), creditsConsumed: 60 });
	}
	if (status === 'FAILURE') {
		const { failCode = 422 } = task.plan;
		Object.assign(data, { failCode: String(failCode), failMsg: reasonOf(task) });
	}
	return { code: 200, msg: 'success', data };
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

function kieModels() {
	const models = Object.entries(MODELS.kie).map(([model, { name, category }]) => ({
		...{ model, title: name, taskType: [category], pricingDesc: kieWords(model) },
	}));
	return ok({ code: 200, msg: 'success', data: { total: models.length, models } });
}

function kieSchema({ params: { model } }) {
	const known = MODELS.kie[model];
	if (!known) return ok({ code: 404, msg: 'The model does not exist', data: null });
	return ok({ code: 200, msg: 'success', data: { model, openapi: kieDocument(model, known) } });
}

/** Each file gets an address of its own, by the name that it was sent with. */
function kieUpload(exchange) {
	const { state, body } = exchange;
	const change = changeDue(exchange, 'content', 'upload', state.deployment.plan.content);
	const [, name] = /name="fileName"\r\n\r\n(\S+)/.exec(body.toString('latin1')) ?? [];
	const downloadUrl = `${state.foreignUrl}/files/${name ?? 'unnamed'}`;
	return withChange(ok({ code: 200, msg: 'success', data: { downloadUrl } }), change);
}

/** A fresh address of a file whose old one may be denied; files of other services are refused. */
function kieDownloadUrl({ state, body }) {
	const { url } = parseJson(body.toString()) ?? {};
	const isOwn = String(url).startsWith(state.foreignUrl);
	if (!isOwn) return ok({ code: 422, msg: 'The URL is not supported', data: null });
	return ok({ code: 200, msg: 'success', data: `${url}&fresh=1` });
}

/** What of a service is its own: its addresses, and the words around what is the same everywhere. */
const SERVICES = {
	fal: {
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
	},
	replicate: {
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
		unknown: () =>
			ok({ title: 'Not found', detail: 'The resource was not found', status: 404 }, 404),
		misfit: ({ field, message }) =>
			ok(
				{ title: 'Input validation failed', detail: `- input.${field}: ${message}`, status: 422 },
				422,
			),
		newId: () => randomUUID().replaceAll('-', '').slice(0, 26),
		accepted: (state, task) => ok(replicateRecord(state, task, 'queued'), 201),
		record: (state, task, status) => ok(replicateRecord(state, task, status)),
	},
	kie: {
		key: /^Bearer (\S+)$/,
		denied: () => ok({ code: 401, msg: 'You do not have access permissions' }),
		routes: [
			['GET', /^\/api\/v1\/chat\/credit$/, () => ok({ code: 200, msg: 'success', data: 1000 })],
			['GET', /^\/api\/v1\/models$/, kieModels],
			['GET', /^\/api\/v1\/models\/(?<model>.+)\/schema$/, kieSchema],
			['GET', /^\/api\/v1\/models\/(?<model>.+)\/price$/, kiePrice],
			['POST', /^\/api\/v1\/jobs\/createTask$/, submit],
			['POST', /^\/api\/v1\/common\/download-url$/, kieDownloadUrl],
			['POST', /^\/api\/file-stream-upload$/, kieUpload],
			['GET', /^\/api\/v1\/jobs\/recordInfo$/, poll],
		],
		readOrder: ({ model, input }) => ({ model, input }),
		unknown: () => ok({ code: 422, msg: 'recordInfo is null', data: null }),
		misfit: ({ field, message }) => ok({ code: 422, msg: `${field}: ${message}`, data: null }),
		newId: () => randomUUID().replaceAll('-', ''),
		accepted: (_state, { task_id }) =>
			ok({ code: 200, msg: 'success', data: { taskId: task_id, recordId: `record_${task_id}` } }),
		record: (state, task, status) => ok(kieRecord(state, task, status)),
	},
	google: GOOGLE,
	openRouter: OPENROUTER,
	runway: RUNWAY,
	wavespeed: WAVESPEED,
};

/** Returns what the service of the deployment's profile answers; `undefined` if it names none. */
function namedAnswer(exchange) {
	const { state, record, headers } = exchange;
	const { profile } = state.deployment;
	const service = SERVICES[profile];
	if (!service) return undefined;
	const { keyHeader = 'authorization' } = service;
	const [, key] = service.key.exec(headers[keyHeader] ?? '') ?? [];
	const from = keyHeader === 'authorization' ? 'bearer' : 'header';
	record.key = key === undefined ? 'none' : from;
	if (key !== state.key && !service.open?.test(record.path)) return service.denied();
	for (const [method, path, answer] of service.routes) {
		const match = method === record.method && path.exec(decodeURI(record.path));
		if (match) return answer({ ...exchange, service, profile, params: match.groups ?? {} });
	}
	return service.unknown();
}

/** How submits and polls of a profile look, for counts. */
const NAMED_PATHS = {
	fal: { submit: /^\/(?!storage\/)/, poll: /\/status$/ },
	replicate: { submit: /\/predictions$/, poll: /^\/v1\/predictions\/[^/]+$/ },
	kie: { submit: /\/createTask$/, poll: /\/recordInfo$/ },
	openRouter: {
		submit: /^\/api\/v1\/videos$/,
		poll: /^\/api\/v1\/videos\/(?!models$)[^/]+$/,
	},
	google: {
		submit: /^\/v1beta\/interactions$/,
		poll: /^\/v1beta\/interactions\/[^/]+$/,
	},
	runway: {
		submit: /^\/v1\/(text|image|video)_to_video$/,
		poll: /^\/v1\/tasks\/[^/]+$/,
	},
	wavespeed: {
		submit: /^\/api\/v3\/(?!media\/|model\/|predictions(\/|$))/,
		poll: /^\/api\/v3\/predictions\/[^/]+(\/result)?$/,
	},
};

module.exports = { NAMED_PATHS, namedAnswer };
