'use strict';

const { consolePage, gateway, gatewayPanic, proxyPage } = require('./errorShapes');
const { successWithoutId } = require('./errorShapes');

// Faults of the way between service and client: what happens to an answer that was right, and
// submits that are accepted, and charged, although the client never learns of it.

const BOMB_BYTES = 200 * 1024 * 1024;

const HALF_ANSWER = {
	status: 200,
	headers: { 'content-type': 'application/json' },
	text: '{"code":"success","data":{"task_id":"task_0123456789abcdef","status":"IN_PROGRESS"}}',
	cutAfterBytes: 40,
};

/** A submit that is cut must not create a task, so its answer is not the ordinary one. */
const cut = (place) => (place === 'content' ? { cutAfterBytes: 1000 } : HALF_ANSWER);

/** @type {import('./faults').FaultTable} */
const WIRE_FAULTS = {
	wrongContentType: {
		about: 'the ordinary answer, labelled text/plain',
		change: { headers: { 'content-type': 'text/plain; charset=utf-8' } },
	},
	reset: { about: 'connection reset before the answer', change: { socket: 'reset' } },
	cut: { about: 'headers and part of the body, then the connection ends', change: cut },
	cutAfter: {
		about: 'the ordinary answer, cut after 1000 bytes ({"cutAfterBytes":N} for another number)',
		change: { cutAfterBytes: 1000 },
	},
	silentCut: {
		about:
			'no Content-Length, closed after 1000 bytes: nothing in HTTP shows that it is incomplete',
		change: { closeDelimited: true, cutAfterBytes: 1000 },
	},
	stall: {
		about: 'the ordinary answer stops after 1000 bytes and the connection stays open',
		change: { stallAfterBytes: 1000 },
	},
	trickle: {
		about: 'the ordinary answer in pieces of at most 64 KiB, 100 ms apart (or `pieceDelayMs`)',
		change: { pieceDelayMs: 100 },
	},
	rangeIgnored: {
		about: 'the whole file, whatever part of it was requested',
		change: { ignoreRange: true },
	},
	rangeElsewhere: {
		about: 'a Content-Range other than the requested part',
		change: { headers: { 'content-range': 'bytes 7-99/100' } },
	},
	rangeOtherTag: {
		about: 'the ordinary answer with the ETag of another file',
		change: { headers: { etag: '"another-file"' } },
	},
	gzipBomb: {
		about: 'the ordinary answer and 200 MiB of spaces, as 200 kB of gzip',
		change: { encoding: 'gzip', padBytes: BOMB_BYTES },
	},
	deflateBomb: {
		about: 'the same as deflate',
		change: { encoding: 'deflate', padBytes: BOMB_BYTES },
	},
	brotliBomb: {
		about: 'the same as br',
		change: { encoding: 'br', padBytes: BOMB_BYTES },
	},
	endless: {
		about: 'the ordinary answer and spaces that never end, compressed',
		change: { encoding: 'gzip', padBytes: Number.MAX_SAFE_INTEGER },
	},
	drip: {
		about: 'the body byte by byte, 500 ms apart (or `dripMs`)',
		change: { dripMs: 500 },
	},
	dripHead: {
		about: 'status and headers byte by byte, 500 ms apart (or `dripHeadMs`), without an end',
		change: { dripHeadMs: 500 },
	},
	hang: { about: 'never answers', change: { socket: 'hang' } },
	slow: { about: 'the ordinary answer, 1000 ms late (or `delayMs`)', change: { delayMs: 1000 } },
	noLength: { about: 'chunked, no Content-Length', change: { noLength: true } },
	octetStream: {
		about: 'the ordinary answer as application/octet-stream',
		change: { headers: { 'content-type': 'application/octet-stream' } },
	},
	redirectLoop: { about: '302 to itself forever', change: { redirect: 302, to: 'loop' } },
	acceptThenCut: {
		about: 'the task is created; its answer is cut',
		change: { accept: true, cutAfterBytes: 20 },
	},
	acceptThen500: {
		about: 'the task is created; the answer is json500',
		change: {
			accept: true,
			...gateway(500, 'do_request_failed', 'upstream error: do request failed'),
		},
	},
	acceptThen502: {
		about: 'the task is created; the answer is html502',
		change: { accept: true, ...proxyPage(502, 'Bad Gateway') },
	},
	acceptThen503: {
		about: 'the task is created; the answer is html503',
		change: { accept: true, ...proxyPage(503, 'Service Unavailable') },
	},
	acceptThen504: {
		about: 'the task is created; the answer is html504',
		change: { accept: true, ...proxyPage(504, 'Gateway Time-out') },
	},
	acceptThenEmpty200: {
		about: 'the task is created; 200 without a body',
		change: { accept: true, status: 200, text: '' },
	},
	acceptThenHtml200: {
		about: 'the task is created; the answer is html200',
		change: { accept: true, ...consolePage() },
	},
	acceptThenNoId: {
		about: 'the task is created; the answer is noId',
		change: { accept: true, ...successWithoutId() },
	},
	acceptThenPanic: {
		about: 'the task is created; the answer is panic500',
		change: { accept: true, ...gatewayPanic() },
	},
	acceptThenHang: {
		about: 'the task is created; no answer',
		change: { accept: true, socket: 'hang' },
	},
	acceptThenReset: {
		about: 'the task is created; the connection is reset',
		change: { accept: true, socket: 'reset' },
	},
};

module.exports = { WIRE_FAULTS };
