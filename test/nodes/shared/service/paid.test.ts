import { toPaidTrouble } from '../../../../nodes/shared/service/paid';
import type { Endpoint } from '../../../../nodes/shared/service/refusal';

const PAGE = '<html><head><title>Sorry</title></head><body>Ray 8f3a</body></html>';
const flat = (code: unknown, data: unknown = null) => ({ code, message: 'So', data });
const shaped = (code: unknown, type: unknown = 'new_api_error') => ({
	error: { message: 'So', type, code },
});
const google = (code: number, status: string) => ({ error: { code, message: 'So', status } });

const meaning = (status: number, body: unknown, endpoint?: Endpoint) => {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return toPaidTrouble({ status, headers: {}, body: text }, endpoint);
};

describe('a submit without an id', () => {
	it.each<[number, unknown]>([
		// By the status: whoever said it had not handed the request on.
		...[301, 302, 307, 308, 400, 401, 402, 403, 404, 405, 409, 410, 411, 413, 414, 415].flatMap(
			(status): Array<[number, unknown]> => [
				[status, PAGE],
				[status, ''],
				[status, flat('x')],
			],
		),
		...[422, 429, 431, 451].map((status): [number, unknown] => [status, PAGE]),
		// By the gateway's own shape: the money was given back.
		...[408, 499, 500, 501, 502, 503, 504, 524].map((status): [number, unknown] => [
			status,
			flat('fail_to_fetch_task'),
		]),
		[500, flat('50413')],
		[503, flat('model_not_found')],
		[503, shaped('model_not_found')],
		[503, shaped('model_not_found', 'x')],
		[503, shaped('')],
		[503, shaped('system_cpu_overloaded', 'x')],
		[200, flat('ali_api_error')],
		[200, flat('invalid_param', 'prompt')],
		[200, flat('invalid_param', {})],
		[200, { code: 'quota', msg: 'So' }],
		[200, flat(400)],
		[200, flat('403')],
		[200, flat(false)],
		[200, shaped('denied')],
	])('is refused with %d and %j', (status, body) => {
		const { kind, trouble } = meaning(status, body, 'video');
		expect({ kind, body: trouble.body }).toEqual({ kind: 'refused' });
	});

	it.each<[number, unknown]>([
		...[300, 303, 304, 408, 460, 499, 500, 501, 502, 503, 504, 507, 520, 521, 524, 529].flatMap(
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
		[503, flat('overloaded', {})],
		[500, flat('')],
		[500, flat('success')],
		[500, flat('0')],
		[500, flat('200')],
		[503, { code: 14, message: 'upstream connect error', details: [] }],
		// What fell over, or what the vendor may have begun.
		[500, shaped('', 'new_api_panic')],
		[503, shaped('overloaded', 'new_api_panic')],
		[200, shaped('x', 'new_api_panic')],
		[500, shaped('do_request_failed')],
		[502, shaped('', 'server_error')],
		[503, shaped(503, 'upstream_error')],
		[503, google(503, 'UNAVAILABLE')],
		// All went well, as far as anybody says.
		...[0, '0', 1, 200, '200', 201, 'ok', 'OK', ' Ok ', 'success', 'SUCCESS', true].flatMap(
			(code): Array<[number, unknown]> => [
				[200, flat(code)],
				[200, flat(code, { url: '' })],
				[202, flat(code, 'task')],
			],
		),
		// Nobody knows what this says.
		[200, flat(500)],
		[200, flat(-1)],
		[200, flat(1001)],
		[200, flat(408)],
		[200, flat('odd', { url: '' })],
		[200, shaped('')],
		[200, { success: true }],
		[200, []],
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
		['<xml/>', '<xml/>'],
	])('that is unclear keeps what was sent, on one line: %j', (body, kept) => {
		expect(meaning(200, body, 'video').trouble.body).toBe(kept);
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
		['unclear', 504, google(504, 'DEADLINE_EXCEEDED')],
		['unclear', 500, shaped('invalid_request')],
		['unclear', 503, PAGE],
		['unclear', 503, ''],
		['unclear', 200, flat('success')],
	])('is %s with %d and %j', (kind, status, body) => {
		expect(meaning(status, body).kind).toBe(kind);
	});
});
