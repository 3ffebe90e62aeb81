import { failing, refusedBy, row, type FaultRow } from '../row';

const clear = { retryable: false };
const notAccepted = /the service does not accept the request/;

/** A clear no: nothing was created. Only what passes is sent again, and only so often. */
export const submitRefused: FaultRow[] = [
	refusedBy('submit: 400 with a number as code', 'numberCode', notAccepted, {
		http_code: 400,
		...clear,
	}),
	refusedBy('submit: 400 with JSON inside the message', 'nestedJsonMessage', notAccepted, {
		description: 'duration is not valid.',
	}),
	refusedBy('submit: 400 in Chinese', 'chineseMessage', notAccepted, {
		description: '请求参数错误,请检查后重试.',
	}),
	refusedBy('submit: 401', 'unauthorized', /the service refuses the API key/, {
		http_code: 401,
		...clear,
	}),
	refusedBy('submit: 401, used up', 'usedUp', /the service refuses the API key/, clear),
	refusedBy('submit: 403, no money', 'forbidden', /the account is out of credit/, {
		http_code: 403,
		...clear,
	}),
	refusedBy('submit: 404', 'notFound404', /the service does not know this address/, clear),
	refusedBy('submit: 409', 'conflict409', /the service is busy with the same request/, {
		http_code: 409,
	}),
	refusedBy('submit: 410', 'gone410', notAccepted, { http_code: 410, ...clear }),
	refusedBy('submit: 413, a page of a proxy', 'tooLargeHtml413', /the request is too large/, {
		http_code: 413,
		description: expect.stringMatching(/^(?!.*<)/),
		...clear,
	}),
	refusedBy('submit: 422', { status: 422, json: { detail: 'No such size' } }, notAccepted, {
		description: 'No such size.',
		...clear,
	}),
	refusedBy('submit: a redirect', { redirect: 307, to: 'foreign' }, /the service redirects to /, {
		http_code: 307,
		...clear,
	}),
	refusedBy('submit: 503, model not found', 'modelNotFound', /the service does not have this/, {
		http_code: 503,
		...clear,
	}),
	refusedBy(
		'submit: 200 that says no in the words of the gateway',
		{ status: 200, json: { code: 'ali_api_error', message: 'Not carried out', data: null } },
		/the service sent an answer that/,
		{ description: 'Not carried out.', ...clear },
	),
	refusedBy(
		'submit: 200 with the error of another address',
		{ status: 200, json: { error: { message: 'No', type: 'new_api_error', code: 'denied' } } },
		/the service sent an answer that/,
		clear,
	),
	...['rateLimited', 'rateLimitedEmpty', 'retryAfter', 'json503'].flatMap((fault) => [
		row(`submit: ${fault} twice, then ok`, { submit: [fault, fault] }, 'SUCCESS', {
			posts: 3,
			hurry: 50,
		}),
		refusedBy(
			`submit: ${fault} always`,
			fault,
			/the service (is rate-limiting requests|is not available)/,
			{ retryable: true },
			{ posts: 9, hurry: 200 },
		),
	]),
	...['120', '0', 'soon', 'Thu, 01 Jan 1970 00:00:00 GMT'].map((after) =>
		row(
			`submit: 429 with Retry-After: ${after}, then ok`,
			{ submit: { status: 429, text: '', headers: { 'retry-after': after } } },
			'SUCCESS',
			{ posts: 2, hurry: 200 },
		),
	),
	row('submit: nothing listens', {}, failing(/not submitted: nothing answers at the Base URL/), {
		baseUrl: () => 'http://127.0.0.1:1',
		posts: 0,
		paid: 0,
		hurry: 100,
	}),
];
