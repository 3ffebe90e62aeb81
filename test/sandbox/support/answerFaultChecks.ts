import { businessShape, empty, ends, errorShape, html, json, panic, type Checks } from './replies';

/** Of every fault that is an answer in words. */
export const ANSWER_FAULT_CHECKS: Checks = {
	html502: ['poll', html(502)],
	html503: ['submit', html(503)],
	html504: ['poll', html(504)],
	html520: ['poll', html(520)],
	html200: ['poll', html(200)],
	empty200: ['poll', empty(200)],
	empty500: ['poll', empty(500)],
	json500: ['poll', errorShape(500, 'do_request_failed')],
	json503: ['poll', errorShape(503, 'service_unavailable')],
	business500: ['submit', businessShape(500, 'build_request_failed')],
	business503: ['submit', businessShape(503, 'system_overloaded')],
	panic500: ['submit', panic],
	modelNotFound: ['submit', errorShape(503, 'model_not_found')],
	rateLimited: ['submit', errorShape(429, 'rate_limit_exceeded')],
	rateLimitedEmpty: ['submit', empty(429)],
	retryAfter: [
		'submit',
		({ status, headers }) => expect([status, headers['retry-after']]).toEqual([429, '1']),
	],
	retryAfter503: [
		'poll',
		({ status, headers }) => expect([status, headers['retry-after']]).toEqual([503, '1']),
	],
	rangeRefused: [
		'content',
		(reply) => {
			empty(416)(reply);
			expect(reply.headers['content-range']).toBe('bytes */0');
		},
	],
	unauthorized: ['poll', errorShape(401, '')],
	usedUp: [
		'poll',
		(reply) => {
			errorShape(401, '')(reply);
			expect(reply.text).toContain('quota');
		},
	],
	forbidden: ['submit', errorShape(403, 'insufficient_user_quota')],
	notExist: ['poll', businessShape(400, 'task_not_exist')],
	notCompleted: [
		'content',
		({ status, json: { error } }) => {
			const message = 'Task is not completed yet, current status: IN_PROGRESS';
			expect([status, error.message]).toEqual([400, message]);
		},
	],
	notFound404: ['content', errorShape(404, '')],
	conflict409: ['submit', businessShape(409, 'conflict')],
	gone410: ['content', businessShape(410, 'gone')],
	tooLargeHtml413: ['submit', html(413)],
	upstreamGone502: ['content', errorShape(502, '')],
	nestedJsonMessage: [
		'submit',
		({ json: { message } }) =>
			expect(JSON.parse(message)).toHaveProperty('error.message', expect.any(String)),
	],
	chineseMessage: [
		'submit',
		({ status, json: { message } }) => {
			expect(status).toBe(400);
			expect(message).toMatch(/^[\u4e00-\u9fff,]+$/);
		},
	],
	numberCode: ['text', errorShape(400, 400)],
	codeFailWith200: ['submit', businessShape(200, 'some_error')],
	scalarData: [
		'submit',
		json({ code: 'invalid_param', message: 'The prompt is too long', data: 'prompt' }),
	],
	noId: ['submit', json({ code: 200, msg: 'OK', data: {} })],
	nullData: ['poll', json({ code: 'success', message: '', data: null })],
	arrayBody: ['poll', json([])],
	numberBody: ['poll', json(42)],
	stringBody: ['poll', json('ok')],
	wrongTypes: [
		'poll',
		({ json: { data } }) =>
			expect([typeof data.task_id, typeof data.status, typeof data.result_url]).toEqual([
				'number',
				'object',
				'number',
			]),
	],
	truncatedJson: [
		'poll',
		(reply) => {
			ends('whole', 200)(reply);
			expect(reply.headers['content-type']).toMatch(/^application\/json/);
			expect(reply.text).toMatch(/^\{"code":"success".*PRO$/);
			expect(reply.json).toBeUndefined();
		},
	],
	json200: ['content', businessShape(200, 'fail_to_fetch_video')],
};
