import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../../../../nodes/shared/failure/failure';
import {
	type NoAnswer,
	RECORD_LIMITS,
	type ServiceAnswer,
} from '../../../../nodes/shared/http/answer';
import { type Connection, type ServiceRequest } from '../../../../nodes/shared/services/connection';
import type { WrittenVideo } from '../../../../nodes/shared/services/contract';
import { fetchTask } from '../../../../nodes/shared/services/fetchTask';
import { serviceOf } from '../../../../nodes/shared/services/list';
import { askForModels, lookAt } from '../../../../nodes/shared/services/probe';
import {
	type Submission,
	submit,
	type VideoRequest,
} from '../../../../nodes/shared/services/submit';

const { signal } = new AbortController();
const BASE = 'https://api.example.com';
const NEW_API = { 'x-new-api-version': 'v1.0.0' };
type Reply = Partial<Omit<ServiceAnswer, 'body'>> & { body?: unknown };

/** A service that answers in this order; tells what it was asked. */
function serve(api: string, replies: Array<Reply | NoAnswer>) {
	const asked: ServiceRequest[] = [];
	const service = serviceOf({ api });
	const send: Connection['send'] = async (request) => {
		const reply = replies[asked.length] ?? {};
		asked.push(request);
		if ('network' in reply) return reply;
		const { status = 200, headers = {}, body = {} } = reply;
		return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
	};
	const contentUrl = (task_id: string) =>
		service.contentPath && BASE + service.contentPath(task_id);
	const look = async () =>
		await lookAt(service, async (at) => await send({ ...at, ...RECORD_LIMITS }));
	const listed = async () => await askForModels({ send }, service.lists[0].path);
	return { asked, connection: { contentUrl, listed, look, service, send } as Connection };
}

const toVideo = (more: IDataObject = {}): WrittenVideo => ({
	model: 'm',
	fields: { model: 'm', prompt: 'p', input_reference: 'https://a.example/x', ...more },
});

type Loading = Pick<Submission, 'over' | 'loadFile'>;

/** Submits; tells what came of it, and each request as its kind of body, or as a look. */
async function submitTo(
	api: string,
	replies: Array<Reply | NoAnswer>,
	{ over = signal, loadFile = async () => Buffer.alloc(0) }: Partial<Loading> = {},
	request: VideoRequest = { video: toVideo(), plain: toVideo({ isPlain: true }) },
) {
	const { asked, connection } = serve(api, replies);
	const limits = { signal, over, submittedAtMs: 7 };
	const result = await submit(connection, { request, loadFile, ...limits });
	const sent = asked.map(({ path, body }) => {
		if (!body) return `look at ${path}`;
		const isPlain = 'isPlain' in body;
		return Buffer.isBuffer(body.bytes) ? 'form' : isPlain ? 'plain' : 'json';
	});
	return { result, sent: sent.join(', ') };
}

const taken = { body: { id: 'task_1', status: 'queued' } };
const noRoute = { status: 404, body: { detail: 'Not Found' } };
const noTask = { status: 404, body: { error: { message: 'Video not found' } } };
const noModel = { status: 404, body: { error: { message: 'No such model' } } };
const noModelOfLiteLlm = {
	status: 400,
	body: { error: { message: 'Invalid model name passed in model=x', type: 'None', code: '400' } },
};
const unknownField = { status: 400, body: { error: { message: "Unknown parameter: 'ratio'." } } };
const wantsForm = { status: 400, body: { error: { message: 'Use multipart/form-data' } } };
const [FIRST, OTHER] = ['/v1/video/generations/no-such-id', '/v1/videos/no-such-id'];

