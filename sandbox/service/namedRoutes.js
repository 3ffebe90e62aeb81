'use strict';

const { randomUUID } = require('node:crypto');
const { changeDue, withChange } = require('./answers');
const { FAL } = require('./fal');
const { kieOutput, madeBy } = require('./made');
const { MODELS, kieDocument } = require('./namedModels');
const { ok, poll, reasonOf, submit } = require('./namedTasks');
const { GOOGLE } = require('./google');
const { OPENROUTER } = require('./openRouter');
const { kiePrice, KIE_WORDS } = require('./prices');
const { REPLICATE } = require('./replicate');
const { parseJson } = require('./server');
const { RUNWAY } = require('./runway');
const { WAVESPEED } = require('./wavespeed');

// The named services, as far as their pages tell what a client needs; kie.ai is here, the others have files of
// their own. A deployment's profile names one of them; it has the addresses of no other service then.

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

function kieModels() {
	const models = Object.entries(MODELS.kie).map(([model, { name, category }]) => ({
		...{ model, title: name, taskType: [category], pricingDesc: KIE_WORDS },
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
	fal: FAL,
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
	replicate: REPLICATE,
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

module.exports = { NAMED_PATHS, SERVICES, namedAnswer };
