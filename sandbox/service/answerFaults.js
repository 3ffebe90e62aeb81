'use strict';

const { business, gateway, proxyPage, consolePage } = require('./errorShapes');
const { taskNotExist, notCompleted, modelNotFound } = require('./errorShapes');
const { gatewayPanic, successWithoutId } = require('./errorShapes');

// Faults that are an answer of their own, instead of the ordinary one.

const HALF_JSON = '{"code":"success","data":{"task_id":"task_0123456789abcdef","status":"IN_PRO';

const wrongTypes = (place) => {
	if (place === 'submit') return { id: 12345, task_id: {}, status: 7, progress: 'none' };
	if (place === 'text') return { candidates: 'none', usageMetadata: 3 };
	const data = { task_id: 42, status: {}, progress: [], result_url: 17, fail_reason: {} };
	return { code: 0, data };
};

/** @type {import('./faults').FaultTable} */
const ANSWER_FAULTS = {
	html502: { about: "502, a proxy's HTML page", change: proxyPage(502, 'Bad Gateway') },
	html503: { about: "503, a proxy's HTML page", change: proxyPage(503, 'Service Unavailable') },
	html504: { about: "504, a proxy's HTML page", change: proxyPage(504, 'Gateway Time-out') },
	html520: { about: "520, a proxy's HTML page", change: proxyPage(520, 'Unknown Error') },
	html200: { about: '200, an HTML page instead of data', change: consolePage() },
	empty200: { about: '200, no body', change: { status: 200, text: '' } },
	empty500: { about: '500, no body', change: { status: 500, text: '' } },
	json500: {
		about: '500, error shape',
		change: gateway(500, 'do_request_failed', 'upstream error: do request failed'),
	},
	json503: {
		about: '503, error shape',
		change: gateway(503, 'service_unavailable', 'The service is overloaded, try again later'),
	},
	business500: {
		about: '500, business shape',
		change: business(500, 'build_request_failed', 'metadata.seed must be a number'),
	},
	business503: {
		about: '503, business shape, code system_overloaded',
		change: business(503, 'system_overloaded', 'Too many renders at the moment'),
	},
	panic500: {
		about: '500, error shape, type new_api_panic',
		change: gatewayPanic(),
	},
	modelNotFound: { about: '503, code model_not_found', change: modelNotFound('this-model') },
	rateLimited: {
		about: '429, error shape, no Retry-After',
		change: gateway(429, 'rate_limit_exceeded', 'Too many requests'),
	},
	rateLimitedEmpty: { about: '429, no body', change: { status: 429, text: '' } },
	retryAfter: {
		about: '429 with Retry-After: 1',
		change: {
			...gateway(429, 'rate_limit_exceeded', 'Too many requests'),
			headers: { 'retry-after': '1' },
		},
	},
	retryAfter503: {
		about: '503 with Retry-After: 1',
		change: {
			...gateway(503, 'service_unavailable', 'The service is overloaded, try again later'),
			headers: { 'retry-after': '1' },
		},
	},
	rangeRefused: {
		about: '416: there are no such bytes',
		change: { status: 416, headers: { 'content-range': 'bytes */0' }, text: '' },
	},
	unauthorized: { about: '401, error shape', change: gateway(401, '', 'Invalid token') },
	usedUp: {
		about: "401, the key's quota is used up",
		change: gateway(401, '', 'The quota of this key is used up'),
	},
	forbidden: {
		about: '403, code insufficient_user_quota',
		change: gateway(403, 'insufficient_user_quota', 'The account is out of credit: $0.000000'),
	},
	notExist: { about: '400, code task_not_exist, business shape', change: taskNotExist() },
	notCompleted: {
		about: '400, "Task is not completed yet, current status: IN_PROGRESS"',
		change: notCompleted('IN_PROGRESS'),
	},
	notFound404: {
		about: '404, error shape',
		change: gateway(404, '', 'Task not found', 'invalid_request_error'),
	},
	conflict409: { about: '409, business shape', change: business(409, 'conflict', 'Conflict') },
	gone410: { about: '410, business shape', change: business(410, 'gone', 'The task is gone') },
	tooLargeHtml413: {
		about: "413, a proxy's HTML page",
		change: proxyPage(413, 'Request Entity Too Large'),
	},
	upstreamGone502: {
		about: '502, error shape: the upstream has dropped the file',
		change: gateway(502, '', 'Failed to fetch video content', 'server_error'),
	},
	nestedJsonMessage: {
		about: '400, JSON inside the string of `message`',
		change: business(
			400,
			'fail_to_fetch_task',
			JSON.stringify({ error: { code: 'InvalidParameter', message: 'duration is not valid' } }),
		),
	},
	chineseMessage: {
		about: '400, a message in Chinese',
		change: business(400, 'invalid_request', '请求参数错误,请检查后重试'),
	},
	numberCode: {
		about: '400, error shape, `code` is a number',
		change: gateway(400, 400, 'Bad request'),
	},
	codeFailWith200: {
		about: '200, business shape that says no',
		change: business(200, 'some_error', 'The request was not carried out'),
	},
	scalarData: {
		about: '200, business shape that says no, with a text in `data`',
		change: {
			status: 200,
			json: { code: 'invalid_param', message: 'The prompt is too long', data: 'prompt' },
		},
	},
	noId: { about: '200, a success that names no task', change: successWithoutId() },
	nullData: {
		about: '200, {"code":"success","data":null}',
		change: { status: 200, json: { code: 'success', message: '', data: null } },
	},
	arrayBody: { about: '200, []', change: { status: 200, json: [] } },
	numberBody: { about: '200, 42', change: { status: 200, json: 42 } },
	stringBody: { about: '200, "ok" as JSON', change: { status: 200, json: 'ok' } },
	wrongTypes: {
		about: '200, numbers and objects where strings belong',
		change: (place) => ({ status: 200, json: wrongTypes(place) }),
	},
	truncatedJson: {
		about: '200, JSON that stops in the middle; the transfer itself is whole',
		change: { status: 200, headers: { 'content-type': 'application/json' }, text: HALF_JSON },
	},
	json200: {
		about: '200, a JSON error where a video belongs',
		change: business(200, 'fail_to_fetch_video', 'The video could not be fetched'),
	},
};

module.exports = { ANSWER_FAULTS };