describe('submit', () => {
	it.each<[string, string, Reply[], string]>([
		['once', 'newApi', [taken], 'json'],
		['as a form with its picture', 'openAiVideos', [taken], 'form'],
		['in plain fields', 'customPaths', [unknownField, taken], 'json, plain'],
		['as a form', 'customPaths', [wantsForm, taken], 'json, form'],
		['in each way once', 'customPaths', [wantsForm, unknownField, taken], 'json, form, form'],
		['never in plain fields to OpenAI Videos', 'openAiVideos', [unknownField], 'form'],
		['never in another way to New API', 'newApi', [wantsForm], 'json'],
		['not again for a task', 'newApi', [{ status: 404, body: { task_id: 't' } }], 'json'],
		['not again after 5xx', 'customPaths', [{ status: 502, body: 'unknown parameter' }], 'json'],
	])('is sent %s', async (_how, api, replies, expected) => {
		const { result, sent } = await submitTo(api, replies);
		expect(sent).toEqual(expected);
		if (replies.at(-1) === taken) expect(result).toMatchObject({ task: { task_id: 'task_1' } });
		else expect(result).toHaveProperty('kind');
	});

	it('is sent as a form where a video without a picture is refused as JSON', async () => {
		const video = { model: 'm', fields: { model: 'm', prompt: 'p' } };
		const { sent } = await submitTo('openAiVideos', [wantsForm, taken], {}, { video });
		expect(sent).toBe('json, form');
	});

	it.each<[string, Reply, list: string[], looks: number, advice: RegExp]>([
		['newApi', noModel, ['veo-3.1', 'veo-3.1-fast'], 1, /^No such model\. .* is "veo-3.1-fast"/],
		['openAiVideos', noModelOfLiteLlm, ['sora-2', 'veo-3.1-fast'], 1, /is "veo-3.1-fast"\. /],
		['customPaths', noModel, ['other'], 1, /^No such model\. Choose another/],
		['newApi', noModel, ['veo-3.1-fsat'], 1, /^No such model\. Choose another/],
		['newApi', { status: 400, body: { error: { message: 'Bad size' } } }, [], 0, /^Bad size/],
		['newApi', { status: 429, body: { error: { message: 'Model busy' } } }, [], 0, /^Model busy/],
	])(
		'not again for a mistyped model, which gets the nearest name: %s %j, lists %j',
		async (api, reply, list, looks, advice) => {
			const listed = { body: { data: list.map((id) => ({ id })) } };
			const video = { ...toVideo(), model: 'veo-3.1-fsat' };
			const { result, sent } = await submitTo(api, [reply, listed], {}, { video });
			expect(sent.split(', ')).toEqual([
				expect.not.stringMatching(/^look/),
				...Array<string>(looks).fill('look at /v1/models'),
			]);
			expect(result).toMatchObject({ kind: 'refused', billed: 'no' });
			expect((result as Failure).description).toMatch(advice);
		},
	);

	it.each<[string, string, Reply[], looks: string[], advice: RegExp]>([
		['OpenAI Videos', 'newApi', [noRoute, noTask], [FIRST, OTHER], /\/v1\/videos: choose OpenAI V/],
		[
			'New API',
			'openAiVideos',
			[noRoute, { ...noTask, headers: NEW_API }],
			[OTHER, FIRST],
			/has \/v1\/video\/generations: choose New API/,
		],
		[
			'Custom Paths, where nobody says New API',
			'openAiVideos',
			[noRoute, noTask],
			[OTHER, FIRST],
			/has \/v1\/video\/generations: choose Custom Paths/,
		],
		['nothing', 'newApi', [noRoute, noRoute], [FIRST, OTHER], /documents other paths/],
		['nothing at New API itself', 'newApi', [{ ...noRoute, headers: NEW_API }], [FIRST], /paths/],
	])('names %s where its address is not there, by free looks', async (...row) => {
		const [, api, looks, paths, advice] = row;
		const { result, sent } = await submitTo(api, [noRoute, ...looks]);
		const kind = api === 'openAiVideos' ? 'form' : 'json';
		expect(sent).toBe([kind, ...paths.map((path) => `look at ${path}`)].join(', '));
		expect(result).toMatchObject({ kind: 'refused', billed: 'no' });
		expect((result as Failure).description).toMatch(advice);
	});

	it.each([
		['customPaths', unknownField],
		['customPaths', wantsForm],
	])('is not sent again once the run is over: %s', async (api, reply) => {
		const stopped = new AbortController();
		const stopping = {
			...reply,
			get headers() {
				stopped.abort();
				return {};
			},
		};
		const { result, sent } = await submitTo(api, [stopping], { over: stopped.signal });
		expect([result, sent]).toEqual([undefined, 'json']);
	});

	it('is not sent if the run has ended while its files came', async () => {
		const { result, sent } = await submitTo('newApi', [], { over: AbortSignal.abort() });
		expect([result, sent]).toEqual([undefined, '']);
	});

	it('ends with the run where its picture can no longer be loaded', async () => {
		const stopped = new AbortController();
		const loadFile = async () => {
			stopped.abort();
			return { message: 'ERR_CANCELED', passes: false };
		};
		const set = { over: stopped.signal, loadFile };
		const { result, sent } = await submitTo('openAiVideos', [taken], set);
		expect([result, sent]).toEqual([undefined, '']);
	});

	it('keeps all IDs', async () => {
		const { result } = await submitTo('newApi', [{ body: { id: 'task_2', task_id: 'task_1' } }]);
		expect(result).toMatchObject({ task: { task_id: 'task_1' }, otherIds: ['task_2'] });
	});

	it('keeps the words of a refusal if a plainer way has no field for what is set', async () => {
		const video = { model: 'm', fields: { model: 'm', prompt: 'p' } };
		const { result, sent } = await submitTo('customPaths', [unknownField], {}, { video });
		expect(result).toMatchObject({
			kind: 'refused',
			description: expect.stringMatching(/^Unknown parameter: 'ratio'\. /) as string,
		});
		expect(sent).toBe('json');
	});
});

