'use strict';

const { isObject, isOwnAnswer, withChange, changeDue } = require('./answers');
const { randomBytes, randomInt } = require('node:crypto');
const { videoFor } = require('./media');
const { parseJson, shorten } = require('./server');
const { withNumberAsId, openAiBody, pollBody, stateOf, submitBody } = require('./taskRecord');
const { business, gateway, modelNotFound, taskNotExist } = require('./errorShapes');
const { recordedFor, recordedSubmit } = require('./gatewayProfile');
const { refused } = require('./keys');
const { unknownPath } = require('./listings');
const { readPlan } = require('./plan');
const { listedTasks, listing, numberOf } = require('./taskLists');

// What the service reads of a submit's body. Any other top-level field is dropped in silence.

const isText = (value) => typeof value === 'string';

const READ_FIELDS = {
	model: { type: 'string', fits: isText },
	prompt: { type: 'string', fits: isText },
	image: { type: 'string', fits: isText },
	images: { type: '[]string', fits: (value) => Array.isArray(value) && value.every(isText) },
	size: { type: 'string', fits: isText },
	duration: { type: 'int', fits: () => true },
	seconds: { type: 'string', fits: isText },
	mode: { type: 'string', fits: isText },
	input_reference: { type: 'string', fits: isText },
	metadata: { type: 'map[string]interface {}', fits: () => true },
};

const kindOf = (value) => (Array.isArray(value) ? 'array' : typeof value);

function misfit(body) {
	for (const [field, { type, fits }] of Object.entries(READ_FIELDS)) {
		const value = body[field];
		if (value !== undefined && value !== null && !fits(value)) {
			return `json: cannot unmarshal ${kindOf(value)} into Go struct field .Alias.${field} of type ${type}`;
		}
	}
	return undefined;
}

/** Text that says what a field should be counts; what says nothing is as if it were not there. */
function toRead({ duration, metadata, ...request }) {
	const isWhole = /^\d+$/.test(String(duration ?? ''));
	const object = [metadata, parseJson(metadata)].find(isObject);
	return {
		...request,
		...(isWhole && { duration: Number(duration) }),
		...(object && { metadata: object }),
	};
}

function readSubmit(bytes) {
	let body;
	try {
		body = JSON.parse(bytes.toString('utf8'));
	} catch {
		return { unread: 'Invalid request: Invalid request: invalid JSON request body' };
	}
	if (!isObject(body) || body.model === undefined || body.model === '') {
		return { unread: 'Model name not specified, model name cannot be empty' };
	}
	if (!isText(body.model)) {
		return { unread: 'Invalid request: Invalid request: field model must be a string' };
	}
	const { model } = body;
	const problem = misfit(body);
	if (problem) return { model, problem };
	if (!body.prompt?.trim()) return { model, problem: 'prompt is required' };
	const isRead = ([field]) => Object.hasOwn(READ_FIELDS, field);
	const isSent = ([, value]) => value !== null;
	const fields = Object.entries(body);
	return {
		model,
		request: toRead(Object.fromEntries(fields.filter(isRead).filter(isSent))),
		dropped: fields.filter((field) => !isRead(field)).map(([field]) => field),
	};
}

const DEFAULT_ID_LENGTH = 37;
/** Without a length, most vendors render 5 seconds, Google 8 and MiniMax 6 (docs/models.md). */
const defaultSeconds = (model) => (/^veo/.test(model) ? 8 : /^minimax/i.test(model) ? 6 : 5);
/** No vendor's film is longer. */
const MOST_SECONDS = 60;

function newTaskId({ idLength = DEFAULT_ID_LENGTH, oddId = false, numberId = false }) {
	if (numberId) return `3${String(randomInt(2 ** 46)).padStart(14, '0')}`;
	// Opaque ids of some upstreams are base64 with all of its signs.
	const start = oddId ? 'task_/+=?%2F#&' : 'task_';
	const letters = randomBytes(idLength).toString('hex');
	return start + letters.slice(0, Math.max(4, idLength - start.length));
}

/** Of a ratio, only the spelling that the model's own vendor uses is read. */
const RATIO = { veo: 'aspectRatio', kling: 'aspect_ratio', jimeng: 'aspect_ratio' };

function shapeOf({ model, size, metadata = {} }) {
	const [vendor] = /^[a-z]+/i.exec(model) ?? [];
	return size ?? metadata[RATIO[vendor] ?? 'ratio'];
}

function createTask(state, { request, dropped, plan, key }) {
	const { model, duration, seconds, image, images = [], metadata = {} } = request;
	const picture = image ?? images[0];
	// A URL is silently ignored by models that take base64 only: a text-to-video render is made.
	const ignored = model.startsWith('veo') && /^https?:/i.test(picture ?? '');
	const length = Number(duration ?? seconds ?? metadata.durationSeconds ?? metadata.duration);
	const task = {
		task_id: newTaskId(plan),
		at: Date.now(),
		key,
		model,
		prompt: request.prompt,
		request: shorten(request),
		dropped,
		plan,
		mode: picture && !ignored ? 'image-to-video' : 'text-to-video',
		seconds: length || defaultSeconds(model),
		/** If it is asked for; or else the film is as long as it is. */
		filmSeconds: length > 0 ? Math.min(length, MOST_SECONDS) : undefined,
		video: plan.video ?? videoFor(shapeOf(request)),
		renderMs: plan.renderMs ?? state.deployment.renderMs,
		polls: 0,
		downloads: 0,
	};
	state.tasks.set(task.task_id, task);
	return task;
}

