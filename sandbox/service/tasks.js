'use strict';

const { randomBytes, randomInt } = require('node:crypto');
const { videoFor } = require('./media');
const { shorten } = require('./records');

// A task's state is computed from the time that has passed, so nothing runs in the background.

const QUEUED_SHARE = 0.2;
const DEFAULT_ID_LENGTH = 37;
const DEFAULT_SECONDS = 8;

/** Numbers of 64 bits go up to this many digits. */
const NUMBER_DIGITS = 19;

function newTaskId({ idLength = DEFAULT_ID_LENGTH, oddId = false, numberId = false }) {
	if (numberId) return `1${String(randomInt(2 ** 47)).padStart(NUMBER_DIGITS - 1, '9')}`;
	// Opaque ids of some upstreams are base64 with all of its signs.
	const start = oddId ? 'task_/+=?%2F#&' : 'task_';
	const letters = randomBytes(idLength).toString('hex');
	return start + letters.slice(0, Math.max(4, idLength - start.length));
}

/** Only the spelling that the model's own vendor uses is read. */
function shapeOf({ model, size, metadata = {} }) {
	return size ?? (model.startsWith('veo') ? metadata.aspectRatio : metadata.ratio);
}

function createTask(state, { request, dropped, plan, key }) {
	const { model, duration, seconds, image, images = [], metadata = {} } = request;
	const picture = image ?? images[0];
	// A URL is silently ignored by models that take base64 only: a text-to-video render is made.
	const ignored = model.startsWith('veo') && /^https?:/i.test(picture ?? '');
	const length = duration ?? seconds ?? metadata.durationSeconds ?? metadata.duration;
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
		seconds: Number(length) || DEFAULT_SECONDS,
		video: plan.video ?? videoFor(shapeOf(request)),
		renderMs: plan.renderMs ?? state.deployment.renderMs,
		polls: 0,
		downloads: 0,
		/** When a poll said SUCCESS for the first time. @type {number | undefined} */
		successSaidAt: undefined,
	};
	state.tasks.set(task.task_id, task);
	return task;
}

function endOf({ outcome = 'SUCCESS' }) {
	return outcome === 'filtered' ? 'SUCCESS' : outcome;
}

/**
 * Where a task stands now.
 * @returns {{ status: 'queued' | 'IN_PROGRESS' | 'SUCCESS' | 'FAILURE', percent: number }}
 */
function stateOf(task, refreshMs = 0, now = Date.now()) {
	const { renderMs, plan } = task;
	const passed = now - task.at;
	// Deployments look at the upstream only every so often.
	const elapsed = refreshMs > 0 ? Math.floor(passed / refreshMs) * refreshMs : passed;
	const queuedMs = plan.queuedMs ?? renderMs * QUEUED_SHARE;
	const end = endOf(plan);
	if (elapsed >= renderMs && end !== 'never') return { status: end, percent: 100 };
	if (elapsed < queuedMs) return { status: 'queued', percent: 0 };
	const percent = renderMs > 0 ? Math.floor((100 * elapsed) / renderMs) : 95;
	return { status: 'IN_PROGRESS', percent: Math.min(95, Math.max(1, percent)) };
}

module.exports = { createTask, stateOf };
