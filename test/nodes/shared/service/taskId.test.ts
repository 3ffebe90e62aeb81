import fc from 'fast-check';

import { parseExactJson } from '../../../../nodes/shared/lib/json';
import { idsOf, readTaskId } from '../../../../nodes/shared/service/taskId';

const ok = (data: unknown) => ({ code: 'success', message: '', data });

describe('readTaskId finds the id', () => {
	it.each<[string, unknown]>([
		['as documented', { id: 't', task_id: 't', object: 'video', status: 'queued', progress: 0 }],
		['alone', { id: 't' }],
		['in the data', ok({ task_id: 't' })],
		['in camel case', { code: 0, message: 'ok', data: { taskId: 't' } }],
		['in a list', { data: [{ id: 't' }] }],
		['in a list alone', [{ id: 't' }]],
		['of the first of many', { data: [{ id: 't' }, { id: 'u' }] }],
		['in a result', { result: { id: 't' } }],
		['two levels down', { data: { video: { task_id: 't' } } }],
		['under names that nobody knows', { anything: { at: { all: [[{ id: 't' }]] } } }],
		['under a name that only begins like one of others', { modelling: { id: 't' } }],
		['beside data without one', { id: 't', data: { url: '' } }],
		['beside an empty name', { id: 't', task_id: '', taskId: ' ' }],
		['beside an error that is none', { id: 't', error: null, errors: [] }],
		['beside an error without words', ok({ id: 't', error: { code: '', message: '' } })],
		['of a task that was refused later', { id: 't', status: 'failed', error: { message: 'No' } }],
		['in an answer that says no, by a name that says whose', { code: 'odd', task_id: 't' }],
		['behind a code that nobody knows', { code: 'S0000', data: { id: 't' } }],
	])('%s', (_where, answer) => {
		expect(readTaskId(answer)).toBe('t');
	});

	it.each<[string, unknown]>([
		['record over envelope', { id: 'request', data: { id: 't' } }],
		['record over envelope with a state', { id: 'r', status: 'success', data: { id: 't' } }],
		['record over envelope of a result', { id: 'r', status: 'completed', output: [{ id: 't' }] }],
		['inner over outer', { task_id: 'r', data: { task_id: 't' } }],
		['record over what is inside', { id: 't', status: 'queued', data: { id: 'vendor' } }],
		['the gateway over its vendor', { task_id: 't', data: { id: 'vendor', status: 'queued' } }],
		[
			'the gateway over its vendor in the poll shape',
			ok({ id: 1001, task_id: 't', status: 'NOT_START', data: { task_id: 'v', status: 'queued' } }),
		],
		['the own name over a row of a table', ok({ id: 1001, task_id: 't' })],
		['a name over the order of keys', { id: 'row', taskId: 't' }],
		['record over the content of an envelope', { id: 't', progress: 0, data: { id: 'x' } }],
		['task over its picture', { id: 't', thumbnail: { id: 'file' } }],
		['task over its video', { id: 't', object: 'video', video: { id: 'file' } }],
		['task over user', { user: { id: 'u' }, id: 't' }],
		['task over the one before', { id: 't', previous_task: { task_id: 'u' } }],
		['task over what was asked', { request: { task_id: 'u' }, data: { id: 't' } }],
	])('prefers %s', (_what, answer) => {
		expect(readTaskId(answer)).toBe('t');
	});

	it('takes numbers', () => {
		expect(readTaskId({ task_id: 17 })).toBe('17');
		expect(idsOf({ id: 1, task_id: '2', taskId: ' 3 ' })).toEqual(['2', '3', '1']);
	});
});

