import type { GenerateResult } from '../../../../nodes/shared/service/textApi';
import { createLimiter } from '../../../../nodes/shared/lib/turns';
import {
	delayMs,
	readRetryAfter,
	sendPaid,
	toPaidTrouble,
} from '../../../../nodes/shared/service/paid';

const PAGE = '<html><head><title>Sorry</title></head><body>Ray 8f3a</body></html>';
const flat = (code: unknown, data: unknown = null) => ({ code, message: 'So', data });
const shaped = (code: unknown, type: unknown = 'new_api_error') => ({
	error: { message: 'So', type, code },
});
const google = (code: number, status: string) => ({ error: { code, message: 'So', status } });

const meaning = (status: number, body: unknown, endpoint?: 'video') => {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return toPaidTrouble({ status, headers: {}, body: text }, endpoint);
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
	])('is refused with %d and %j', (status, body) => {
		const { kind, trouble } = meaning(status, body, 'video');
		expect({ kind, body: trouble.body }).toEqual({ kind: 'refused' });
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
		// Nobody knows what this says.
		[200, flat('invalid_param')],
		[200, { code: 'quota', msg: 'So' }],
		[200, shaped('denied', 'x')],
		// It names a task, be it an earlier one.
		[400, { ...flat('duplicate'), task_id: 'task_1' }],
		[429, { error: { message: 'So', task: { taskId: 17 } } }],
		[429, { id: 'task_1', object: 'video' }],
		[429, [{ data: { id: 17, status: 'queued' } }]],
		[429, { message: JSON.stringify({ task_id: 'task_1' }) }],
		[200, flat(500)],
		[200, flat(408)],
		[200, shaped('')],
		[200, { success: true }],
		[200, ''],
		[200, PAGE],
		[204, ''],
	])('is unclear with %d and %j', (status, body) => {
		expect(meaning(status, body, 'video').kind).toBe('unclear');
	});

	it.each([
		[flat(0), '{"code":0,"message":"So","data":null}'],
		[PAGE, 'Sorry Ray 8f3a'],
		['a\r\nb\u0000\u001b[1m', 'a b [1m'],
		['x'.repeat(900), `${'x'.repeat(500)}...`],
		['', undefined],
	])('that is unclear keeps what was sent, on one line: %j', (body, kept) => {
		expect(meaning(200, body, 'video').trouble.body).toBe(kept);
	});

	it('that is unclear keeps the ID of a task that stands far behind', () => {
		const body = { prompt: 'x'.repeat(700), task_id: 'task_abc' };
		const { kind, trouble } = meaning(500, body, 'video');
		expect({ kind, body: trouble.body }).toEqual({
			kind: 'unclear',
			body: '..."task_id":"task_abc"}',
		});
		const record = { prompt: 'x'.repeat(700), data: { id: 'task_abc', status: 'queued' } };
		expect(meaning(500, record, 'video').trouble.body).toBe('...task_abc","status":"queued"}}');
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
		expect(meaning(status, body).kind).toBe(kind);
	});
});

const refused = (httpCode?: number, code?: string, retryable = true) =>
	({ kind: 'refused', trouble: { message: 'No', httpCode, code, retryable } }) as const;

const ANSWERED: GenerateResult = { kind: 'answered', answer: {} };
const UNCLEAR: GenerateResult = { ...refused(429), kind: 'unclear' };

function setUp(
	results: GenerateResult[],
	{ stopAfterPauses = Infinity, maxPauseMs = Infinity } = {},
) {
	const stop = new AbortController();
	const pauses: number[] = [];
	const ends: GenerateResult[] = [];
	const limiter = createLimiter(1, stop.signal);
	let sent = 0;
	const sending = {
		limiter,
		maxPauseMs,
		clock: {
			now: () => 0,
			random: () => 0,
			pause: async (ms: number) => {
				pauses.push(ms);
				// The place is free while one waits: with a limit of 1 this would hang otherwise.
				await limiter(async () => {});
				if (pauses.length >= stopAfterPauses) stop.abort();
			},
		},
	};
	const send = async () => results[Math.min(sent++, results.length - 1)];
	const run = async () => await sendPaid(send, sending, (end) => ends.push(end));
	return { run, limiter, pauses, ends, stop, sent: () => sent };
}

