'use strict';

const { business, gateway, proxyPage, consolePage } = require('./errorShapes');
const { taskNotExist, noFilm, notCompleted, modelNotFound } = require('./errorShapes');

// A fault is either an answer of its own (it has a status, a body, a redirect or a socket event) or
// a change of how the ordinary answer travels. Where the two differ by place ('submit', 'poll',
// 'content', 'text', 'list' or 'cancel'), `change` is a function of the place.

const HALF_JSON = '{"code":"success","data":{"task_id":"task_0123456789abcdef","status":"IN_PRO';
const BOMB_BYTES = 100 * 1024 * 1024;

const typed = (type, text) => ({ status: 200, headers: { 'content-type': type }, text });
const ok = (json) => ({ status: 200, json });
const empty = (status) => ({ status, text: '' });
const afterOneSecond = (answer) => ({ ...answer, headers: { 'retry-after': '1' } });

const tooMany = gateway(429, 'rate_limit_exceeded', 'Too many requests');
const nestedError = { error: { code: 'InvalidParameter', message: 'duration is not valid' } };

const wrongTypes = (place) => {
	if (place === 'submit') return { id: 12345, task_id: {}, status: 7, progress: 'none' };
	if (place === 'text') return { candidates: 'none', usageMetadata: 3 };
	const data = { task_id: 42, status: {}, progress: [], result_url: 17, fail_reason: {} };
	return { code: 0, data };
};

/** A submit that is cut must not create a task, so its answer is not the ordinary one. */
const cut = (place) =>
	place === 'content'
		? { cutAfterBytes: 1000 }
		: { ...typed('application/json', `${HALF_JSON}GRESS"}}`), cutAfterBytes: 40 };

/** Answers of their own, instead of the ordinary one. */
const ANSWERS = {
	html502: ["502, a proxy's HTML page", proxyPage(502, 'Bad Gateway')],
	html503: ["503, a proxy's HTML page", proxyPage(503, 'Service Unavailable')],
	html504: ["504, a proxy's HTML page", proxyPage(504, 'Gateway Time-out')],
	html520: ["520, a proxy's HTML page", proxyPage(520, 'Unknown Error')],
	html200: ['200, an HTML page instead of data', consolePage()],
	empty200: ['200, no body', empty(200)],
	empty500: ['500, no body', empty(500)],
	json500: [
		'500, error shape',
		gateway(500, 'do_request_failed', 'upstream error: do request failed'),
	],
	json503: [
		'503, error shape',
		gateway(503, 'service_unavailable', 'The service is overloaded, try again later'),
	],
	business500: ['500, business shape', business(500, 'build_request_failed', 'seed is a number')],
	business503: ['503, business shape', business(503, 'system_overloaded', 'Too many renders')],
	panic500: [
		'500, error shape, type new_api_panic',
		noFilm(500, 'Panic detected, error: index out of range', 'new_api_panic'),
	],
	modelNotFound: ['503, code model_not_found', modelNotFound('this-model')],
	rateLimited: ['429, error shape, no Retry-After', tooMany],
	rateLimitedEmpty: ['429, no body', empty(429)],
	retryAfter: ['429 with Retry-After: 1', afterOneSecond(tooMany)],
	unauthorized: ['401, error shape', gateway(401, '', 'Invalid token')],
	forbidden: [
		'403, code insufficient_user_quota',
		gateway(403, 'insufficient_user_quota', 'The account is out of credit: $0.000000'),
	],
	notExist: ['400, code task_not_exist, business shape', taskNotExist()],
	notCompleted: ['400, the task is not completed', notCompleted('IN_PROGRESS')],
	notFound404: ['404, error shape', gateway(404, '', 'Task not found', 'invalid_request_error')],
	tooLargeHtml413: ["413, a proxy's HTML page", proxyPage(413, 'Request Entity Too Large')],
	chineseMessage: [
		'400, a message in Chinese',
		business(400, 'invalid_request', '请求参数错误,请检查后重试'),
	],
	codeFailWith200: [
		'200, business shape that says no',
		business(200, 'some_error', 'The request was not carried out'),
	],
	noId: ['200, a success that names no task', ok({ code: 200, msg: 'OK', data: {} })],
	nullData: [
		'200, {"code":"success","data":null}',
		ok({ code: 'success', message: '', data: null }),
	],
	wrongTypes: ['200, numbers and objects where strings belong', (place) => ok(wrongTypes(place))],
	truncatedJson: ['200, JSON that stops in the middle', typed('application/json', HALF_JSON)],
	json200: [
		'200, a JSON error where a video belongs',
		business(200, 'fail_to_fetch_video', 'The video could not be fetched'),
	],
};

/** What happens on the way to an answer that was right. */
const WIRE = {
	wrongContentType: [
		'labelled text/plain',
		{ headers: { 'content-type': 'text/plain; charset=utf-8' } },
	],
	reset: ['the connection is reset', { socket: 'reset' }],
	cut: ['part of the body, then the connection ends', cut],
	cutEarly: ['the ordinary answer, cut after 20 bytes', { cutAfterBytes: 20 }],
	cutAfter: ['cut after 1000 bytes', { cutAfterBytes: 1000 }],
	silentCut: [
		'closed after 1000 bytes without a length, so that nothing in HTTP shows it',
		{ closeDelimited: true, cutAfterBytes: 1000 },
	],
	stall: ['stops after 1000 bytes; the connection stays open', { stallAfterBytes: 1000 }],
	gzipBomb: [
		'100 MiB of spaces behind it, as 100 kB of gzip',
		{ encoding: 'gzip', padBytes: BOMB_BYTES },
	],
	brotliBomb: ['the same as br', { encoding: 'br', padBytes: BOMB_BYTES }],
	endless: [
		'spaces that never end behind it, compressed',
		{ encoding: 'gzip', padBytes: Number.MAX_SAFE_INTEGER },
	],
	drip: ['the body byte by byte, 500 ms apart', { dripMs: 500 }],
	dripHead: ['status and headers byte by byte, without an end', { dripHeadMs: 500 }],
	hang: ['never answers', { socket: 'hang' }],
	slow: ['1000 ms late', { delayMs: 1000 }],
	noLength: ['chunked, without a length', { noLength: true }],
	octetStream: [
		'labelled application/octet-stream',
		{ headers: { 'content-type': 'application/octet-stream' } },
	],
	redirectLoop: ['302 to itself forever', { redirect: 302, to: 'loop' }],
};

/** Submits that are accepted, and charged, although the client never learns of it: as which fault. */
const ACCEPTED = {
	...{ 500: 'json500', 502: 'html502', Cut: 'cutEarly', Hang: 'hang', Reset: 'reset' },
};

const tableOf = (rows) =>
	Object.fromEntries(
		Object.entries(rows).map(([name, [about, change]]) => [name, { about, change }]),
	);

const ANSWER_FAULTS = tableOf(ANSWERS);
const WIRE_FAULTS = tableOf(WIRE);
for (const [name, fault] of Object.entries(ACCEPTED)) {
	const { change } = { ...ANSWER_FAULTS, ...WIRE_FAULTS }[fault];
	const about = `the task is created, then ${fault}`;
	WIRE_FAULTS[`acceptThen${name}`] = { about, change: { ...change, accept: true } };
}

module.exports = { ANSWER_FAULTS, WIRE_FAULTS, FAULTS: { ...ANSWER_FAULTS, ...WIRE_FAULTS } };
