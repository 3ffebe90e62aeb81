import type { IDataObject } from 'n8n-workflow';

import { useStage } from '../../support/stage';
import {
	always,
	type Answer,
	failing,
	type More,
	type NamedApi,
	RETRY_ON_FAIL,
	row,
	testFaults,
} from '../faults/support/faults';

// What of the fault table is decided by a service's own contract. No service has an idempotency key.

const MODELS: Record<NamedApi, string> = {
	fal: 'fal-ai/veo3.1',
	google: 'gemini-omni-1.1-flash',
	kie: 'veo-3-1',
	openRouter: 'google/veo-3.1',
	replicate: 'google/veo-3.1',
	runway: 'seedance2_fast',
	wavespeed: 'wavespeed-ai/wan-2.2/t2v-480p-ultra-fast',
};

/** Answers of kie, which says 200 of everything and has the code in the body. */
const code = (number: number, msg: string): Answer => ({
	status: 200,
	json: { code: number, msg, data: null },
});
const detail = (status: number, words: unknown): Answer => ({ status, json: { detail: words } });

const message = (status: number, words: string): Answer => ({ status, json: { message: words } });

/** An answer of OpenRouter. */
const error = (status: number, metadata?: IDataObject): Answer => ({
	status,
	json: { error: { code: status, message: 'no', metadata } },
});

/** An answer of Runway. */
const said = (status: number, words: string, more: IDataObject = {}): Answer => ({
	status,
	json: { error: words, ...more, docUrl: 'https://docs.dev.runwayml.com/api' },
});
/** An answer of Google. */
const google = (code: number, message: string, details?: IDataObject[]): Answer => ({
	status: code,
	json: { error: { code, message, status: 'X', details } },
});
const QUOTA = 'You exceeded your current quota, please check your plan and billing details.';
const RETRY = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '4s' };
const DAILY = { violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }] };
const WRONG_KEY = { reason: 'API_KEY_INVALID', domain: 'googleapis.com' };
const ISSUES = [{ code: 'invalid_value', path: ['ratio'], message: 'Invalid option' }];

const LOCKED = 'User is locked. Reason: Exhausted balance. Top up your balance.';
const NO_CREDIT = {
	...{ next: 'checkAccount', retryable: false },
	message: expect.stringMatching(/: the account is out of credit \(HTTP (400|402|403|429)\)/),
};

const REFUSED: Array<[NamedApi, Answer, fields: IDataObject]> = [
	['fal', detail(422, [{ loc: ['body', 'duration'], msg: 'no', type: 'x' }]), {}],
	['fal', detail(403, LOCKED), NO_CREDIT],
	['replicate', detail(402, 'Insufficient credit'), NO_CREDIT],
	['kie', code(402, 'Credits insufficient'), NO_CREDIT],
	['kie', code(429, 'The current credits are insufficient. Please top up.'), NO_CREDIT],
	['kie', code(422, 'duration is not valid'), { http_code: 422 }],
	['kie', code(433, 'Key limit'), { next: 'checkAccount' }],
	['kie', code(455, 'Maintenance'), { next: 'retry', retryable: true }],
	['google', google(400, 'duration: a number'), { http_code: 400 }],
	['google', google(400, 'API key not valid.', [WRONG_KEY]), { next: 'checkAccount' }],
	['google', google(404, 'models/x is not found for API version v1beta'), { http_code: 404 }],
	[
		'google',
		google(429, 'Your prepayment credits are depleted. Please go to AI Studio.'),
		NO_CREDIT,
	],
	['google', google(429, QUOTA, [DAILY]), { next: 'checkAccount', retryable: false }],
	['openRouter', error(400), { http_code: 400 }],
	['openRouter', error(402, { limit_source: 'account' }), NO_CREDIT],
	['openRouter', error(403), { next: 'checkAccount' }],
	['openRouter', error(403, { reasons: ['violence'] }), { next: 'changeRequest' }],
	['runway', said(400, 'You do not have enough credits to run this task.'), NO_CREDIT],
	[
		'runway',
		said(400, 'Validation of body failed', { issues: ISSUES }),
		{ description: expect.stringMatching(/ratio: Invalid option/) },
	],
	[
		'runway',
		said(429, 'Your daily task limit has been reached.'),
		{ next: 'checkAccount', retryable: false, description: expect.stringMatching(/tomorrow/) },
	],
	['runway', said(401, 'The API key is not valid'), { next: 'checkAccount' }],
	['runway', said(403, 'Model variant seedance2_fast is not available'), { next: 'checkAccount' }],
	['wavespeed', message(400, 'prompt is required'), { http_code: 400 }],
	['wavespeed', message(401, 'Invalid authentication'), { next: 'checkAccount' }],
	['wavespeed', code(403, 'No balance'), { next: 'checkAccount' }],
];
const UNCLEAR: Array<[NamedApi, Answer]> = [
	['fal', detail(504, 'Request timed out')],
	['fal', 'empty200'],
	['replicate', detail(500, 'Internal server error')],
	['kie', code(500, 'no')],
	['kie', { status: 200, json: { code: 200, msg: 'success', data: {} } }],
	...[500, 503, 504].map((code): [NamedApi, Answer] => ['google', google(code, 'no')]),
	['google', { status: 200, json: {} }],
	...[408, 500, 502, 503].map((status): [NamedApi, Answer] => ['openRouter', error(status)]),
	['openRouter', { status: 200, json: { error: { code: 502, message: 'no' } } }],
	...[500, 502, 503, 504].map((status): [NamedApi, Answer] => ['runway', said(status, 'no')]),
	['runway', { status: 200, json: {} }],
	['wavespeed', message(500, 'no')],
	['wavespeed', { status: 200, json: { code: 200, data: {} } }],
];