describe('sendPaid', () => {
	it.each([
		[429, undefined],
		[503, 'system_cpu_overloaded'],
		[503, 'service_unavailable'],
		[400, 'rate_limit_exceeded'],
	])('sends again after %d %s, which passes, with doubled delays', async (status, code) => {
		const no = refused(status, code);
		const { run, pauses, ends } = setUp([no, no, ANSWERED]);
		expect(await run()).toBe(ANSWERED);
		expect([pauses, ends]).toEqual([[1_000, 2_000], [ANSWERED]]);
	});

	it('waits as long as Retry-After says', async () => {
		const { run, pauses } = setUp([{ ...refused(429), retryAfterMs: 7_000 }, ANSWERED]);
		await run();
		expect(pauses).toEqual([7_000]);
	});

	it.each([
		[UNCLEAR],
		[refused(500)],
		[refused(503, 'model_unavailable')],
		[refused(502, 'fail_to_fetch_task')],
		[refused(401)],
		[refused(503, 'overloaded', false)],
	])('sends once where %j comes', async (result) => {
		const { run, sent, ends } = setUp([result, ANSWERED]);
		expect(await run()).toBe(result);
		expect([sent(), ends]).toEqual([1, [result]]);
	});

	it.each([
		[429, 9],
		[undefined, 3],
	])('gives up on status %j after %i tries', async (status, tries) => {
		const { run, sent, ends } = setUp([refused(status)]);
		expect(await run()).toMatchObject({ kind: 'refused' });
		expect([sent(), ends.length]).toEqual([tries, 1]);
	});

	it('makes nobody wait longer than they would', async () => {
		const { run, pauses } = setUp([refused(429)], { maxPauseMs: 3_000 });
		expect(await run()).toMatchObject({ kind: 'refused' });
		expect(pauses).toEqual([1_000, 2_000]);
	});

	it('sends nothing once it is stopped', async () => {
		const first = setUp([ANSWERED]);
		first.stop.abort();
		expect(await first.run()).toBeUndefined();
		expect([first.sent(), first.ends]).toEqual([0, []]);
		const second = setUp([refused(429)], { stopAfterPauses: 2 });
		expect(await second.run()).toBeUndefined();
		expect([second.sent(), second.ends]).toEqual([2, []]);
	});

	it('tells the end before its place goes to the next request', async () => {
		const { run, limiter, ends } = setUp([refused(401)]);
		const running = run();
		expect(await limiter(async () => [...ends])).toEqual([refused(401)]);
		await running;
	});

	it('leaves its place where sending throws', async () => {
		const { run, limiter } = setUp([]);
		await expect(run()).rejects.toThrow();
		expect(await limiter(async () => 'next')).toBe('next');
	});

	it('spreads the tries of a batch', () => expect(delayMs(1, 1)).toBe(750));
});

describe('readRetryAfter', () => {
	const read = (value?: string) =>
		readRetryAfter({ status: 429, body: '', headers: value ? { 'retry-after': value } : {} });

	it('reads a date', () => {
		const ms = read(new Date(Date.now() + 30_000).toUTCString());
		expect(ms).toBeGreaterThan(20_000);
		expect(ms).toBeLessThanOrEqual(30_000);
	});

	it('waits for two minutes at most', () => {
		expect(read('86400')).toBe(120_000);
		expect(read('Fri, 01 Jan 2100 00:00:00 GMT')).toBe(120_000);
	});

	it.each([undefined, '-5', 'soon', 'Thu, 01 Jan 1970 00:00:00 GMT'])('ignores %p', (value) => {
		expect(read(value)).toBeUndefined();
	});
});
