import { adviceFor, wordsFor } from '../../../../nodes/shared/item/words';
import { billedFor, nextFor } from '../../../../nodes/shared/service/next';
import { type Failure, readFailure } from '../../../../nodes/shared/service/failure';

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
	status,
	headers,
	body: typeof body === 'string' ? body : JSON.stringify(body),
});

describe('readFailure', () => {
	it.each([
		['business shape', { code: 'bad', message: 'Not so', data: null }, 'bad', 'Not so'],
		['key shape', { error: { message: 'Not so', type: 'x', code: 'bad' } }, 'bad', 'Not so'],
		['a code that is a number', { error: { message: 'Not so', code: 7 } }, '7', 'Not so'],
		['an empty code', { error: { message: 'Not so', code: '' } }, undefined, 'Not so'],
		['an error that is text', { error: 'Not so' }, undefined, 'Not so'],
		[
			'JSON inside the message',
			{ error: { message: JSON.stringify({ error: { message: 'Not so' } }) } },
			undefined,
			'Not so',
		],
		['bare text', 'Not so', undefined, 'Not so'],
		['a page', '<html><title>Not so</title></html>', undefined, 'Not so'],
		['nothing', '', undefined, undefined],
	])('reads %s', (_name, body, code, description) => {
		expect(readFailure('check', answer(400, body))).toMatchObject({
			httpCode: 400,
			code,
			description,
		});
	});

	it.each([
		[401, 'fail_to_fetch_task', /vendor of the model refuses the service's own account/],
		[403, 'fail_to_fetch_task', /vendor of the model refuses the service's own account/],
		[400, 'fail_to_fetch_task', /does not accept the request/],
		[401, 'other', /refuses the API key/],
	])('says of status %d and code %s whose account is meant', (status, code, says) => {
		const failure = readFailure('check', answer(status, { code, message: 'Not so', data: null }));
		expect(failure.message).toMatch(says);
		const advice = adviceFor(failure) ?? '';
		expect(/Your API key is fine/.test(advice)).toBe(says.source.startsWith('vendor'));
	});

	it.each(['0', 200, 'OK', true])('takes %j for no code of trouble', (code) => {
		expect(readFailure('check', answer(200, { code, message: 'So' })).code).toBeUndefined();
	});

	it('shows only the origin of a redirect', () => {
		const { message } = readFailure(
			'check',
			answer(302, '', { location: 'https://other.example/login?token=secret' }),
		);
		expect(message).toContain('https://other.example');
		expect(message).not.toContain('secret');
	});

	it.each(['{"message":[{"toString":1,"valueOf":1}]}', '{"error":{"toString":1,"toJSON":1}}'])(
		'has words for %s',
		(body) => expect(readFailure('check', answer(500, body)).description).toMatch(/toString/),
	);
});

const PAGE = '<html><head><title>Sorry</title></head><body>Ray 8f3a</body></html>';
const flat = (code: unknown, data: unknown = null) => ({ code, message: 'So', data });
const shaped = (code: unknown, type: unknown = 'new_api_error') => ({
	error: { message: 'So', type, code },
});
const google = (code: number, status: string) => ({ error: { code, message: 'So', status } });

const read = (during: Failure['during'], status: number, body: unknown) => {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return readFailure(during as 'submit', { status, headers: {}, body: text });
};

describe('a submit without an id', () => {
	it.each<[number, unknown]>([
		// By the status: whoever said it had not handed the request on.
		...[301, 302, 307, 308, 400, 401, 403, 404, 413, 422, 429, 451].flatMap(
			(status): Array<[number, unknown]> => [
				[status, PAGE],
				[status, ''],
				[status, flat('x')],
			],
		),
		// By the gateway's own shape: the money was given back.
		...[408, 500, 502, 503, 504].map((status): [number, unknown] => [
			status,
			flat('fail_to_fetch_task'),
		]),
		[500, flat('50413')],
		[503, flat('model_not_found')],
		[503, shaped('model_not_found')],
		[503, shaped('')],
		[503, shaped('system_cpu_overloaded', 'x')],
		[200, flat('ali_api_error')],
		[200, flat(400)],
		[200, shaped('denied')],
		[400, { code: 400, message: 'So', data: 'Use 5 or 10 seconds' }],
		[400, { message: 'So', request_id: 'r1', status: 'failed' }],
		[400, shaped('invalid_timeout', null)],
		[400, { message: 'So', status: 'Bad Request', name: 'ValidationError' }],
	])('is refused with %d and %j', (status, body) => {
		const failure = read('submit', status, body);
		expect([failure.certainty, failure.body]).toEqual(['refused', undefined]);
	});

	it.each<[number, unknown]>([
		...[300, 303, 408, 460, 499, 500, 502, 503, 504, 524].flatMap(
			(status): Array<[number, unknown]> => [
				[status, PAGE],
				[status, ''],
				[status, 'upstream connect error'],
				[status, { message: 'no healthy upstream' }],
			],
		),
		// Not the gateway's shape: its codes are texts, and its data is null.
		[500, flat(500)],
		[503, flat(503)],
		[503, { code: 'overloaded', message: 'So' }],
		[500, flat('')],
		[500, flat('success')],
		[503, { code: 14, message: 'upstream connect error', details: [] }],
		// Its task exists by then, or may; and another service's code says nothing of that.
		[500, flat('task_billing_settlement_failed')],
		[502, flat('task_submission_unknown')],
		[504, flat('B0100')],
		[504, flat('upstream_timeout')],
		[409, flat('task_pending')],
		[409, flat('DUPLICATE_SUBMIT')],
		// What fell over, or what the vendor may have begun.
		[500, shaped('', 'new_api_panic')],
		[503, shaped('overloaded', 'new_api_panic')],
		[200, shaped('x', 'new_api_panic')],
		[500, shaped('do_request_failed')],
		[503, shaped(503, 'upstream_error')],
		[503, google(503, 'UNAVAILABLE')],
		// All went well, as far as anybody says.
		...[0, '0', 1, 200, '200', ' Ok ', 'SUCCESS', true].flatMap(
			(code): Array<[number, unknown]> => [
				[200, flat(code)],
				[200, flat(code, { url: '' })],
				[202, flat(code, 'task')],
			],
		),
		// It gave up waiting for the vendor.
		[400, shaped('upstream_timeout', null)],
		[422, { code: 'DEADLINE_EXCEEDED' }],
		[400, shaped('x', 'timeout_error')],
		[424, { message: 'So' }],
		[200, flat(400, [{ url: 'x' }])],
		[400, { submission_id: 'x' }],
		// Nobody knows what this says.
		[200, flat('invalid_param')],
		[200, { code: 'quota', msg: 'So' }],
		[200, shaped('denied', 'x')],
		// It names a task, be it an earlier one.
		[400, { ...flat('duplicate'), task_id: 'task_1' }],
		[429, { error: { message: 'So', task: { taskId: 17 } } }],
		[429, { id: 'task_1', object: 'video' }],
		[429, { task: { id: 'task_1' } }],
		[429, { orderId: 'x' }],
		[429, { generation: 'a1b2c3d4' }],
		[429, { jobs: ['a1b2c3d4'] }],
		[409, { data: { tasks: [{ id: 17 }] } }],
		...[
			{ existing_job: { id: 'j' } },
			{ existing_video: 'v' },
			{ existing: { id: 'x' } },
			{ current_task: 't' },
			{ conflict: { id: 'x' } },
			{ job_id: 'j' },
			{ id: 'x', error: { message: 'So' } },
			{ error: { message: 'Job abc-123 exists' } },
			{ ...shaped('duplicate', null), video_id: 'v' },
		].map((body): [number, unknown] => [409, body]),
		[429, [{ data: { id: 17, status: 'queued' } }]],
		[429, { message: JSON.stringify({ task_id: 'task_1' }) }],
		[200, flat(500)],
		[200, flat(408)],
		[200, flat(409)],
		[200, shaped('')],
		[200, { success: true }],
		[200, ''],
		[200, PAGE],
		[204, ''],
		// What tells of work was carried out, whatever else it says.
		...['data', 'result', 'task'].flatMap((name): Array<[number, unknown]> => [
			[400, { code: 400, message: 'So', [name]: 'task_1000' }],
			[200, { code: 400, message: 'So', [name]: 'task_1000' }],
		]),
		[422, { message: 'So', request_id: 'r1', status: 'queued' }],
		[422, { message: 'So', data: { status: 'processing' } }],
		[400, { message: 'So', polling_url: 'https://a.example/v1/videos/x' }],
		[400, { message: 'So', urls: { get: 'https://a.example/v1/videos/x' } }],
		[400, { error: { message: 'So' }, name: 'models/a/operations/x' }],
		[400, { error: { message: 'Task task_abc123 failed: unknown parameter' } }],
	])('is unclear with %d and %j', (status, body) => {
		expect(read('submit', status, body).certainty).toBe('unclear');
	});

	it.each<[string, number, string, Record<string, string>]>([
		...[301, 302, 307, 308].flatMap((status) =>
			[
				'/v1/videos/video_68f1c2',
				'https://a.example/v1/tasks/68f1c2/',
				'/renders/68f1c2',
				'/status?task=68f1c2',
			].map((place): [string, number, string, Record<string, string>] => [
				...(['unclear', status, place] as const),
				{ location: place },
			]),
		),
		...[201, 202, 204, 303, 400, 422].flatMap((status) =>
			['location', 'operation-location'].map(
				(name): [string, number, string, Record<string, string>] => [
					...(['unclear', status, '/v1/videos/video_68f1c2'] as const),
					{ [name]: '/v1/videos/video_68f1c2' },
				],
			),
		),
		...['https://www.a.example/v1/videos', '/v1/video/generations/', '/login?next=1'].map(
			(location): [string, number, string, Record<string, string>] => [
				...(['refused', 302, ''] as const),
				{ location },
			],
		),
	])('is %s with %i to "%s"', (certainty, status, place, headers) => {
		const failure = readFailure('submit', { status, headers, body: '' });
		expect(failure.certainty).toBe(certainty);
		expect(failure.body).toBe(place === '' ? undefined : `Location: ${place}`);
	});

	it.each([
		[flat(0), '{"code":0,"message":"So","data":null}'],
		[PAGE, 'Sorry Ray 8f3a'],
		['a\r\nb\u0000\u001b[1m', 'a b [1m'],
		['x'.repeat(900), `${'x'.repeat(500)}...`],
		['', undefined],
	])('that is unclear keeps what was sent, on one line: %j', (body, kept) => {
		expect(read('submit', 200, body).body).toBe(kept);
	});

	it('that is unclear keeps the ID of a task that stands far behind', () => {
		const body = { prompt: 'x'.repeat(700), task_id: 'task_abc' };
		expect(read('submit', 500, body)).toMatchObject({
			certainty: 'unclear',
			body: '..."task_id":"task_abc"}',
		});
		const record = { prompt: 'x'.repeat(700), data: { id: 'task_abc', status: 'queued' } };
		expect(read('submit', 500, record).body).toBe('...task_abc","status":"queued"}}');
	});

	it.each([
		['{"status_url":"https://a.example/x/1"}'],
		['{"urls":{"get":"https://a.example/x/1"}}'],
		['{"links":{"self":"/x/abc-1"}}'],
		['{"data":"task-abc-1"}'],
	])('that is unclear keeps what stands for an ID far behind: %s', (told) => {
		const body = told.replace('{', `{"prompt":"${'x'.repeat(700)}",`);
		expect(read('submit', 200, body).body).toMatch(/^\.{3}"(\w+)":"[^"]+1"\}+$/);
	});
});

describe('a task that an unclear answer to a submit names', () => {
	it.each<[string, number, unknown]>([
		['task_1', 409, { error: { message: 'So', existing_task: { id: 'task_1', status: 'x' } } }],
		['task_1', 409, { existing_task: 'task_1' }],
		['task_1', 409, { data: { existingTask: { model: 'a', task_id: 'task_1' } } }],
		['17', 409, { existing_task_id: 17 }],
		['task_1', 409, { duplicateTaskId: 'task_1' }],
		['task_1', 429, { running_tasks: ['task_1', 'task_2'] }],
		['task_1', 429, { active_tasks: [{ id: 'task_1' }] }],
		['task_1', 409, { message: JSON.stringify({ existing_task: { id: 'task_1' } }) }],
		['task_1', 409, { message: JSON.stringify({ existing_task: 'task_1' }) }],
		['task_1', 500, { task_id: 'task_1', message: 'So' }],
		['task_1', 500, { data: { id: 'task_1', status: 'queued' } }],
		['12345678901234567890', 500, '{"task_id":12345678901234567890}'],
	])('%s is kept, with %i and %j', (task_id, status, body) => {
		const failure = read('submit', status, body);
		expect(failure).toMatchObject({ certainty: 'unclear', task: { task_id } });
		expect(nextFor(failure)).toBe('checkUsage');
		expect(billedFor(failure)).toBe('unknown');
		expect(wordsFor(failure)).toMatchObject({
			message: expect.stringMatching(`^The video may or may not .* \\(task ${task_id}\\)$`),
			description: expect.stringMatching(/Look at it with Video Status before you do/),
		});
	});

	it('is kept from an answer that was cut off, but not half of an ID', () => {
		const cut = (begin: string) =>
			readFailure('submit', { network: 'unclear', code: 'X', message: 'Cut', begin }).task;
		expect(cut('{"task_id":"task_1","sta')).toEqual({ task_id: 'task_1' });
		expect(cut('{"task_id":17,"sta')).toEqual({ task_id: '17' });
		expect(cut('{"task_id":"task_1')).toBeUndefined();
		expect(cut('{"task_id":17')).toBeUndefined();
	});

	it.each<[number, unknown]>([
		[400, { error: { message: 'No such task', task: 'image-to-video', request_id: 'r' } }],
		[400, { message: 'So', existing_task: null, running_tasks: [] }],
		[429, { running_tasks: 0, max_tasks: 3 }],
		[400, { existing_task: {} }],
	])('is none, and the answer refuses, with %i and %j', (status, body) => {
		expect(read('submit', status, body)).toMatchObject({ certainty: 'refused' });
		expect(read('submit', status, body).task).toBeUndefined();
	});

	it.each<[number, unknown]>([
		...['id', 'job_id', 'video_id', 'uuid', 'generation_id', '_id'].map(
			(name): [number, unknown] => [200, { [name]: 'x', code: 400 }],
		),
		[200, { id: 17, code: '400', message: 'So', data: null }],
		[200, { code: 400, result: { id: 'x' } }],
		[200, { code: 'ali_api_error', id: 'x' }],
		[502, { id: 'x', code: 'fail', message: 'So', data: null }],
		[200, { id: 'x', error: { message: 'So', code: 429 } }],
		[503, { id: 'x', error: { message: 'So', code: '', type: 'new_api_error' } }],
		...[400, 403, 404, 415, 422, 429].flatMap((status): Array<[number, unknown]> => [
			[status, { id: 'x', message: 'So' }],
			[status, { id: 'x', error: { message: 'content-type' } }],
			[status, { data: { video_id: 'x' }, message: 'So' }],
			[status, { job_id: 'x', error: 'So' }],
		]),
	])('may hide behind an id without a plain refusal: %i and %j', (status, body) => {
		const task_id = JSON.stringify(body).includes('17') ? '17' : 'x';
		expect(read('submit', status, body)).toMatchObject({ certainty: 'unclear', task: { task_id } });
	});

	it.each<[number, unknown]>([
		[200, { id: '', code: 400 }],
		[200, { id: 0, code: 400 }],
		[200, { request_id: 'x', code: 400 }],
	])('does not hide behind a plain refusal: %i and %j', (status, body) => {
		expect(read('submit', status, body).certainty).toBe('refused');
	});
});

describe('a text that did not come', () => {
	it.each<[string, number, unknown]>([
		['refused', 503, google(503, 'UNAVAILABLE')],
		['refused', 503, shaped(503, 'upstream_error')],
		['refused', 503, shaped('service_unavailable')],
		['refused', 429, google(429, 'RESOURCE_EXHAUSTED')],
		['refused', 400, google(400, 'INVALID_ARGUMENT')],
		['refused', 200, PAGE],
		['unclear', 500, google(500, 'INTERNAL')],
		['unclear', 500, shaped('invalid_request')],
		['unclear', 503, PAGE],
		['unclear', 200, flat('success')],
	])('is %s with %d and %j', (kind, status, body) => {
		expect(read('text', status, body).certainty).toBe(kind);
	});
});
