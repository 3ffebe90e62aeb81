import fc from 'fast-check';

import { KEY } from './keyQuotes';
import type { Reply } from '../../services/support/serve';

/** Values as JSON texts, since not all of them can be written by `JSON.stringify`. */
const atom = fc.constantFrom(
	...['null', 'true', '0', '-1', '1e999', '200', '429', '503', '1712345678901234567890'],
	...['""', '" "', '"x"', '"constructor"', '"__proto__"', '"success"', '"SUCCESS"', '"FAILURE"'],
	...['"IN_PROGRESS"', '"STOP"', '"SAFETY"', '"task_1"', '{}', '[]', '[null]', '[[]]'],
	...['{"toString":1,"valueOf":1}', '{"toJSON":1,"then":1}', '"\\ud800"', '"\\u0000"'],
	...['{"__proto__":{"error":"x","status":"SUCCESS"}}', '"a\\nb: forged\\r\\u001b[2J\\u2028"'],
	...['"http://"', '"https://["', '"//x"', '"javascript:1"', '"={{ 1 }}"'],
	...[`"${'x'.repeat(20_000)}"`, `[${'{},'.repeat(20_000)}1]`],
	...[KEY, encodeURIComponent(KEY), KEY.replace('sk-', '')].map((key) => `"see ${key}!"`),
);

const name = fc.constantFrom(
	...['id', 'task_id', 'taskId', 'status', 'progress', 'result_url', 'fail_reason', 'url', 'model'],
	...['code', 'message', 'error', 'data', 'result', 'msg', 'detail', 'type', 'object', 'models'],
	...['candidates', 'content', 'parts', 'text', 'finishReason', 'finishMessage', 'thought'],
	...['usageMetadata', 'promptFeedback', 'blockReason', 'inlineData', 'mimeType', 'functionCall'],
	...['__proto__', 'constructor', 'toString', 'length', '0', KEY],
);

const toObject = (entries: Array<[string, string]>) =>
	`{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;

const { json } = fc.letrec<{ json: string; list: string; object: string }>((tie) => ({
	json: fc.oneof({ depthSize: 'small' }, atom, tie('object'), tie('object'), tie('list')),
	list: fc.array(tie('json'), { maxLength: 3 }).map((values) => `[${values.join(',')}]`),
	object: fc.array(fc.tuple(name, tie('json')), { maxLength: 6 }).map(toObject),
}));

/** Answers that are nearly right: their forms are, what stands in them is anything. */
const fill = (...texts: string[]) =>
	fc
		.tuple(fc.constantFrom(...texts), fc.array(json, { minLength: 4, maxLength: 4 }))
		.map(([text, values]) =>
			values.reduce((filled, value) => filled.replace('?', () => value), text),
		);
const nearly = fill(
	'{"task_id":"task_1","status":?,"url":?}',
	'{"code":?,"data":{"task_id":"task_1","status":?,"result_url":?,"fail_reason":?}}',
	'{"candidates":[{"content":{"parts":[?,?]},"finishReason":?}],"usageMetadata":?}',
	'{"candidates":[{"content":{"parts":[{"text":?}]},"finishReason":"STOP"}],"usageMetadata":?}',
	'{"code":?,"message":?,"error":?}',
);
const chunks = fc
	.array(fc.oneof(nearly, json), { maxLength: 4 })
	.map((values) => values.map((value) => `data: ${value}\n\n`).join(''));

const body = fc.oneof(
	...[json, nearly, nearly, chunks],
	fc.constantFrom('', '<html><title>x</title></html>', '<'.repeat(60_000), '{"a":', '\uFEFF{}'),
	fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
);

const among = (...values: string[]) => fc.constantFrom(...values);
const headers = fc.record(
	{
		'content-type': among('', 'text/html', 'video/mp4', 'a/b;'.repeat(99)),
		'retry-after': among('0', '-1', '1e9', 'soon', '9'.repeat(400), 'Thu, 01 Jan 1970 00:00 GMT'),
		location: among('', '..', 'http://', '//[', 'javascript:1', `/${KEY}`, 'http://127.0.0.1:1/'),
		etag: among('"', '\u00ff', KEY),
		'content-encoding': among('gzip', 'br', 'none'),
	},
	{ requiredKeys: [] },
);

const status = fc.oneof(
	{ arbitrary: fc.constant(200), weight: 3 },
	fc.constantFrom(201, 204, 206, 301, 302, 304, 307, 400, 401, 403, 404, 408, 409, 416),
	fc.constantFrom(429, 499, 500, 502, 503, 524, 600, 999),
);

/** Any status, any headers, any body. */
export const anyAnswer = fc.tuple(status, body, headers) as fc.Arbitrary<Reply>;
