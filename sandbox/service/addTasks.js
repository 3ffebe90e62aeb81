'use strict';

const { MODELS } = require('./namedModels');
const { SERVICES } = require('./namedRoutes');
const { createTask: createNamedTask } = require('./namedTasks');
const { QUEUED_SHARE } = require('./taskRecord');
const { createTask: createVideo } = require('./videoRoutes');

// Tasks in any number and of any age that no request made, for lists of them.

/** What a plan and a task have to say for a task to be in a state now, and to stay in it. */
const STATES = {
	queued: () => ({ renderMs: Number.MAX_SAFE_INTEGER }),
	IN_PROGRESS: () => ({ renderMs: 0, outcome: 'never' }),
	SUCCESS: (ageMs, usualMs) => ({ renderMs: Math.min(ageMs, usualMs) }),
	FAILURE: (ageMs, usualMs) => ({ renderMs: Math.min(ageMs, usualMs), outcome: 'FAILURE' }),
	CANCELLED: (ageMs, usualMs) => ({ renderMs: Math.min(ageMs, usualMs) }),
};

const usualInput = (number) => ({ prompt: `Another workflow's video ${number}` });

/** Returns what makes a task of the deployment's service. */
function makerOf(state, wanted) {
	const { profile, models } = state.deployment;
	const service = SERVICES[profile];
	const all = service ? Object.keys(MODELS[profile]) : models.video;
	const [model = all[0]] = [wanted];
	if (!all.includes(model)) throw new TypeError(`There is no model "${model}"`);
	if (!service) {
		return (input, plan) =>
			createVideo(state, { request: { model, ...input }, dropped: [], plan, key: state.key });
	}
	return (input, plan) => {
		const prompt = input.prompt ?? input.text ?? input.promptText ?? '';
		const known = MODELS[profile][model];
		return createNamedTask(state, { service, known, model, input, prompt, plan });
	};
}

/** Adds tasks, and returns their IDs. */
function addTasks(state, count, about) {
	const { model, state: wanted = 'SUCCESS', input = usualInput } = about;
	const { beginsAgoMs = 60_000, everyMs = 1 } = about;
	const make = makerOf(state, model);
	const now = Date.now();
	return Array.from({ length: count }, (_none, number) => {
		const at = now - beginsAgoMs + number * everyMs;
		const plan = STATES[wanted](Math.max(0, now - at), state.deployment.renderMs);
		const order = typeof input === 'function' ? input(number) : input;
		const task = Object.assign(make(order, { ...state.deployment.plan, ...plan }), { at });
		// While it was queued, where every service lets go of one.
		if (wanted === 'CANCELLED')
			task.cancelledAt = Math.floor(at + (task.renderMs * QUEUED_SHARE) / 2);
		return task.task_id;
	});
}

module.exports = { addTasks };
