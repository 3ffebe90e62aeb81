import { isRefused, readReason, readSubmitFailure } from '../../../../nodes/shared/service/reason';

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
	status,
	headers,
	body: typeof body === 'string' ? body : JSON.stringify(body),
});
const PAGE = '<html><head><title>Sorry</title></head><body>Ray 8f3a</body></html>';
const flat = (code: unknown, data: unknown = null) => ({ code, message: 'So', data });
const shaped = (code: unknown, type: unknown = 'new_api_error') => ({
	error: { message: 'So', type, code },
});
const google = (code: number, status: string) => ({ error: { code, message: 'So', status } });

describe('readReason', () => {
	it.each([
		['New API', { code: 'bad', message: 'Not so', data: null }, 'bad', 'Not so'],
		['OpenAI', { error: { message: 'Not so', type: 'x', code: 'bad' } }, 'bad', 'Not so'],
		['Google', { error: { message: 'Not so', code: 400 } }, '400', 'Not so'],
		['an empty code', { error: { message: 'Not so', code: '' } }, undefined, 'Not so'],
		['Replicate', { error: 'Not so' }, undefined, 'Not so'],
		['kie.ai', { code: 422, msg: 'Not so', data: null }, '422', 'Not so'],
		[
			'fal',
			{ detail: [{ loc: ['body', 'prompt'], msg: 'Not so', type: 'missing' }] },
			undefined,
			'Not so',
		],
		[
			'New API about its vendor',
			{ error: { message: JSON.stringify({ error: { message: 'Not so' } }) } },
			undefined,
			'Not so',
		],
		['a page', '<html><title>Not so</title></html>', undefined, 'Not so'],
		['nothing', '', undefined, undefined],
	])('reads %s', (_name, body, code, description) => {
		expect(readReason('check', answer(400, body))).toMatchObject({
			httpCode: 400,
			code,
			description,
		});
	});

	it.each([
		[401, 'fail_to_fetch_task', /vendor of the model refuses the service's own account/],
		[401, 'other', /refuses the API key/],
	])('says of status %d and code %s whose account is meant', (status, code, says) => {
		expect(readReason('check', answer(status, flat(code))).message).toMatch(says);
	});

	it('shows only the origin of a redirect', () => {
		const { message } = readReason(
			'check',
			answer(302, '', { location: 'https://other.example/login?token=secret' }),
		);
		expect(message).toContain('https://other.example');
		expect(message).not.toContain('secret');
	});

	it.each([
		[flat(0), '{"code":0,"message":"So","data":null}'],
		[PAGE, 'Sorry Ray 8f3a'],
		['x'.repeat(900), `${'x'.repeat(500)}...`],
		['', undefined],
	])('keeps what an unclear answer to a submit says, on one line: %j', (body, kept) => {
		expect(readSubmitFailure(answer(200, body), 0)).toMatchObject({ kind: 'unclear', body: kept });
	});

	it('keeps the task that an unclear answer to a submit names, and when it was sent', () => {
		const failure = readSubmitFailure(answer(500, { message: 'So', task_id: 'task_1' }), 7);
		expect(failure).toMatchObject({ kind: 'unclear', task_id: 'task_1', submittedAtMs: 7 });
	});
});

const PER_DAY = { quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' };
const PER_MINUTE = { quotaId: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier' };
const exhausted = (violation: object) => ({
	error: {
		...{ code: 429, message: 'You exceeded your current quota', status: 'RESOURCE_EXHAUSTED' },
		details: [
			{ '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [violation] },
			{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '58s' },
		],
	},
});

it.each<[string, unknown, boolean, number | undefined]>([
	['a quota per minute', exhausted(PER_MINUTE), true, 58_000],
	['the same in a stream', [exhausted(PER_MINUTE)], true, 58_000],
	['a quota per day', exhausted(PER_DAY), false, 58_000],
	['no details', google(429, 'RESOURCE_EXHAUSTED'), true, undefined],
	['an account without credit (OpenAI)', shaped('insufficient_quota'), false, undefined],
])('reads of a 429 when to try again: %s', (_what, body, passes, retryAfterMs) => {
	expect(readReason('text', answer(429, body))).toMatchObject({ passes, retryAfterMs });
});

/** What a paid request met, by whether it was refused; what is not refused is unclear. */
const REFUSED: Array<[number, unknown]> = [
	...[301, 302, 307, 308, 400, 401, 403, 404, 413, 422, 429].map((status): [number, unknown] => [
		status,
		PAGE,
	]),
	// New API's own shape: it has given the money back and keeps no task.
	...[400, 408, 500, 502, 504].map((status): [number, unknown] => [
		status,
		flat('fail_to_fetch_task'),
	]),
	[500, flat('50413')],
	// No channel for the model, or an overload.
	[503, flat('model_not_found')],
	[503, shaped('model_not_found', 'x')],
	[503, shaped('system_cpu_overloaded', 'x')],
	[503, shaped('')],
	// The ID of a request, and the name of an error.
	[422, { detail: 'So', request_id: 'r1' }],
	[400, { name: 'ValidationError', message: 'So' }],
];
const UNCLEAR: Array<[number, unknown]> = [
	...[300, 303, 408, 409, 424, 425, 460, 499, 500, 502, 503, 504, 524].map(
		(status): [number, unknown] => [status, PAGE],
	),
	...[200, 201, 204].flatMap((status): Array<[number, unknown]> => [
		[status, ''],
		[status, flat('success')],
	]),
	[200, PAGE],
	// Codes of New API after which there is a task, or may be.
	[500, flat('task_billing_settlement_failed')],
	[502, flat('task_submission_unknown')],
	[409, flat('duplicate_request')],
	[502, flat('plugin_submit_response_failed', 'task_1')],
	[500, shaped('', 'new_api_panic')],
	[503, shaped('', 'new_api_panic')],
	[500, shaped('do_request_failed')],
	// Proxies in JSON.
	[503, { message: 'no healthy upstream' }],
	[503, google(503, 'UNAVAILABLE')],
	// A task is named, be it an earlier one.
	[400, { ...flat('invalid_request'), task_id: 'task_1' }],
	[429, { error: { message: 'So', task: { taskId: 17 } } }],
];

it.each(REFUSED)('a submit is refused with %d and %j', (status, body) => {
	expect(readSubmitFailure(answer(status, body), 0).kind).toBe('refused');
});

it.each(UNCLEAR)('a submit is unclear with %d and %j', (status, body) => {
	expect(readSubmitFailure(answer(status, body), 0).kind).toBe('unclear');
});

it.each<[string, 'notSent' | 'unclear' | 'canceled', string, string, boolean]>([
	['reached no host', 'notSent', 'ECONNREFUSED', 'refused', true],
	['met an expired certificate', 'notSent', 'CERT_HAS_EXPIRED', 'refused', false],
	['was cut', 'unclear', 'ECONNRESET', 'unclear', true],
	['was stopped', 'canceled', 'ERR_CANCELED', 'unclear', false],
])('a submit that %s', (_what, network, code, kind, passes) => {
	const none = { network, code, message: 'No' };
	expect(readSubmitFailure(none, 0)).toMatchObject({ kind, code, passes });
});

it('a submit that was cut after its ID names its task', () => {
	const begin = '{"id":"task_1","status":"queued"}';
	const none = { network: 'unclear' as const, code: 'ECONNRESET', message: 'No', begin };
	expect(readSubmitFailure(none, 0)).toMatchObject({ task_id: 'task_1' });
});

it.each<[boolean, number, unknown]>([
	[true, 503, google(503, 'UNAVAILABLE')],
	[true, 429, google(429, 'RESOURCE_EXHAUSTED')],
	[false, 500, google(500, 'INTERNAL')],
	[false, 503, PAGE],
])('of a text, refused is %p with %d and %j', (refused, status, body) => {
	expect(isRefused('text', answer(status, body))).toBe(refused);
});