describe('readTaskId finds no id', () => {
	it.each<[unknown]>([
		[null],
		['task_a'],
		[{}],
		[ok('task_a')],
		[ok(['task_a'])],
		[{ id: '', task_id: ' ' }],
		[{ id: 0, task_id: -1, taskId: 1.5 }],
		[{ id: true, task_id: { a: 1 }, taskId: [] }],
		[{ code: 'invalid_param', message: 'The prompt is too long', data: 'prompt' }],
		[{ code: 'invalid_param', message: 'No', id: 'err_1' }],
		[{ code: 422, message: 'No', id: 'err_1' }],
		[{ error: { id: 'err_1', task_id: 'err_1', message: 'No' } }],
		[{ error: { message: 'No', code: 'x' }, id: 'req_1' }],
		[{ error: 'No', id: 'req_1' }],
		[{ errors: [{ id: 'err_1' }] }],
		[{ object: 'error', id: 'err_1' }],
		[ok({ request_id: 'r', requestId: 'r', trace_id: 'r', traceId: 'r', request: { id: 'r' } })],
		[ok({ user_id: 7, user: { id: 7 }, userInfo: { id: 7 }, owner: { id: 7 } })],
		[ok({ model: { id: 'veo' }, video_model: { id: 'veo' }, models: [{ id: 'veo' }] })],
		[ok({ channel_id: 12, channel: { id: 12 }, token: { id: 3 }, metadata: { id: 'x' } })],
		[{ object: 'list', data: [{ id: 'veo', object: 'model' }] }],
		[ok({ parent: { task_id: 'before' }, remixed_from: { id: 'before' } })],
	])('in %j', (answer) => {
		expect(readTaskId(answer)).toBeUndefined();
	});
});

describe('readTaskId, whatever comes', () => {
	const NAMES = ['task_id', 'taskId', 'id'];
	const KEYS = ['data', 'result', 'video', 'list', 'x', 'response', 'Tasks', '', '__proto__'];
	/** No word of three letters: some, such as `err` or `user`, say that what is inside is no task. */
	const anyName = fc.string().filter((name) => !/[a-z]{3}/i.test(name));
	const key = fc.oneof(fc.constantFrom(...KEYS), anyName);
	const id = fc.oneof(fc.uuid(), fc.stringMatching(/^task_\w{4,200}$/));
	const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
	/** Names of fields that are not the id's, and mean nothing to the reader. */
	const other = fc
		.string()
		.filter((name) => ![...NAMES, 'code', 'error', 'object', 'status', 'progress'].includes(name));
	const fields = fc.dictionary(other, scalar, { maxKeys: 5 });
	const envelope = fc.array(fc.tuple(key, fields, fc.boolean()), { maxLength: 8 });

	/** As JSON, because `__proto__` is no ordinary name in an object that is written down. */
	const wrap = (inner: string, [outer, more, isList]: [string, object, boolean]) => {
		const named = [...Object.entries(more).map(([name, value]) => [name, JSON.stringify(value)])];
		const all = [...named, [outer, isList ? `[${inner}]` : inner]];
		return `{${all.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
	};

	it('finds an id under its names in any envelope', () => {
		const name = fc.constantFrom(...NAMES);
		const number = fc.bigInt({ min: 1n, max: 2n ** 64n });
		const planted = fc.oneof(
			id.map((text) => [JSON.stringify(text), text]),
			number.map((n) => [`${n}`, `${n}`]),
		);
		fc.assert(
			fc.property(name, planted, fields, envelope, (called, [json, value], beside, around) => {
				const record = wrap(json, [called, beside, false]);
				expect(readTaskId(parseExactJson(around.reduce(wrap, record)))).toBe(value);
			}),
			{ numRuns: 3_000 },
		);
	});

	it('never finds one under other names', () => {
		const json = fc.letrec((tie) => ({
			value: fc.oneof({ maxDepth: 5 }, id, scalar, tie('object'), fc.array(tie('value'))),
			object: fc.dictionary(other, tie('value'), { maxKeys: 5 }),
		})).value;
		fc.assert(
			fc.property(json, (answer) => expect(readTaskId(answer)).toBeUndefined()),
			{ numRuns: 3_000 },
		);
	});

	it('never throws', () => {
		const anything = fc.anything({ withNullPrototype: true, withObjectString: true });
		const shape = {
			id: anything,
			task_id: anything,
			code: anything,
			error: anything,
			data: anything,
		};
		fc.assert(
			fc.property(fc.oneof(anything, fc.record(shape, { requiredKeys: [] })), (answer) => {
				const found = readTaskId(answer);
				if (found !== undefined) expect(found.trim()).not.toBe('');
			}),
			{ numRuns: 3_000 },
		);
	});

	it('is quick with an answer that is deep, and with one that is wide', () => {
		const depth = 50_000;
		const deep = JSON.parse(`${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`) as unknown;
		const wide = Array.from({ length: depth }, (_, i) => ({
			code: 'x',
			id: i + 1,
			[`key${i}`]: {},
		}));
		const started = Date.now();
		expect([readTaskId(deep), readTaskId(wide)]).toEqual([undefined, undefined]);
		expect(Date.now() - started).toBeLessThan(5_000);
	});
});