const named = (api: NamedApi, more: More = {}): More => ({
	...more,
	named: { api, model: MODELS[api] },
	// It is asked every five seconds.
	...(api === 'runway' && { hurry: 100 }),
});
const withAccept = (answer: Answer) =>
	always({ ...(typeof answer === 'string' ? { fault: answer } : answer), accept: true });

const NAMED = Object.keys(MODELS) as NamedApi[];

const submits = [
	...REFUSED.map(([api, answer, fields]) =>
		row(
			`${api}: refused with ${JSON.stringify(answer)}`,
			{ submit: always(answer) },
			failing(/^The video was not submitted: /, { billed: 'no', ...fields }),
			named(api, { paid: 0, settings: RETRY_ON_FAIL, posts: 3 }),
		),
	),
	...UNCLEAR.map(([api, answer]) =>
		row(
			`${api}: accepted, then ${JSON.stringify(answer)}`,
			{ submit: withAccept(answer) },
			// Their lists show what was sent.
			['fal', 'replicate'].includes(api)
				? 'SUCCESS'
				: failing(/^The video may or may not have been accepted: /, { next: 'checkUsage' }),
			named(api, { settings: RETRY_ON_FAIL, hurry: 100 }),
		),
	),
	...NAMED.map((api) => {
		const words = 'Too many requests';
		const ofApi: Partial<Record<NamedApi, Answer>> = {
			kie: code(429, words),
			google: google(429, QUOTA, [RETRY]),
			openRouter: error(429),
			runway: said(429, words),
		};
		const busy = ofApi[api] ?? detail(429, words);
		return row(
			`${api}: too many requests, twice`,
			{ submit: [busy, busy] },
			'SUCCESS',
			named(api, { posts: 3, hurry: 100 }),
		);
	}),
];

// Google says it in the same words with and without a delay.
submits.push(
	row(
		'google: too many requests, without a delay',
		{ submit: [google(429, QUOTA)] },
		'SUCCESS',
		named('google', { posts: 2, hurry: 100 }),
	),
);

const EARLY = detail(400, 'Request is still in progress');
const BESIDE = { status: 200, json: { code: 408, msg: 'slow', data: { state: 'generating' } } };

const polls = [
	row('kie: recordInfo is null at first', { notExistMs: 150 }, 'SUCCESS', named('kie')),
	row(
		'kie: the vendor was silent for ten minutes',
		{ poll: [code(408, 'Upstream timeout')] },
		failing(/Upstream timeout/),
		named('kie'),
	),
	row('kie: a code beside a record', { poll: [BESIDE] }, 'SUCCESS', named('kie')),
	row('fal: the result comes too early', { content: [EARLY] }, 'SUCCESS', named('fal')),
	row(
		'fal: COMPLETED with an error',
		{ poll: [{ status: 200, json: { status: 'COMPLETED', error: 'Runner died' } }] },
		failing(/Runner died/),
		named('fal'),
	),
	...NAMED.map((api) =>
		row(`${api}: two polls fail`, { poll: ['html502', 'reset'] }, 'SUCCESS', named(api)),
	),
];

testFaults(useStage(), [...submits, ...polls]);
