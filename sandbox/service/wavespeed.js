'use strict';

const { randomUUID } = require('node:crypto');
const { extname } = require('node:path');
const { changeDue, withChange } = require('./answers');
const { MODELS } = require('./namedModels');
const { listOf, madeBy } = require('./made');
const { ok, poll, reasonOf, submit } = require('./namedTasks');
const { wavespeedPrice } = require('./prices');
const { parseJson } = require('./server');
const { stateOf } = require('./taskRecord');
const { isBetween, listedTasks, listing, numberOf, timeOf } = require('./taskLists');
const { isoOf } = require('./taskTimes');
const { wavespeedEntry } = require('./wavespeedModels');

// WaveSpeed, after its pages and its client of 2026-09-16 (npm's wavespeed 0.3.2).

const enveloped = (data) => ok({ code: 200, message: 'success', data });
const refusal = (status, message) => ok({ message }, status);

const WORDS = {
	queued: 'created',
	IN_PROGRESS: 'processing',
	SUCCESS: 'completed',
	FAILURE: 'failed',
	CANCELLED: 'cancelled',
};

/** What its page calls "Task Execution Failed", of which the message tells more. */
const TASK_EXECUTION_FAILED = 1403;

function predictionOf(state, task, status) {
	const outputs = status === 'SUCCESS' ? listOf(madeBy(state, task)) : [];
	return {
		id: task.task_id,
		model: task.model,
		status: task.plan.words?.[status] ?? WORDS[status],
		urls: { get: `${state.url}/api/v3/predictions/${task.task_id}` },
		outputs,
		has_nsfw_contents: outputs.map(() => false),
		created_at: isoOf(state, task.at),
		error: status === 'FAILURE' ? reasonOf(task) : '',
		timings: { inference: outputs.length > 0 ? task.renderMs : 0 },
	};
}

/** Only what is polled has a code: 0 unless the task failed. */
function polledOf(state, task, status) {
	const { failCode = TASK_EXECUTION_FAILED } = task.plan;
	const prediction = predictionOf(state, task, status);
	const executionTime = prediction.timings.inference;
	return { ...prediction, executionTime, code: status === 'FAILURE' ? failCode : 0 };
}

/** Each file gets an address of its own, and only its ending from the name that it was sent with. */
async function upload(exchange) {
	const { state, body, headers } = exchange;
	const init = { headers: { 'content-type': headers['content-type'] ?? '' } };
	const form = await new Response(body, init).formData().catch(() => undefined);
	const file = form?.get('file');
	if (!(file instanceof Blob)) return refusal(400, 'file is required');
	const change = changeDue(exchange, 'content', 'upload', state.deployment.plan.content);
	const data = {
		type: file.type.split('/')[0],
		download_url: `${state.foreignUrl}/files/${randomUUID()}${extname(file.name)}`,
		filename: file.name,
		size: file.size,
	};
	return withChange(enveloped(data), change);
}

/** What its list leaves out of a prediction; it shows no inputs either. */
function listedOf(state, task, status) {
	const { code, has_nsfw_contents, ...prediction } = polledOf(state, task, status);
	return prediction;
}

/** Predictions are kept for a week. */
const KEPT_MS = 7 * 24 * 3600 * 1000;

/** The list, which has to be told both the page and its length. */
function predictions({ state, body }) {
	const order = parseJson(body.toString()) ?? {};
	const { model, status, created_after, created_before } = order;
	const page = numberOf(order.page, NaN, 1, Infinity);
	const size = numberOf(order.page_size, NaN, 1, 100);
	const [from, to] = [timeOf(created_after), timeOf(created_before)];
	if ([page, size, from, to].some(Number.isNaN)) {
		return refusal(400, 'page and page_size are required; page_size is 100 at most');
	}
	const items = listedTasks(state)
		.filter((task) => Date.now() - task.at < KEPT_MS && isBetween(state, task.at, from, to))
		.map((task) => listedOf(state, task, stateOf(task).status))
		.filter((item) => (model ?? item.model) === item.model)
		.filter((item) => (status ?? item.status) === item.status);
	return enveloped({ page, items: items.slice((page - 1) * size, page * size) });
}

const models = () => enveloped(Object.entries(MODELS.wavespeed).map(wavespeedEntry));

/** The service as namedRoutes.js has it. */
const WAVESPEED = {
	key: /^Bearer (\S+)$/,
	denied: () => refusal(401, 'Invalid authentication'),
	routes: [
		['GET', /^\/api\/v3\/balance$/, () => enveloped({ balance: 100 })],
		['GET', /^\/api\/v3\/models$/, models],
		['POST', /^\/api\/v3\/media\/upload\/binary$/, upload],
		['POST', /^\/api\/v3\/model\/price$/, wavespeedPrice],
		['POST', /^\/api\/v3\/predictions$/, listing(predictions)],
		['POST', /^\/api\/v3\/(?<model>.+)$/, submit],
		['GET', /^\/api\/v3\/predictions\/(?<id>[^/]+)(\/result)?$/, poll],
	],
	readOrder: (body, { model }) => ({ model, input: body }),
	unknown: () => refusal(404, 'Not found'),
	misfit: ({ field, message }) => refusal(400, `${field}: ${message}`),
	newId: () => randomUUID().replaceAll('-', ''),
	accepted: (state, task) => enveloped(predictionOf(state, task, 'queued')),
	record: (state, task, status) => enveloped(polledOf(state, task, status)),
};

module.exports = { WAVESPEED };