const isJson = (headers) => /\bjson\b/i.test(headers['content-type'] ?? '');

/** Returns a form as JSON, each file as a data URI; `undefined` if it is none. */
async function formAsJson(headers, body) {
	const init = { headers: { 'content-type': headers['content-type'] ?? '' } };
	const form = await new Response(body, init).formData().catch(() => undefined);
	if (!form) return undefined;
	const fields = [...form].map(async ([name, value]) => {
		if (typeof value === 'string') return [name, value];
		const base64 = Buffer.from(await value.arrayBuffer()).toString('base64');
		return [name, `data:${value.type};base64,${base64}`];
	});
	return Buffer.from(JSON.stringify(Object.fromEntries(await Promise.all(fields))));
}

/** Reads what is to be rendered; a refusal comes out as `answer`. */
async function readOrder({ state, headers, body }) {
	// New API's router reads the model from JSON bodies only, and the body's type is what it goes by.
	const { isNewApi } = state.deployment;
	const json = isJson(headers) ? body : isNewApi ? undefined : await formAsJson(headers, body);
	if (!json)
		return { answer: gateway(400, '', 'Model name not specified, model name cannot be empty') };
	const { unread, model, problem, request, dropped } = readSubmit(json);
	if (unread) return { answer: gateway(400, '', unread) };
	// A channel is chosen before anything of the request but its model is looked at.
	if (!state.deployment.models.video.includes(model)) return { answer: modelNotFound(model) };
	if (problem) return { answer: business(400, 'invalid_request', problem) };
	const { plan, problem: unclear } = readPlan(request.prompt);
	if (unclear) return { answer: business(400, 'sandbox_plan', `The sandbox: plan: ${unclear}`) };
	return { request, dropped, plan: { ...state.deployment.plan, ...plan } };
}

function told({ plan, task_id: id }, json) {
	const answer = { status: 200, json };
	return plan.numberId ? withNumberAsId(answer, id) : answer;
}

async function submit(exchange) {
	const { state, record } = exchange;
	const refusal = refused(exchange, 'submit');
	if (refusal) return refusal;
	const { answer, request, dropped, plan } = await readOrder(exchange);
	if (answer) return answer;
	// A prompt is all that two attempts at the same task have in common: there is no id yet.
	const change = changeDue(exchange, 'submit', request.prompt, plan.submit);
	if (isOwnAnswer(change) && !change.accept) return change;
	const task = createTask(state, { request, dropped, plan, key: exchange.key });
	record.taskId = task.task_id;
	const recorded = recordedFor(state, task.model);
	const accepted = recorded ? recordedSubmit(recorded, state, task) : told(task, submitBody(task));
	return withChange(accepted, change);
}

function ordinaryPoll(state, task, toBody) {
	const { notExistMs = 0 } = task.plan;
	if (Date.now() - task.at < notExistMs) return taskNotExist();
	const now = stateOf(task, state.deployment.refreshMs);
	task.polls++;
	return told(task, toBody(state, task, now));
}

function poll(exchange, toBody) {
	const { state, record, params } = exchange;
	record.taskId = params.taskId;
	const refusal = refused(exchange, 'poll');
	if (refusal) return refusal;
	const task = state.tasks.get(params.taskId);
	if (!task) return taskNotExist();
	const change = changeDue(exchange, 'poll', task.task_id, task.plan.poll);
	return isOwnAnswer(change) ? change : withChange(ordinaryPoll(state, task, toBody), change);
}

/** OpenAI's list of videos; New API has none. */
const videos = listing((exchange) => {
	const { state, query } = exchange;
	const refusal = refused(exchange, 'list');
	if (refusal) return refusal;
	const limit = numberOf(query.limit, 20, 0, 100);
	const isAscending = query.order === 'asc';
	const all = listedTasks(state).sort((one, other) => (isAscending ? one.at - other.at : 0));
	const found = all.findIndex(({ task_id }) => task_id === query.after);
	if (Number.isNaN(limit) || (query.after !== undefined && found < 0)) {
		return gateway(400, 'invalid_value', 'Invalid limit or after', 'invalid_request_error');
	}
	const tasks = all.slice(found + 1, found + 1 + limit);
	const { refreshMs } = state.deployment;
	return {
		status: 200,
		json: {
			object: 'list',
			data: tasks.map((task) => openAiBody(state, task, stateOf(task, refreshMs))),
			first_id: tasks[0]?.task_id ?? null,
			last_id: tasks.at(-1)?.task_id ?? null,
			has_more: all.length > found + 1 + limit,
		},
	};
});

const isOpenAi = ({ state: { deployment } }) =>
	deployment.profile === 'contract' && !deployment.isNewApi;

const listVideos = (exchange) => (isOpenAi(exchange) ? videos(exchange) : unknownPath(exchange));

/** Answers on a route only where the deployment has it. */
const on = (route, answer) => (exchange) =>
	['both', route].includes(exchange.state.deployment.routes)
		? answer(exchange)
		: unknownPath(exchange);

const pollRecord = (exchange) => poll(exchange, pollBody);
const pollOpenAi = (exchange) => poll(exchange, openAiBody);

module.exports = {
	createTask,
	videoRoutes: [
		['POST', '/v1/video/generations', on('videoGenerations', submit)],
		['GET', '/v1/video/generations/:taskId', on('videoGenerations', pollRecord)],
		['POST', '/v1/videos', on('openAiVideos', submit)],
		['GET', '/v1/videos', on('openAiVideos', listVideos)],
		['GET', '/v1/videos/:taskId', on('openAiVideos', pollOpenAi)],
	],
};
