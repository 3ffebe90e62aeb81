'use strict';

const { withChange, changeDue, isFollowUp } = require('./answers');
const { noFilm, notCompleted } = require('./errorShapes');
const { recordedFor } = require('./gatewayProfile');
const { refused } = require('./keys');
const { lastFrameAnswer, openVideo, soundAnswer, VIDEOS } = require('./media');
const { stateOf } = require('./taskRecord');
const { falPut, runwayPost } = require('./uploads');

const notFound = () => noFilm(404, 'Task not found', 'invalid_request_error');
const upstreamGone = () => noFilm(502, 'Failed to fetch video content', 'server_error');

/** The bytes of a video as an answer: always the whole file, as New API brings it. */
const videoAnswer = (_exchange, { video, plan, filmSeconds }) => ({
	status: 200,
	headers: { 'content-type': 'video/mp4' },
	video: openVideo(video, plan.sizeBytes, filmSeconds),
});

function ordinaryContent(exchange, task) {
	const { status } = stateOf(task, exchange.state.deployment.refreshMs);
	const recorded = recordedFor(exchange.state, task.model);
	if (status !== 'SUCCESS') {
		return notCompleted(recorded && status === 'queued' ? 'NOT_START' : status);
	}
	if (task.plan.outcome === 'filtered') return recorded?.filteredContent ?? upstreamGone();
	const answer = videoAnswer(exchange, task);
	if (!recorded) return answer;
	return { ...answer, headers: { ...answer.headers, ...recorded.content.headers } };
}

/** A download as the plan wants it; a request that was redirected here is still the same one. */
function download(exchange, task, ordinary) {
	if (!isFollowUp(exchange.query)) task.downloads++;
	exchange.task = task;
	const change = changeDue(exchange, 'content', task.task_id, task.plan.content);
	return withChange(ordinary(exchange, task), change);
}

function content(exchange) {
	const { state, record, params } = exchange;
	record.taskId = params.taskId;
	const refusal = refused(exchange, 'content');
	if (refusal) return refusal;
	const task = state.tasks.get(params.taskId);
	return task ? download(exchange, task, ordinaryContent) : notFound();
}

/** The storage host: it knows no keys, and refuses a request that is authorised twice. */
function foreignFile(exchange) {
	const { state, record, params, query, headers } = exchange;
	const [name, type] = params.file.split('.');
	const task = state.tasks.get(query.task);
	record.taskId = task?.task_id;
	if (!VIDEOS.includes(name)) return { status: 404, text: 'NoSuchKey' };
	if (query.signature && headers.authorization) {
		return {
			status: 400,
			headers: { 'content-type': 'application/xml' },
			text: '<Error><Code>InvalidArgument</Code><Message>Only one auth mechanism allowed</Message></Error>',
		};
	}
	if (type === 'png' && !task?.makes?.includes('image')) return lastFrameAnswer(name);
	const ordinary =
		type === 'png' ? () => lastFrameAnswer(name) : type === 'wav' ? soundAnswer : videoAnswer;
	return task
		? download(exchange, task, ordinary)
		: videoAnswer(exchange, { video: name, plan: {} });
}

module.exports = {
	videoAnswer,
	contentRoutes: [['GET', '/v1/videos/:taskId/content', content]],
	foreignRoutes: [
		['GET', '/files/:file', foreignFile],
		['PUT', '/uploads/:file', falPut],
		['POST', '/uploads/:file', runwayPost],
	],
};
