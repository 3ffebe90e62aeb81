import { submitRefused } from '../../../../nodes/shared/failure/failure';
import { readReason } from '../../../../nodes/shared/failure/reason';

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

it.each<[boolean, number, unknown]>([
	[true, 503, google(503, 'UNAVAILABLE')],
	[false, 500, google(500, 'INTERNAL')],
	[false, 503, PAGE],
])('of a text, refused is %p with %d and %j', (refused, status, body) => {
	expect(readReason('text', answer(status, body)).refused === true).toBe(refused);
});

it.each<[status: number, body: unknown]>([
	[400, shaped('invalid_request', 'new_api_no_task')],
	[500, shaped('do_request_failed', 'new_api_no_task')],
	[503, shaped('model_not_found', 'x')],
	[503, shaped('get_channel_failed', 'x')],
])('takes New API alone at its word that nothing was submitted: %d %j', (status, body) => {
	const refused = (isOfNewApi: boolean) =>
		readReason('submit', answer(status, body), { isOfNewApi }).refused === true;
	expect(refused(true)).toBe(true);
	if (status >= 500) expect(refused(false)).toBe(false);
});

const STATUSES = [
	...[200, 204, 206, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 408, 409],
	...[410, 413, 422, 425, 429, 451, 455, 460, 499, 500, 502, 503, 504, 524],
];
const ALWAYS = [408, 409, 425, 429, 455, 500, 502, 503, 504, 524];

it.each([
	['submit', ALWAYS],
	['file', [200, 204, 206, 400, 404, ...ALWAYS]],
] as const)('says of %s which statuses pass', (asking, passing) => {
	const passes = (status: number) => readReason(asking, answer(status, 'So')).passes;
	expect(STATUSES.filter(passes)).toEqual(passing);
});

it.each<[what: string, status: number, body: unknown, expected: object]>([
	['a code', 400, flat('429'), { passes: true, busy: true }],
	['OpenAI', 400, flat('rate_limit_exceeded'), { passes: true, busy: true }],
	['New API', 400, flat('system_cpu_overloaded'), { passes: true, busy: true }],
	['New API of a model', 503, flat('model_not_found'), { passes: false }],
	[
		'Google of a key',
		400,
		{ error: { details: [{ reason: 'API_KEY_INVALID' }] } },
		{ account: true },
	],
	['the vendor of the service', 401, flat('fail_to_fetch_task'), { account: false }],
])('what it means goes by codes and types before the status: %s', (_what, status, body, is) => {
	expect(readReason('submit', answer(status, body))).toMatchObject(is);
});

it('fal locks uploads, too, of an account without credit (fal-ai/fal 1147)', () => {
	const locked = { detail: 'User is locked. Reason: Exhausted balance. Top up your balance.' };
	expect(readReason('list', answer(403, locked))).toMatchObject({ noCredit: true, account: true });
});

const BUDGET = 'Budget has been exceeded! Current cost: 26.075, Max budget: 25.0';
const budget = (code: string) => ({ error: { message: BUDGET, type: 'budget_exceeded', code } });

it.each<[what: string, status: number, body: unknown]>([
	['LiteLLM, 429', 429, budget('429')],
	['LiteLLM, 400', 400, budget('400')],
	['OpenAI of the account', 400, shaped('billing_hard_limit_reached', 'x')],
	['OpenAI of billing', 429, shaped('billing_not_active', 'x')],
	['OpenAI of a quota', 429, shaped('insufficient_quota', 'x')],
	['DashScope', 400, { code: 'Arrearage', message: 'Access denied' }],
	['DashScope, under error', 400, { error: { code: 'Arrearage', message: 'Access denied' } }],
	['MiniMax', 200, { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }],
	['OpenRouter', 402, { error: { message: 'So', code: 402, metadata: { limit_source: 'key' } } }],
	['Replicate', 402, { title: 'Insufficient credit', detail: 'So', status: 402 }],
	['New API of a user', 403, shaped('insufficient_user_quota')],
	['New API of a key', 403, shaped('pre_consume_token_quota_failed')],
	['kie of a key', 433, flat(433)],
	// In words alone.
	...[429, 403].map((status): [string, number, unknown] => [
		'xAI',
		status,
		{
			code: 'Some resource has been exhausted',
			error:
				'Your team 1 has either used all available credits or reached its monthly spending limit.',
		},
	]),
	['Gemini', 429, { error: { code: 429, message: 'Your prepayment credits are depleted.' } }],
	['fal', 403, { detail: 'User is locked. Reason: TOP_UP.' }],
	['fal, locked', 403, { detail: 'User is locked. Reason: Admin lock. Please contact support' }],
	[
		'OpenRouter of a key',
		403,
		{ error: { code: 403, message: 'Key limit exceeded (daily limit)' } },
	],
])('sends a request to an account without credit once: %s', (_what, status, body) => {
	const met = { account: true, noCredit: true, passes: false, refused: true };
	for (const asking of ['submit', 'text'] as const) {
		const reason = readReason(asking, answer(status, body));
		expect(reason).toMatchObject(met);
		expect(reason.busy ?? false).toBe(false);
		expect(submitRefused(reason)).toMatchObject({ next: 'checkAccount', billed: 'no' });
		expect(reason.message).toMatch(/out of credit|used up|too little quota|locked the account/);
	}
});

it.each([
	['Replicate', { detail: 'resets in ~5s', status: 429, retry_after: 5 }, 5_000],
	['nobody', { detail: 'resets in ~5s' }, undefined],
])('hears from %s in the body when to try again', (_who, body, retryAfterMs) => {
	expect(readReason('submit', answer(429, body)).retryAfterMs).toBe(retryAfterMs);
});

it.each<[facts: { status?: number; code?: string; words?: string }, advice: RegExp]>([
	[{ code: 'model_not_found', status: 503 }, /^Choose another Model\.$/],
	[{ status: 404 }, /with Service on Custom Paths\.$/],
	[{ status: 404, code: 'fail_to_fetch_task' }, /^Choose another Model, or ask the operator/],
	[{ status: 404, words: 'The deployment does not exist' }, /^Choose another Model/],
	[{ status: 422, words: 'size is required' }, /Additional Fields \(JSON\)\.$/],
	[{ status: 500 }, /^$/],
])(
	'of a submit that meets %j, the person can do this: %s',
	({ status = 500, ...known }, advice) => {
		expect(readReason('submit', answer(status, ''), known).advice ?? '').toMatch(advice);
	},
);

it('says of a host that is not there what to check', () => {
	const none = { network: 'notSent', code: 'ECONNREFUSED', message: 'No' } as const;
	expect(readReason('submit', none).advice).toMatch(/^Check the address.*container/);
});
