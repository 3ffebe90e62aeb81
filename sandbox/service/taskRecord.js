'use strict';

const { recordedFor, recordedPoll } = require('./gatewayProfile');

/** Some databases count their tasks, as PixVerse's counts its videos. */
function withNumberAsId(answer, id) {
	return {
		status: answer.status,
		headers: { 'content-type': 'application/json; charset=utf-8' },
		text: JSON.stringify(answer.json).split(`"${id}"`).join(id),
	};
}

// How a poll tells a task: the documented record, and the other shapes that deployments answer in.

const VENDOR_WORDS = { IN_PROGRESS: 'processing', SUCCESS: 'succeeded', FAILURE: 'failed' };
const DEFAULT_REASON = 'The upstream could not render this prompt';

function resultUrl(state, task) {
	const { resultUrl: wanted, outcome } = task.plan;
	const path = `/v1/videos/${encodeURIComponent(task.task_id)}/content`;
	if (wanted === 'none' || (wanted === undefined && outcome === 'filtered')) return undefined;
	if (wanted === undefined || wanted === 'content') return state.url + path;
	return wanted === 'foreign' ? foreignAddress(state.foreignUrl, task) : wanted;
}

/**
 * An address like those that storage hosts sign for a day.
 * @param {number} [number] of a further file of the task
 */
function foreignAddress(origin, task, type = 'mp4', number = 0) {
	const query = new URLSearchParams({
		task: task.task_id,
		expires: String(Math.floor(task.at / 1000) + 86400),
		signature: 'c2FuZGJveA',
		...(number > 0 && { file: String(number) }),
	});
	return `${origin}/files/${task.video}.${type}?${query}`;
}

/** Adds the last frame to a record of a SUCCESS, where the gateway has it: in the vendor's answer. */
function withLastFrame(record, state, task, now) {
	const { model, request, plan } = task;
	const isAsked = /seedance/.test(model) && request.metadata?.return_last_frame === true;
	if (!isAsked || now.status !== 'SUCCESS' || plan.lastFrameUrl === 'none') return record;
	const last_frame_url = plan.lastFrameUrl ?? foreignAddress(state.foreignUrl, task, 'png');
	const content = { ...record.data?.content, last_frame_url };
	return { ...record, data: { ...record.data, content } };
}

const progress = ({ plan }, { percent }) =>
	plan.progress === 'absent' ? undefined : `${percent}%`;

const said = ({ plan: { words = {} } }, status, usual = status) =>
	Object.hasOwn(words, status) ? words[status] : usual;

/** A time in seconds, by the service's clock. */
const secondsOf = ({ deployment: { clockSkewMs = 0 } }, ms) =>
	Math.floor((ms + clockSkewMs) / 1000);

/** The task record, with the operator's internals that real records carry. */
function documented(state, task, now) {
	const { status } = now;
	const ended = status === 'SUCCESS' || status === 'FAILURE';
	const at = secondsOf(state, task.at);
	const reason = task.plan.failReason === undefined ? DEFAULT_REASON : task.plan.failReason;
	const record = {
		...{ id: 1001, created_at: at, updated_at: at, task_id: task.task_id },
		...{ platform: '45', user_id: 7, group: 'default', channel_id: 12 },
		quota: task.seconds * 50000,
		action: task.mode === 'image-to-video' ? 'generate' : 'textGenerate',
		status: said(task, status),
		fail_reason: status === 'FAILURE' ? (reason ?? undefined) : '',
		result_url: status === 'SUCCESS' ? resultUrl(state, task) : undefined,
		submit_time: at,
		start_time: status === 'queued' ? 0 : at,
		finish_time: ended ? secondsOf(state, task.at + task.renderMs) : 0,
		progress: progress(task, now),
		properties: { input: task.prompt },
	};
	return withLastFrame(record, state, task, now);
}

/** The oldest deployments have no field for the URL; others keep the error's text in it. */
function oldest(state, task, now) {
	const record = documented(state, task, now);
	if (now.status !== 'SUCCESS' && now.status !== 'FAILURE') return record;
	return {
		...record,
		fail_reason: record.result_url ?? '',
		result_url: record.fail_reason || undefined,
	};
}

