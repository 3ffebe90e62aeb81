import type { IDataObject } from 'n8n-workflow';

import { MAX_REFUSAL_RETRIES } from '../../../../nodes/shared/service/later';
import {
	always,
	failing,
	RETRY_ON_FAIL,
	row,
	type Answer,
	type FaultRow,
	type More,
} from '../play';

const refused = (fault: string, answer: Answer, reason: RegExp, fields: IDataObject, more?: More) =>
	row(
		`submit: ${fault}`,
		{ submit: always(answer) },
		failing(new RegExp(`^The video was not submitted: ${reason.source}.* \\[item 0\\]$`), fields),
		{ paid: 0, ...more },
	);

const notAccepted = /the service does not accept the request/;
const wrongKey = /the service refuses the API key/;

/** A clear no: nothing was created, and nothing is sent again. */
const REFUSED: Array<[what: string, answer: Answer, reason: RegExp, fields: IDataObject]> = [
	['400 with a number as code', 'numberCode', notAccepted, { http_code: 400 }],
	[
		'400 with JSON inside the message',
		'nestedJsonMessage',
		notAccepted,
		{ description: 'duration is not valid. Nothing is billed for this item.' },
	],
	[
		'400 in Chinese',
		'chineseMessage',
		notAccepted,
		{ description: '请求参数错误,请检查后重试. Nothing is billed for this item.' },
	],
	['401', 'unauthorized', wrongKey, { http_code: 401 }],
	['403, no money', 'forbidden', /the account is out of credit/, { http_code: 403 }],
	[
		'403 with a page',
		{ status: 403, html: '<html><title>403</title></html>' },
		/the service does not allow this/,
		{},
	],
	['404', 'notFound404', /the service does not know this address/, {}],
	['410', 'gone410', notAccepted, { http_code: 410 }],
	[
		'413, a page of a proxy',
		'tooLargeHtml413',
		/the request is too large/,
		{ http_code: 413, description: expect.stringMatching(/^(?!.*<)/) },
	],
	[
		'422',
		{ status: 422, json: { detail: 'No such size' } },
		notAccepted,
		{ description: 'No such size. Nothing is billed for this item.' },
	],
	['a redirect', { redirect: 307, to: 'foreign' }, /the service redirects to /, { http_code: 307 }],
	[
		'503, model not found',
		'modelNotFound',
		/the service does not have this/,
		{ http_code: 503, description: expect.stringMatching(/Choose another Model/) },
	],
];

/** What passes is sent again, and only so often. */
const PASSING: Answer[] = [
	...['rateLimited', 'rateLimitedEmpty', 'retryAfter', 'json503', 'business503'],
	{ status: 400, json: { code: 'rate_limit_exceeded', message: 'Later', data: null } },
	{ status: 429, html: '<html><title>429</title></html>' },
];

const page = (status: number): [string, Answer, RegExp] => [
	`${status} with a page`,
	{ status, html: `<html><head><title>${status}</title></head><body>Ray 8f3a</body></html>` },
	/Ray 8f3a/,
];
const success = (json: unknown): Answer => ({ status: 200, json });
const withCode = (code: unknown): [string, Answer, RegExp] => [
	`code ${JSON.stringify(code)} without an id`,
	success({ code, message: 'told', data: null }),
	/"message":"told"/,
];

/**
 * After any of these the service may have the task, and a second submission might be paid for twice.
 * Where there is a text, it is quoted, so that a person can find the task.
 */
