'use strict';

const { isOwnAnswer, withChange } = require('./answers');
const { withNumberAsId } = require('./envelopes');
const { business, gateway, modelNotFound, taskNotExist } = require('./errorShapes');
const { recordedFor, recordedSubmit } = require('./gatewayProfile');
const { refused } = require('./keys');
const { readPlan } = require('./plan');
const { changeDue } = require('./redirects');
const { readSubmit } = require('./submitRequest');
const { pollBody, submitBody } = require('./taskRecord');
const { createTask, stateOf } = require('./tasks');

const isJson = (headers) => /\bjson\b/i.test(headers['content-type'] ?? '');

/** Reads what is to be rendered; a refusal comes out as `answer`. */
function readOrder({ state, headers, body }) {
	// The router reads the model from JSON bodies only, and the body's type is what it goes by.
	if (!isJson(headers))
		return { answer: gateway(400, '', 'Model name not specified, model name cannot be empty') };
	const { unread, model, problem, request, dropped } = readSubmit(body);
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

function submit(exchange) {
	const { state, record } = exchange;
	const refusal = refused(exchange, 'submit');
	if (refusal) return refusal;
	const { answer, request, dropped, plan } = readOrder(exchange);
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

function ordinaryPoll(state, task) {
	const { notExistMs = 0 } = task.plan;
	if (Date.now() - task.at < notExistMs) return taskNotExist();
	const now = stateOf(task, state.deployment.refreshMs);
	task.polls++;
	if (now.status === 'SUCCESS') task.successSaidAt ??= Date.now();
	return told(task, pollBody(state, task, now));
}

function poll(exchange) {
	const { state, record, params } = exchange;
	record.taskId = params.taskId;
	const refusal = refused(exchange, 'poll');
	if (refusal) return refusal;
	const task = state.tasks.get(params.taskId);
	if (!task) return taskNotExist();
	const change = changeDue(exchange, 'poll', task.task_id, task.plan.poll);
	return isOwnAnswer(change) ? change : withChange(ordinaryPoll(state, task), change);
}

module.exports = {
	videoRoutes: [
		['POST', '/v1/video/generations', submit],
		['GET', '/v1/video/generations/:taskId', poll],
	],
};
