import { brotliDecompressSync, gunzipSync, inflateSync } from './zip';
import { bursts, empty, ends, errorShape, html, json, panic, type Checks } from './replies';

/** Of every fault that is about how an answer travels, or what becomes of the task. */
export const WIRE_FAULT_CHECKS: Checks = {
	wrongContentType: [
		'poll',
		({ headers, json: body }) => {
			expect(headers['content-type']).toMatch(/^text\/plain/);
			expect(body.data.status).toBe('SUCCESS');
		},
	],
	reset: ['poll', ends('reset')],
	cut: [
		'poll',
		(reply) => {
			ends('cut', 200)(reply);
			expect(reply.bytes).toHaveLength(40);
		},
	],
	cutAfter: [
		'content',
		(reply) => {
			ends('cut', 200)(reply);
			expect(reply.bytes).toHaveLength(1000);
			expect(Number(reply.headers['content-length'])).toBeGreaterThan(1000);
		},
	],
	silentCut: [
		'content',
		(reply) => {
			ends('whole', 200)(reply);
			expect(reply.bytes).toHaveLength(1000);
			expect(reply.headers).not.toHaveProperty('content-length');
			expect(reply.headers).not.toHaveProperty('transfer-encoding');
		},
	],
	stall: [
		'content',
		(reply) => {
			ends('gaveUp', 200)(reply);
			expect(reply.bytes).toHaveLength(1000);
		},
	],
	trickle: ['content', ends('whole', 200)],
	rangeIgnored: ['content', ends('whole', 200)],
	rangeElsewhere: [
		'content',
		({ headers }) => expect(headers['content-range']).toBe('bytes 7-99/100'),
	],
	rangeOtherTag: ['content', ({ headers }) => expect(headers.etag).toBe('"another-file"')],
	gzipBomb: ['poll', bursts('gzip', gunzipSync)],
	deflateBomb: ['poll', bursts('deflate', inflateSync)],
	brotliBomb: ['poll', bursts('br', brotliDecompressSync)],
	endless: [
		'poll',
		(reply) => {
			ends('gaveUp', 200)(reply);
			expect(reply.headers['content-encoding']).toBe('gzip');
		},
	],
	drip: [
		'poll',
		(reply) => {
			ends('gaveUp', 200)(reply);
			expect(reply.text).toBe('{');
		},
	],
	dripHead: ['poll', ends('gaveUp')],
	hang: ['poll', ends('gaveUp')],
	slow: ['poll', ends('gaveUp')],
	noLength: [
		'content',
		(reply) => {
			ends('whole', 200)(reply);
			expect(reply.headers['transfer-encoding']).toBe('chunked');
			expect(reply.headers).not.toHaveProperty('content-length');
			expect(reply.bytes.toString('latin1', 4, 8)).toBe('ftyp');
		},
	],
	octetStream: [
		'content',
		({ headers, bytes }) => {
			expect(headers['content-type']).toBe('application/octet-stream');
			expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
		},
	],
	redirectLoop: [
		'content',
		({ status, headers }) => {
			expect(status).toBe(302);
			expect(headers.location).toMatch(/^http:.*\/content\?.*to=loop/);
		},
	],
	acceptThenCut: ['submit', ends('cut', 200)],
	acceptThen500: ['submit', errorShape(500, 'do_request_failed')],
	acceptThen502: ['submit', html(502)],
	acceptThen503: ['submit', html(503)],
	acceptThen504: ['submit', html(504)],
	acceptThenEmpty200: ['submit', empty(200)],
	acceptThenHtml200: ['submit', html(200)],
	acceptThenNoId: ['submit', json({ code: 200, msg: 'OK', data: {} })],
	acceptThenPanic: ['submit', panic],
	acceptThenHang: ['submit', ends('gaveUp')],
	acceptThenReset: ['submit', ends('reset')],
};
