'use strict';

const { randomUUID } = require('node:crypto');
const { extname } = require('node:path');
const { changeDue, withChange } = require('./answers');
const { listOf, madeBy } = require('./made');
const { cancel, ok, poll, reasonOf, submit } = require('./namedTasks');
const { parseJson } = require('./server');
const { stateOf } = require('./taskRecord');
const { isOver, isoOf } = require('./taskTimes');

// Runway, after its pages and its client of November 2026 (npm's @runwayml/sdk 4.20.1), and answers that people
// who called it have shown.

const docUrl = 'https://docs.dev.runwayml.com/api';
const refusal = (status, error, more = {}) => ok({ error, ...more, docUrl }, status);
const invalid = (...issues) => refusal(400, 'Validation of body failed', { issues });

const WORDS = {
	queued: 'PENDING',
	IN_PROGRESS: 'RUNNING',
	SUCCESS: 'SUCCEEDED',
	FAILURE: 'FAILED',
	CANCELLED: 'CANCELLED',
};

function recordOf(state, task, status) {
	const { credits, failCode, words } = task.plan;
	const billed = status === 'CANCELLED' ? 0 : (credits ?? 60);
	return {
		id: task.task_id,
		createdAt: isoOf(state, task.at),
		status: words?.[status] ?? WORDS[status],
		...(isOver(status) ? { cost: { credits: billed } } : { estimatedCost: { credits: 60 } }),
		...(status === 'IN_PROGRESS' && { progress: stateOf(task).percent / 100 }),
		...(status === 'SUCCESS' && { output: listOf(madeBy(state, task)) }),
		...(status === 'FAILURE' && {
			failure: reasonOf(task),
			...(failCode !== undefined && { failureCode: String(failCode) }),
		}),
	};
}

/** The first of two steps: names the address of a storage host, and the fields that its form has to have. */
function upload(exchange) {
	const { state, body } = exchange;
	const { filename, type } = parseJson(body.toString()) ?? {};
	if (!filename || type !== 'ephemeral') {
		return invalid({ code: 'invalid_type', path: ['filename'], message: 'Required' });
	}
	const change = changeDue(exchange, 'content', 'upload', state.deployment.plan.content);
	const name = `${randomUUID()}${extname(filename)}`;
	const answer = ok({
		uploadUrl: `${state.foreignUrl}/uploads/${name}?signature=1`,
		fields: { key: name, policy: 'sandbox' },
		runwayUri: `runway://${name}`,
	});
	return withChange(answer, change);
}

const organization = () =>
	ok({
		creditBalance: 1000,
		tier: {
			maxMonthlyCreditSpend: 10000,
			models: { 'gen4.5': { maxConcurrentGenerations: 2, maxDailyGenerations: 50 } },
		},
		usage: { models: {} },
	});

/** Refuses a request without the version that each one has to name; these words are not the service's. */
const versioned = (answer) => (exchange) =>
	exchange.headers['x-runway-version'] === '2024-11-06'
		? answer(exchange)
		: refusal(400, 'The X-Runway-Version header is missing or unknown');

/** The service as namedRoutes.js has it. */
const RUNWAY = {
	key: /^Bearer (\S+)$/,
	denied: () => refusal(401, 'The API key is not valid'),
	routes: [
		['GET', /^\/v1\/organization$/, versioned(organization)],
		['POST', /^\/v1\/uploads$/, versioned(upload)],
		['POST', /^\/v1\/(?<route>(text|image|video)_to_video)$/, versioned(submit)],
		['GET', /^\/v1\/tasks\/(?<id>[^/]+)$/, versioned(poll)],
		['DELETE', /^\/v1\/tasks\/(?<id>[^/]+)$/, versioned(cancel)],
	],
	readOrder: ({ model, ...input }, { route }) => ({ model: `${route}/${model}`, input }),
	unknown: () => refusal(404, 'Not found'),
	unknownModel: () =>
		invalid({ code: 'invalid_union', path: ['model'], note: 'No matching discriminator' }),
	misfit: ({ field, message }) => invalid({ code: 'invalid_value', path: [field], message }),
	newId: () => randomUUID(),
	accepted: (_state, { task_id: id }) => ok({ id, estimatedCost: { credits: 60 } }),
	record: (state, task, status) => ok(recordOf(state, task, status)),
	/** One address for both: a task that has ended is removed, with its file. */
	cancel(_state, task, status) {
		if (isOver(status)) task.isRemoved = true;
		else task.cancelledAt = Date.now();
		return { status: 204, text: '' };
	},
};

module.exports = { RUNWAY };