const PAGE = '<html><head><title>Sorry</title></head><body>Ray 8f3a</body></html>';
const flat = (code: unknown, data: unknown = null) => ({ code, message: 'So', data });
const shaped = (code: unknown, type: unknown = 'new_api_error') => ({
	error: { message: 'So', type, code },
});
const google = (code: number, status: string) => ({ error: { code, message: 'So', status } });

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
	// MiniMax: out of credit, and too often.
	[200, { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }],
	[200, { base_resp: { status_code: 1002, status_msg: 'rate limit' } }],
];
const UNCLEAR: typeof REFUSED = [
	...[200, 300, 303, 408, 409, 424, 425, 460, 499, 500, 502, 503, 504, 524].map(
		(status): (typeof REFUSED)[number] => [status, PAGE],
	),
	[204, ''],
	[200, flat('success')],
	[200, flat('fail')],
	// Codes of New API after which there is a task, or may be.
	[500, flat('task_billing_settlement_failed')],
	[502, flat('task_submission_unknown')],
	[409, flat('duplicate_request')],
	[502, flat('plugin_submit_response_failed', 'task_1')],
	[503, shaped('', 'new_api_panic')],
	[503, shaped('model_not_found', 'new_api_panic')],
	// Of others, in a shape that is nearly one of these.
	[504, { success: false, data: null, error: { code: 'upstream_timeout' } }],
	[502, { data: null, error: { code: 'service_unavailable' } }],
	[408, { data: null, error: { code: 'timeout' } }],
	[500, { code: 50500, data: null }],
	[200, { code: 1002, message: 'So', request_id: 'r1' }],
	[200, { error: { code: 1008 } }],
	[503, { code: 'service_unavailable', message: 'So' }],
	[500, shaped('do_request_failed')],
	// Proxies in JSON.
	[503, { message: 'no healthy upstream' }],
	[503, google(503, 'UNAVAILABLE')],
	// A task is named, be it an earlier one.
	[400, { ...flat('invalid_request'), task_id: 'task_1' }],
	[429, { error: { message: 'So', task: { taskId: 17 } } }],
];

const endOf = async (reply: Reply | NoAnswer) =>
	(await submitTo('newApi', [reply])).result as Failure;

it.each([
	...REFUSED.map((row) => ['refused', ...row] as const),
	...UNCLEAR.map((row) => ['unclear', ...row] as const),
])('a submit is %s with %d and %j', async (kind, status, body) => {
	expect((await endOf({ status, body })).kind).toBe(kind);
});

it.each<[string, NoAnswer['network'], string, kind: string, retryable: boolean]>([
	['reached no host', 'notSent', 'ECONNREFUSED', 'refused', true],
	['met an expired certificate', 'notSent', 'CERT_HAS_EXPIRED', 'refused', false],
	['was cut', 'unclear', 'ECONNRESET', 'unclear', false],
	['was stopped', 'canceled', 'ERR_CANCELED', 'unclear', false],
])('a submit that %s', async (_what, network, code, kind, retryable) => {
	expect(await endOf({ network, code, message: 'No' })).toMatchObject({ kind, retryable });
});

it.each<[string, Reply | NoAnswer]>([
	['names a task', { status: 500, body: { message: 'So', task_id: 'task_1' } }],
	[
		'was cut after an ID',
		{ network: 'unclear', code: 'X', message: 'No', begin: '{"id":"task_1"}' },
	],
])('an unclear answer to a submit that %s keeps it, and when it was sent', async (_what, reply) => {
	const submitted_at = '1970-01-01T00:00:00.007Z';
	expect(await endOf(reply)).toMatchObject({ kind: 'unclear', task_id: 'task_1', submitted_at });
});