const UNCLEAR: Array<[what: string, answer: Answer, quoted?: RegExp]> = [
	...[408, 499, 500, 502, 504, 521, 524].map(page),
	['500', 'acceptThen500'],
	['500 without a body', 'empty500'],
	['503 with a page of a proxy', 'acceptThen503', /503 Service Unavailable/],
	['503 without a body', { status: 503, text: '' }],
	[
		'503 in the JSON of a proxy',
		{ status: 503, json: { message: 'no healthy upstream' } },
		/no healthy upstream/,
	],
	['a panic of the gateway', 'acceptThenPanic', /Panic detected/],
	['200 without a body', 'acceptThenEmpty200'],
	['a page with 200', 'acceptThenHtml200', /enable JavaScript/],
	['a success without an id', 'acceptThenNoId', /\{"code":200,"msg":"OK","data":\{\}\}/],
	...[0, '0', 'ok', 'Success', 201, true, 'task_submitted', '成功', 'timeout'].map(withCode),
	['a code that nobody knows', 'codeFailWith200'],
	['a text as data', success({ code: 0, data: 'in the queue' }), /in the queue/],
	['the id of a request alone', success({ code: 0, request_id: 'r_17' }), /r_17/],
	['ids that are no ids', success({ id: { a: 1 }, task_id: [] })],
	['an object without an id', success({ object: 'video', status: 'queued' })],
	[
		'409 with a task in it',
		{ status: 409, json: { code: 'duplicate', data: { task_id: 'task_there' } } },
		/task_there/,
	],
	['429 with a task in it', { status: 429, json: { task: { id: 'there_17' } } }, /there_17/],
	...['arrayBody', 'numberBody', 'stringBody', 'nullData', 'truncatedJson'].map(
		(fault): [string, Answer] => [fault, fault],
	),
	['a cut connection', 'acceptThenCut'],
	['a reset connection', 'acceptThenReset'],
	['an answer whose end is missing', { closeDelimited: true, cutAfterBytes: 40 }],
	['silence', 'acceptThenHang'],
	['half an answer, then silence', { stallAfterBytes: 40 }],
	['half an answer', { cutAfterBytes: 40 }, /What the service sent: \{"id":"task_/],
];

const unclear = (quoted = /was not submitted again/) =>
	failing(/^The video may or may not have been accepted: .* \[item 0\]$/, {
		retryable: false,
		description: expect.stringMatching(quoted),
	});

/** The service creates the task, whatever it answers. */
const accepting = (answer: Answer): Answer =>
	typeof answer === 'string' && answer.startsWith('accept')
		? answer
		: { ...(typeof answer === 'string' ? { fault: answer } : answer), accept: true };

const lost = (task_id: string) =>
	failing(
		new RegExp(
			`can no longer be followed: the service does not know this task \\(task ${task_id}\\)`,
		),
		{ task_id },
	);

export const submits: FaultRow[] = [
	...REFUSED.map(([what, answer, reason, fields]) =>
		refused(what, answer, reason, { retryable: false, ...fields }),
	),
	refused('409', 'conflict409', /the service is busy with the same request/, { http_code: 409 }),
	refused('500 in business shape', 'business500', /the service/, { retryable: true }),
	row('submit: nothing listens', {}, failing(/not submitted: nothing answers at http/), {
		baseUrl: () => 'http://127.0.0.1:1',
		posts: 0,
		paid: 0,
		hurry: 100,
	}),
	...PASSING.map((fault) =>
		row(`submit: ${JSON.stringify(fault)} twice, then ok`, { submit: [fault, fault] }, 'SUCCESS', {
			posts: 3,
			hurry: 50,
		}),
	),
	...['rateLimited', 'json503'].map((fault) =>
		refused(
			`${fault} always`,
			fault,
			/the service (is rate-limiting requests|is not available)/,
			{ retryable: true },
			{ posts: 1 + MAX_REFUSAL_RETRIES, hurry: 200 },
		),
	),
	...['120', '0', 'soon', 'Thu, 01 Jan 1970 00:00:00 GMT'].map((after) =>
		row(
			`submit: 429 with Retry-After: ${after}, then ok`,
			{ submit: { status: 429, text: '', headers: { 'retry-after': after } } },
			'SUCCESS',
			{ posts: 2, hurry: 200 },
		),
	),
	...UNCLEAR.map(([what, answer, quoted]) =>
		row(
			`submit: accepted, then ${what}`,
			// An id that is longer than any of the answers did not go out, so it cannot be lost.
			{ submit: always(accepting(answer)), idLength: 400 },
			unclear(quoted),
			// Three tries, and the pauses of one that is taken for a refusal, within the time of the test.
			{ settings: RETRY_ON_FAIL, hurry: 300 },
		),
	),
	row('submit: 429, then unclear', { submit: ['rateLimited', 'acceptThen500'] }, unclear(), {
		posts: 2,
		hurry: 50,
	}),
	row('submit: a Base URL with a page behind it', {}, unclear(), {
		baseUrl: ({ url }) => `${url}/console`,
		paid: 0,
	}),
	...['beside', 'taskId'].map((envelope) =>
		row(`submit: the id in the envelope ${envelope}`, { envelope }, 'SUCCESS'),
	),
	row('submit: a number as id', { numberId: true }, 'SUCCESS'),
	row('submit: the id alone', { idOnly: true }, 'SUCCESS'),
	row('submit: an id of 200 characters', { idLength: 200 }, 'SUCCESS'),
	row('submit: an id longer than custom data', { idLength: 300 }, 'SUCCESS'),
	row('submit: an id with / + = ? % # &', { oddId: true }, 'SUCCESS'),
	row('submit: JSON labelled as text', { submit: 'wrongContentType' }, 'SUCCESS'),
	row('submit: in chunks', { submit: 'noLength' }, 'SUCCESS'),
	row('submit: ended by closing', { submit: 'silentCut' }, 'SUCCESS'),
	row('submit: slow', { submit: { delayMs: 300 } }, 'SUCCESS'),
	row('submit: a number as id, unknown ever after', { submit: 'wrongTypes' }, lost('12345'), {
		paid: 0,
	}),
	row(
		'submit: an id that no URL can hold',
		{ submit: { status: 200, json: { id: 'task_\ud800' } } },
		lost('task_\ud800'),
		{ paid: 0 },
	),
];
