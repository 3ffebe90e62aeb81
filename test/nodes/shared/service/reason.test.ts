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

const IN_JSON = JSON.stringify({ error: { message: 'Not so' } });

it.each<[string, unknown, string | undefined, string | undefined]>([
	['New API', { code: 'bad', message: 'Not so', data: null }, 'bad', 'Not so'],
	['OpenAI', { error: { message: 'Not so', type: 'x', code: 'bad' } }, 'bad', 'Not so'],
	['Google', { error: { message: 'Not so', code: 400 } }, '400', 'Not so'],
	['an empty code', { error: { message: 'Not so', code: '' } }, undefined, 'Not so'],
	['Replicate', { error: 'Not so' }, undefined, 'Not so'],
	['kie.ai', { code: 422, msg: 'Not so', data: null }, '422', 'Not so'],
	['fal', { detail: [{ loc: ['body'], msg: 'Not so' }] }, undefined, 'Not so'],
	['New API about its vendor', { error: { message: IN_JSON } }, undefined, 'Not so'],
	['a page', '<html><title>Not so</title></html>', undefined, 'Not so'],
	['nothing', '', undefined, undefined],
])('reads what %s says', (_name, body, code, description) => {
	const reason = { httpCode: 400, code, description };
	expect(readReason('check', answer(400, body))).toMatchObject(reason);
});

it.each([
	[401, 'fail_to_fetch_task', /vendor of the model refuses the service's own account/],
	[401, 'other', /refuses the API key/],
])('says of status %d and code %s whose account is meant', (status, code, says) => {
	expect(readReason('check', answer(status, flat(code))).message).toMatch(says);
});

it('shows only the origin of a redirect', () => {
	const location = 'https://other.example/login?token=secret';
	const { message } = readReason('check', answer(302, '', { location }));
	expect(message).toMatch(/to https:\/\/other\.example\. /);
});

it.each([
	[flat(0), '{"code":0,"message":"So","data":null}'],
	[PAGE, 'Sorry Ray 8f3a'],
	['x'.repeat(900), `${'x'.repeat(500)}...`],
	['', undefined],
])('keeps what an unclear answer to a submit says, on one line: %j', (body, kept) => {
	expect(readSubmitFailure(answer(200, body), 0)).toMatchObject({ kind: 'unclear', body: kept });
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

/** What a submit met, by whether it was refused; what is not refused is unclear. */
const REFUSED: Array<[status: number, body: unknown]> = [
	[307, PAGE],
	[400, PAGE],
	[429, PAGE],
	// New API's own shape: it has given the money back and keeps no task.
	[408, flat('fail_to_fetch_task')],
	[502, flat('fail_to_fetch_task')],
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
const UNCLEAR: typeof REFUSED = [
	...[200, 300, 303, 408, 409, 424, 425, 460, 499, 500, 502, 503, 504, 524].map(
		(status): (typeof REFUSED)[number] => [status, PAGE],
	),
	[204, ''],
	[200, flat('success')],
	// Codes of New API after which there is a task, or may be.
	[500, flat('task_billing_settlement_failed')],
	[502, flat('task_submission_unknown')],
	[409, flat('duplicate_request')],
	[502, flat('plugin_submit_response_failed', 'task_1')],
	[503, shaped('', 'new_api_panic')],
	[500, shaped('do_request_failed')],
	// Proxies in JSON.
	[503, { message: 'no healthy upstream' }],
	[503, google(503, 'UNAVAILABLE')],
	// A task is named, be it an earlier one.
	[400, { ...flat('invalid_request'), task_id: 'task_1' }],
	[429, { error: { message: 'So', task: { taskId: 17 } } }],
];

it.each([
	...REFUSED.map((row) => ['refused', ...row] as const),
	...UNCLEAR.map((row) => ['unclear', ...row] as const),
])('a submit is %s with %d and %j', (kind, status, body) => {
	expect(readSubmitFailure(answer(status, body), 0).kind).toBe(kind);
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

it.each([
	['names a task', answer(500, { message: 'So', task_id: 'task_1' })],
	[
		'was cut after an ID',
		{ network: 'unclear' as const, code: 'X', message: 'No', begin: '{"id":"task_1"}' },
	],
])('an unclear answer to a submit that %s keeps it, and when it was sent', (_what, unclear) => {
	const kept = { kind: 'unclear', task_id: 'task_1', submittedAtMs: 7 };
	expect(readSubmitFailure(unclear, 7)).toMatchObject(kept);
});

it.each<[boolean, number, unknown]>([
	[true, 503, google(503, 'UNAVAILABLE')],
	[false, 500, google(500, 'INTERNAL')],
	[false, 503, PAGE],
])('of a text, refused is %p with %d and %j', (refused, status, body) => {
	expect(isRefused('text', answer(status, body))).toBe(refused);
});