function vendor(state, task, now) {
	const { status } = now;
	const { fail_reason: reason } = documented(state, task, now);
	return {
		status: said(task, status, VENDOR_WORDS[status] ?? status),
		task_id: task.task_id,
		url: status === 'SUCCESS' ? resultUrl(state, task) : undefined,
		format: 'mp4',
		error: status === 'FAILURE' ? { code: 500, message: reason } : undefined,
		metadata: { duration: task.seconds, seed: 42 },
	};
}

const envelope = (data) => ({ code: 'success', message: '', data });

const SHAPES = {
	documented: (...about) => envelope(documented(...about)),
	vendor: (...about) => envelope(vendor(...about)),
	oldest: (...about) => envelope(oldest(...about)),
	flat: documented,
	vendorFlat: vendor,
};

/** The body of a poll's answer; a plan's list of shapes is gone through poll by poll. */
function pollBody(state, task, now) {
	const { shape } = task.plan;
	const recorded = shape ? undefined : recordedFor(state, task.model);
	if (recorded) {
		const body = recordedPoll(
			recorded,
			{ state, task, now },
			foreignAddress(state.foreignUrl, task),
		);
		return { ...body, data: withLastFrame(body.data, state, task, now) };
	}
	const shapes = [shape ?? 'documented'].flat();
	return SHAPES[shapes[(task.polls - 1) % shapes.length]](state, task, now);
}

const OPENAI_WORDS = {
	IN_PROGRESS: 'in_progress',
	SUCCESS: 'completed',
	...{ FAILURE: 'failed', CANCELLED: 'failed' },
};

/** What OpenAI repeats of an order, and New API does not. */
const openAiOrder = (
	{ deployment: { isNewApi } },
	{ prompt, seconds, request: { size = null } },
) => (isNewApi ? {} : { prompt, seconds: String(seconds), size });

/** The body of a poll's answer on OpenAI's route: flat, and without the film's address. */
function openAiBody(state, task, now) {
	const { status, percent } = now;
	const { fail_reason: message } = documented(state, task, now);
	return {
		...{ id: task.task_id, object: 'video', model: task.model },
		status: said(task, status, OPENAI_WORDS[status] ?? status),
		progress: percent,
		...openAiOrder(state, task),
		created_at: secondsOf(state, task.at),
		...(status === 'SUCCESS' && { completed_at: secondsOf(state, task.at + task.renderMs) }),
		...(status === 'FAILURE' && { error: { code: 'failed', message } }),
	};
}

/** The body of a submit's answer. */
function submitBody(task) {
	const { task_id: id, model } = task;
	return { id, task_id: id, object: 'video', model, status: 'queued', progress: 0 };
}

// A task's state is computed from the time that has passed, so nothing runs in the background.

const QUEUED_SHARE = 0.2;

function endOf({ outcome = 'SUCCESS' }) {
	return outcome === 'filtered' ? 'SUCCESS' : outcome;
}

/** Where a task stands now. */
function stateOf(task, refreshMs = 0, now = Date.now()) {
	const { renderMs, plan } = task;
	if (task.cancelledAt !== undefined) return { status: 'CANCELLED', percent: 0 };
	const passed = now - task.at;
	// Deployments look at the upstream only every so often; until then a task is as it was submitted.
	if (passed < refreshMs) return { status: 'queued', percent: 0 };
	const elapsed = refreshMs > 0 ? Math.floor(passed / refreshMs) * refreshMs : passed;
	const end = endOf(plan);
	if (elapsed >= renderMs && end !== 'never') return { status: end, percent: 100 };
	if (elapsed < renderMs * QUEUED_SHARE) return { status: 'queued', percent: 0 };
	const percent = renderMs > 0 ? Math.floor((100 * elapsed) / renderMs) : 95;
	return { status: 'IN_PROGRESS', percent: Math.min(95, Math.max(1, percent)) };
}

module.exports = {
	...{ withNumberAsId, openAiBody, pollBody, submitBody },
	...{ QUEUED_SHARE, foreignAddress, stateOf },
};
