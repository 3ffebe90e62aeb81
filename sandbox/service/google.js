'use strict';

const { randomBytes } = require('node:crypto');
const { changeDue, withChange } = require('./answers');
const { videoAnswer } = require('./contentRoutes');
const { GOOGLE_MODELS } = require('./googleModels');
const { cancel, ok, poll, reasonOf, submit } = require('./namedTasks');
const { stateOf } = require('./taskRecord');
const { isOver, isoOf } = require('./taskTimes');

// Google's Gemini API, after its pages and its client of November 2026 (npm's @google/genai 2.32.0), and answers
// that people who called it have shown.

const refusal = (code, status, message, details) =>
	ok({ error: { code, message, status, ...(details && { details }) } }, code);
const invalid = (message, details) => refusal(400, 'INVALID_ARGUMENT', message, details);

const INFO = 'type.googleapis.com/google.rpc.ErrorInfo';
const WRONG_KEY = [{ '@type': INFO, reason: 'API_KEY_INVALID', domain: 'googleapis.com' }];
/** Further ones that the list has. */
const OTHERS = ['gemini-3-flash', 'veo-3.1-generate-preview'];

const models = () =>
	ok({
		models: [...Object.keys(GOOGLE_MODELS), ...OTHERS].map((name) => ({
			name: `models/${name}`,
			displayName: GOOGLE_MODELS[name]?.name ?? name,
			supportedGenerationMethods: GOOGLE_MODELS[name] ? ['interactionsOnly'] : ['generateContent'],
		})),
	});

/** What was ordered, as one flat object: the pictures by their roles, as the task counts them. */
function readOrder({ model, input, background, response_format, generation_config, ...others }) {
	const parts = Array.isArray(input) ? input : [{ type: 'text', text: input }];
	const texts = parts.filter(({ type }) => type === 'text').map(({ text }) => text);
	const images = parts.filter(({ type }) => type === 'image');
	const { task } = generation_config?.video_config ?? {};
	return {
		model,
		input: {
			prompt: texts.join('\n'),
			...(images.length > 0 && { images }),
			...{ background, ...(task && { task }) },
			...{ ...response_format, ...others },
		},
	};
}

const WORDS = {
	queued: 'queued',
	IN_PROGRESS: 'in_progress',
	SUCCESS: 'completed',
	FAILURE: 'failed',
	CANCELLED: 'cancelled',
};

const outputOf = (content) => [
	{ type: 'user_input' },
	{ type: 'thought' },
	{ type: 'model_output', content },
];

/** A filter ends an order as if it had been done: with a text, and no video. */
function stepsOf({ url }, task) {
	if (task.plan.outcome === 'filtered') return outputOf([{ type: 'text', text: reasonOf(task) }]);
	const { resultUrl = `${url}/v1beta/files/${task.task_id}:download?alt=media` } = task.plan;
	return outputOf([{ type: 'video', uri: resultUrl, mime_type: 'video/mp4' }]);
}

function recordOf(state, task, status) {
	const { failCode = 13, words } = task.plan;
	const isFiltered = task.plan.outcome === 'filtered';
	const tokens = isFiltered ? [] : [{ modality: 'video', tokens: 23168 }];
	return {
		...{ id: task.task_id, object: 'interaction', model: task.model },
		status: words?.[status] ?? WORDS[status],
		created: isoOf(state, task.at),
		...(status === 'SUCCESS' && {
			steps: stepsOf(state, task),
			usage: { total_tokens: 23200, output_tokens_by_modality: tokens },
		}),
		...(status === 'FAILURE' && { errors: [{ code: failCode, message: reasonOf(task) }] }),
	};
}

/** The file, which needs the key, too; its address may lead to another one on the same host. */
function file(exchange) {
	const { state, params, record } = exchange;
	const task = state.tasks.get(params.id);
	if (!task || stateOf(task).status !== 'SUCCESS') return denied(params.id);
	record.taskId = task.task_id;
	const change = changeDue(exchange, 'content', task.task_id, task.plan.content);
	task.downloads++;
	return withChange(videoAnswer(exchange, task), change);
}

const denied = (id) =>
	refusal(
		403,
		'PERMISSION_DENIED',
		`You do not have permission to access the File ${id} or it may not exist.`,
	);

/** The service as namedRoutes.js has it. */
const GOOGLE = {
	keyHeader: 'x-goog-api-key',
	key: /^(\S+)$/,
	denied: () => invalid('API key not valid. Please pass a valid API key.', WRONG_KEY),
	routes: [
		['GET', /^\/v1beta\/models$/, models],
		['POST', /^\/v1beta\/interactions$/, submit],
		['GET', /^\/v1beta\/interactions\/(?<id>[^/]+)$/, poll],
		['POST', /^\/v1beta\/interactions\/(?<id>[^/]+)\/cancel$/, cancel],
		['GET', /^\/v1beta\/files\/(?<id>[^/]+):download$/, file],
	],
	readOrder,
	unknown: () => invalid('Invalid interaction name'),
	unknownModel: () => refusal(404, 'NOT_FOUND', 'The model is not found for API version v1beta'),
	misfit: ({ field, message }) => invalid(`${field}: ${message}`),
	newId: () => `v1_${randomBytes(24).toString('base64url')}`,
	accepted: (state, task) => ok(recordOf(state, task, 'IN_PROGRESS')),
	record: (state, task, status) => ok(recordOf(state, task, status)),
	/** Only what still runs in the background can be cancelled; these words are not the service's. */
	cancel(state, task, status) {
		if (isOver(status)) return invalid('The interaction is not in progress');
		task.cancelledAt = Date.now();
		return ok(recordOf(state, task, 'CANCELLED'));
	},
};

module.exports = { GOOGLE };
