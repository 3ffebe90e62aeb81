'use strict';

const { changeDue, isOwnAnswer, withChange } = require('./answers');
const { kindOf } = require('./made');
const { videoFor } = require('./media');
const { MODELS, misfit } = require('./namedModels');
const { readPlan } = require('./plan');
const { parseJson, shorten } = require('./server');
const { stateOf } = require('./taskRecord');

// What is the same at every named service: how a task is made, told and cancelled, and why it failed.

const ok = (json, status = 200) => ({ status, json });

const reasonOf = ({ plan }) => plan.failReason ?? 'The content was flagged by a content checker.';

function submit(exchange) {
	const { state, record, service, params, profile } = exchange;
	const { model, input = {} } = service.readOrder(
		parseJson(exchange.body.toString()) ?? {},
		params,
	);
	const known = MODELS[profile][model];
	if (!known) return (service.unknownModel ?? service.unknown)();
	const problem = misfit(known, input) ?? known.misfit?.(input);
	if (problem) return service.misfit(problem);
	const prompt = input.prompt ?? input.text ?? input.promptText ?? '';
	const plan = { ...state.deployment.plan, ...readPlan(prompt).plan };
	const change = changeDue(exchange, 'submit', prompt, plan.submit);
	if (isOwnAnswer(change) && !change.accept) return change;
	const task = createTask(state, { service, known, model, input, prompt, plan });
	record.taskId = task.task_id;
	return withChange(service.accepted(state, task), change);
}

/** Makes the task of an order that was accepted. */
function createTask(state, { service, known, model, input, prompt, plan }) {
	const task = {
		task_id: service.newId(model),
		...{ at: Date.now(), model, prompt, plan, request: shorten(input) },
		/** As it was sent; `request` has long base64 by its length. */
		input,
		dropped: Object.keys(input).filter((field) => !known.properties[field]),
		makes: [plan.makes ?? kindOf(known)].flat(),
		video: plan.video ?? videoFor(input.aspect_ratio ?? input.size ?? input.ratio),
		filmSeconds: Number.parseInt(input.duration, 10) || undefined,
		renderMs: plan.renderMs ?? state.deployment.renderMs,
		...{ polls: 0, downloads: 0 },
	};
	state.tasks.set(task.task_id, task);
	return task;
}

/** Returns the task that an address names, unless it was removed. */
function taskOf({ state, record, params, query }) {
	const task = state.tasks.get(params.id ?? query.taskId);
	if (!task || task.isRemoved) return undefined;
	record.taskId = task.task_id;
	return task;
}

function poll(exchange) {
	const { state, service } = exchange;
	const task = taskOf(exchange);
	if (!task) return service.unknown();
	const change = changeDue(exchange, 'poll', task.task_id, task.plan.poll);
	if (isOwnAnswer(change)) return change;
	if (Date.now() - task.at < (task.plan.notExistMs ?? 0)) return service.unknown();
	task.polls++;
	return withChange(service.record(state, task, stateOf(task).status), change);
}

/** Ends a task as its service does; what comes of one that has ended is for the service to say. */
function cancel(exchange) {
	const { state, service } = exchange;
	const task = taskOf(exchange);
	if (!task) return (service.uncancelled ?? service.unknown)();
	const change = changeDue(exchange, 'cancel', task.task_id, task.plan.cancel);
	if (isOwnAnswer(change) && !change.accept) return change;
	return withChange(service.cancel(state, task, stateOf(task).status), change);
}

module.exports = { cancel, createTask, ok, poll, reasonOf, submit };
