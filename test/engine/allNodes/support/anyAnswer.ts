import fc from 'fast-check';

import type { Reply } from '../../services/support/serve';

export const KEY = 'sk-Secret/key+1';

/** Values as JSON texts, since not all of them can be written by `JSON.stringify`. */
const atom = fc.constantFrom(
	...['null', 'true', '0', '-1', '1e999', '1712345678901234567890', '{}', '[]', '[null]'],
	...[
		'""',
		'" "',
		'"constructor"',
		'"SUCCESS"',
		'"FAILURE"',
		'"IN_PROGRESS"',
		'"STOP"',
		'"task_1"',
	],
	...['{"toString":1,"valueOf":1}', '{"toJSON":1,"then":1}', '"\\ud800"', '"\\u0000"'],
	...['"a\\nb: forged\\r\\u001b[2J\\u2028"', '"https://["', '"javascript:1"', '"={{ 1 }}"'],
	...[`"${'x'.repeat(20_000)}"`, `[${'{},'.repeat(20_000)}1]`, `"see ${KEY}!"`],
);

/** Answers that are nearly right: their forms are, what stands in them is anything. */
const nearly = fc
	.tuple(
		fc.constantFrom(
			'?',
			'{"task_id":"task_1","status":?,"url":?}',
			'{"code":?,"data":{"task_id":"task_1","status":?,"result_url":?,"fail_reason":?}}',
			'{"candidates":[{"content":{"parts":[?,?]},"finishReason":?}],"usageMetadata":?}',
			'{"candidates":[{"content":{"parts":[{"text":?}]},"finishReason":"STOP"}],"usageMetadata":?}',
			'{"code":?,"message":?,"error":?}',
		),
		fc.array(atom, { minLength: 4, maxLength: 4 }),
	)
	.map(([text, values]) =>
		values.reduce((filled, value) => filled.replace('?', () => value), text),
	);
const chunks = fc
	.array(nearly, { maxLength: 4 })
	.map((values) => values.map((value) => `data: ${value}\n\n`).join(''));

const body = fc.oneof(
	...[nearly, nearly, chunks],
	fc.constantFrom('', '<html><title>x</title></html>', '{"a":', '\uFEFF{}'),
	fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
);

const headers = fc.record(
	{
		'content-type': fc.constantFrom('', 'text/html', 'video/mp4', 'a/b;'.repeat(99)),
		'retry-after': fc.constantFrom('0', '-1', '1e9', 'soon', '9'.repeat(400)),
		location: fc.constantFrom('', '..', 'http://', '//[', 'javascript:1', `/${KEY}`),
		'content-encoding': fc.constantFrom('gzip', 'br', 'none'),
	},
	{ requiredKeys: [] },
);

const status = fc.oneof(
	{ arbitrary: fc.constant(200), weight: 3 },
	fc.constantFrom(204, 206, 302, 304, 400, 401, 404, 408, 409, 429, 499, 500, 503, 524, 999),
);

/** Any status, any headers, any body. */
export const anyAnswer = fc.tuple(status, body, headers) as fc.Arbitrary<Reply>;

const answer = (code: number, value: unknown, type = 'application/json'): Reply => [
	...([code, value, { 'content-type': type }] as const),
];
const refusal = { error: { message: KEY, code: KEY, type: KEY }, message: KEY, code: KEY };
const task = (state: string) => ({
	...{ task_id: 'task_1', status: state, model: KEY, [KEY]: KEY },
	...{ fail_reason: `Because ${KEY}`, result_url: `http://127.0.0.1:9/?k=${KEY}` },
});
const generated = (...parts: object[]) => ({
	candidates: [{ content: { parts }, finishReason: 'STOP', finishMessage: KEY }],
	modelVersion: KEY,
});
const HALVES = [{ text: `See ${KEY.slice(0, 9)}` }, { text: KEY.slice(9) }];
/** Three boxes: what kind of file it is, and that there is nothing to play. */
const FILM = '\0\0\0\x10ftypisom\0\0\0\0\0\0\0\x08moov\0\0\0\x08mdat';

/** Answers that quote the key in every place where words of a service are shown. */
export const keyQuotes: Reply[] = [
	...[400, 200].map((code) => answer(code, refusal)),
	answer(502, `<html><title>${KEY}</title></html>`, 'text/html'),
	...['SUCCESS', 'FAILURE', KEY].map((state) => answer(200, { data: task(state) })),
	answer(200, generated(...HALVES)),
	answer(200, generated({ inlineData: { mimeType: `image/png; key=${KEY}`, data: 'iVBORw0=' } })),
	answer(200, { promptFeedback: { blockReason: KEY, blockReasonMessage: KEY } }),
	answer(200, FILM, `video/${KEY}`),
	answer(
		200,
		HALVES.map((half) => `data: ${JSON.stringify(generated(half))}\n\n`).join(''),
		'text/event-stream',
	),
];
