import type { Entry, LiteralAnswer, Plan } from '../../../../sandbox/service';
import { failing, row, type End, type FaultRow } from '../row';

const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** With Retry On Fail and three tries: whatever is unclear or accepted is submitted once. */
const tried = (what: string, plan: Plan, end: End, more?: Partial<FaultRow>) =>
	row(`tries: ${what}`, plan, end, { settings, ...more });

/** What a person needs to find a task whose id nobody could read. */
const unclear = (sent: RegExp) =>
	failing(/^The video may or may not have been accepted: .* \[item 0\]$/, {
		retryable: false,
		description: expect.stringMatching(sent),
	});
const refused = failing(/^The video was not submitted: /);

const ENVELOPES = ['beside', 'list', 'nested', 'request', 'result', 'taskId'] as const;

type Answer = string | LiteralAnswer;
const always = (answer: Answer): Entry => ({ always: answer });

/** Should one of them be taken for a refusal that passes, its count is told before the test ends. */
const hurry = 300;

/** Longer than any answer below: an id that did not go out cannot be lost. */
const idLength = 400;

const page = (status: number): Answer => ({
	status,
	html: `<html><head><title>${status}</title></head><body>Ray 8f3a</body></html>`,
	accept: true,
});
const success = (json: unknown): Answer => ({ status: 200, json, accept: true });

const ACCEPTED: Array<[string, Answer, RegExp]> = [
	['503 with a page of a proxy', 'acceptThen503', /503 Service Unavailable/],
	...[408, 499, 500, 502, 504, 521, 524].map((status): [string, Answer, RegExp] => [
		`${status} with a page`,
		page(status),
		/Ray 8f3a/,
	]),
	['503 without a body', { status: 503, text: '', accept: true }, /was not submitted again/],
	[
		'503 in the JSON of a proxy',
		{ status: 503, json: { message: 'no healthy upstream' }, accept: true },
		/no healthy upstream/,
	],
	['a page with 200', 'acceptThenHtml200', /enable JavaScript/],
	['a panic of the gateway', 'acceptThenPanic', /Panic detected/],
	['a success without an id', 'acceptThenNoId', /\{"code":200,"msg":"OK","data":\{\}\}/],
	...[0, '0', '200', 'ok', 'OK', 'Success', 'SUCCESS', 201, true].map(
		(code): [string, Answer, RegExp] => [
			`code ${JSON.stringify(code)} without an id`,
			success({ code, message: 'ok', data: null }),
			/"message":"ok"/,
		],
	),
	...['operation_successful', 'task_submitted', 'OK.', '成功', 'timeout', 'request_timed_out'].map(
		(code): [string, Answer, RegExp] => [
			`code ${code} without an id`,
			success({ code, message: 'told', data: null }),
			/"message":"told"/,
		],
	),
	...['null', 'undefined', '..', '0'].map((id): [string, Answer, RegExp] => [
		`no id but ${id}`,
		success({ code: 0, data: { id } }),
		/"data"/,
	]),
	[
		'409 with a task in it',
		{ status: 409, json: { code: 'duplicate', data: { task_id: 'task_there' } }, accept: true },
		/task_there/,
	],
	['a text as data', success({ code: 0, data: 'in the queue' }), /in the queue/],
	['the id of a request alone', success({ code: 0, request_id: 'r_17' }), /r_17/],
	['the id of a user alone', success({ code: 0, data: { user: { id: 7 } } }), /"user"/],
];

const REFUSED: Array<[string, Answer]> = [
	['500 in business shape', 'business500'],
	['503, model not found', 'modelNotFound'],
	['403 with a page', { status: 403, html: '<html><title>403</title></html>' }],
	['413 with a page', 'tooLargeHtml413'],
];

export const envelopes: FaultRow[] = [
	...ENVELOPES.map((envelope) =>
		tried(`the id in the envelope ${envelope}`, { envelope }, 'SUCCESS'),
	),
	tried('a number beyond 2^53 as id', { numberId: true }, 'SUCCESS'),
	tried('a number beyond 2^53 in a list', { numberId: true, envelope: 'list' }, 'SUCCESS'),
	...ACCEPTED.map(([what, submit, sent]) =>
		tried(`accepted, then ${what}`, { submit: always(submit), idLength }, unclear(sent), { hurry }),
	),
	row(
		'submit: accepted, then 503 with a page of a proxy',
		{ submit: always('acceptThen503'), idLength },
		unclear(/503 Service Unavailable/),
		{ hurry },
	),
	tried(
		'accepted, then half an answer',
		{ submit: { cutAfterBytes: 40 } },
		unclear(/What the service sent: \{"id":"task_/),
	),
	...REFUSED.flatMap(([what, answer]) => [
		tried(`${what}, then ok`, { submit: answer }, 'SUCCESS', { posts: 2 }),
		tried(`${what} always`, { submit: always(answer) }, refused, {
			posts: 3,
			paid: 0,
		}),
	]),
	...[
		'business503',
		{ status: 400, json: { code: 'rate_limit_exceeded', message: 'Later', data: null } },
		{ status: 429, html: '<html><title>429</title></html>' },
	].map((fault) =>
		row(`submit: ${JSON.stringify(fault)} twice, then ok`, { submit: [fault, fault] }, 'SUCCESS', {
			posts: 3,
			hurry: 50,
		}),
	),
];