it.each([
	[flat(0), ' What the service sent: {"code":0,"message":"So","data":null}.'],
	[PAGE, ' What the service sent: Sorry Ray 8f3a.'],
	['x'.repeat(900), ` What the service sent: ${'x'.repeat(500)}...`],
	['', ' the usage page of the service.'],
])('keeps what an unclear answer to a submit says, on one line: %j', async (body, end) => {
	const { description = '' } = await endOf({ body });
	expect(description.slice(-end.length)).toBe(end);
});

it.each([
	['wavespeed', 'the list of the service, with Video Tasks.'],
	['kie', 'the usage page of the service, https://kie.ai/logs.'],
	['newApi', 'the usage page of the service.'],
])('says where people look for an unclear order of %s', async (api, where) => {
	const { result } = await submitTo(api, [{ body: '' }]);
	expect((result as Failure).description).toContain(where);
});

it('an odd code of an envelope at WaveSpeed is unclear, in words', async () => {
	for (const code of [1400, 4005, 5000]) {
		const { result } = await submitTo('wavespeed', [{ body: { code, message: 'So' } }]);
		expect(result).toMatchObject({ kind: 'unclear' });
		expect((result as Failure).message).not.toMatch(/undefined/);
	}
});

it('a field of the model with a name of ours is sent like any other', async () => {
	const { result } = await submitTo(
		'replicate',
		[taken],
		{},
		{
			video: { model: 'm', fields: { prompt: 'p', passes: 2, refusal: 1 } },
		},
	);
	expect(result).toMatchObject({ task: { task_id: 'task_1' } });
});

it('a model that a service with its own address lacks needs no other paths, and no look', async () => {
	const { result, sent } = await submitTo('fal', [{ status: 404, body: { detail: 'Not Found' } }]);
	expect(sent).toBe('json');
	expect((result as Failure).description).not.toMatch(/Custom Paths/);
});

describe('fetchTask', () => {
	const record = { body: { id: 'another', status: 'completed', url: `${BASE}/v.mp4` } };
	const noUrl = { body: { id: 't', status: 'completed' } };
	const content = { task: { result_url: `${BASE}/v1/videos/t/content` } };

	it.each<[string, string, Reply, string, object]>([
		['where it is', 'openAiVideos', record, '/v1/videos/t', { task: { status: 'SUCCESS' } }],
		['in vain', 'newApi', { status: 502 }, '/v1/video/generations/t', { httpCode: 502 }],
		['and is done without an address', 'openAiVideos', noUrl, '/v1/videos/t', content],
		['that is not there', 'replicate', noRoute, '/v1/predictions/t', { unknownTask: true }],
		[
			'that is not there, in words',
			'wavespeed',
			{ status: 404, body: { message: 'task not found' } },
			'/api/v3/predictions/t/result',
			{ unknownTask: true },
		],
	])('asks for a task %s', async (_where, api, reply, path, expected) => {
		const { asked, connection } = serve(api, [reply]);
		const result = await fetchTask(connection, 't', Infinity);
		expect(asked.map((request) => request.path)).toEqual([path]);
		expect(result).toMatchObject(expected);
	});

	it('knows of New API alone that its record asks the vendor', async () => {
		const body = { data: { task_id: 't', format: 'mp4', url: '', status: 'processing' } };
		for (const headers of [{}, NEW_API]) {
			const { connection } = serve('newApi', [{ body, headers }]);
			const result = await fetchTask(connection, 't', Infinity);
			const hasLiveRecord = headers === NEW_API ? true : undefined;
			expect('task' in result && result.task?.hasLiveRecord).toBe(hasLiveRecord);
		}
	});

	it.each<[string, object, billed: string | undefined]>([
		['broke off at the vendor', { error: 'Down', error_type: 'runner_server_error' }, 'no'],
		['failed over what was asked for', { error: 'No', error_type: 'bad_request' }, undefined],
	])('knows of fal whether a render that %s is billed', async (_what, failed, billed) => {
		const { connection } = serve('fal', [{ body: { status: 'COMPLETED', ...failed } }]);
		const result = await fetchTask(connection, 'a/b/requests/1', Infinity);
		expect(result).toMatchObject({ task: { status: 'FAILURE' } });
		expect('task' in result && result.task.billed).toBe(billed);
	});

	it("ends a render of fal whose result is an error of the vendor's", async () => {
		const broke = { detail: 'Timed out', error_type: 'generation_timeout' };
		const replies = [{ body: { status: 'COMPLETED' } }, { status: 504, body: broke }];
		const { connection } = serve('fal', replies);
		const result = await fetchTask(connection, 'a/b/requests/1', Infinity);
		expect(result).toMatchObject({ task: { status: 'FAILURE', broke: true } });
	});
});
