'use strict';

const { changeDue, isOwnAnswer, withChange } = require('./answers');
const { kindOf } = require('./made');
const { videoFor } = require('./media');
const { MODELS, misfit } = require('./namedModels');
const { readPlan } = require('./plan');
const { parseJson, shorten } = require('./server');
const { stateOf } = require('./taskRecord');

// What is the same at every named service: how a task is made, how it is told, and why it failed.

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
	const task = {
		task_id: service.newId(model),
		...{ at: Date.now(), model, prompt, plan, request: shorten(input) },
		dropped: Object.keys(input).filter((field) => !known.properties[field]),
		makes: [plan.makes ?? kindOf(known)].flat(),
		video: plan.video ?? videoFor(input.aspect_ratio ?? input.size ?? input.ratio),
		filmSeconds: Number.parseInt(input.duration, 10) || undefined,
		renderMs: plan.renderMs ?? state.deployment.renderMs,
		...{ polls: 0, downloads: 0 },
	};
	state.tasks.set(task.task_id, task);
	record.taskId = task.task_id;
	return withChange(service.accepted(state, task), change);
}

function poll(exchange) {
	const { state, record, service, params, query } = exchange;
	const task = state.tasks.get(params.id ?? query.taskId);
	if (!task) return service.unknown();
	record.taskId = task.task_id;
	const change = changeDue(exchange, 'poll', task.task_id, task.plan.poll);
	if (isOwnAnswer(change)) return change;
	if (Date.now() - task.at < (task.plan.notExistMs ?? 0)) return service.unknown();
	task.polls++;
	return withChange(service.record(state, task, stateOf(task).status), change);
}

module.exports = { ok, poll, reasonOf, submit };
