import fc from 'fast-check';

import { isSameTask, readTaskIds } from '../../../../nodes/shared/service/taskIds';

const ok = (data: unknown) => ({ code: 'success', message: '', data });

describe('readTaskIds finds the id', () => {
	it.each<[string, unknown]>([
		['as documented', { id: 't', task_id: 't', object: 'video', status: 'queued', progress: 0 }],
		['alone', { id: 't' }],
		['in camel case', { code: 0, message: 'ok', data: { taskId: 't' } }],
		['of a task', { task: { id: 't' } }],
		['of a task in a result', { result: { id: 'r', task: { id: 't' } } }],
		['in an output', { request_id: 'r', output: { task_id: 't', task_status: 'PENDING' } }],
		['beside data without one', { id: 't', data: { url: '' } }],
		['beside an empty name', { id: 't', task_id: '', taskId: ' ' }],
		['beside an error without words', ok({ id: 't', error: { code: '', message: '' } })],
		['of a task that was refused later', { id: 't', status: 'failed', error: { message: 'No' } }],
		['in an answer that says no, by a name that says whose', { code: 'odd', task_id: 't' }],
		['behind a code that nobody knows', { code: 'S0000', data: { id: 't' } }],
		['record over what is inside', { id: 't', status: 'queued', data: { id: 'vendor' } }],
		['the gateway over its vendor', { task_id: 't', data: { id: 'vendor', status: 'queued' } }],
		['the own name over a row of a table', ok({ id: 1001, task_id: 't' })],
		['task over its video', { id: 't', object: 'video', video: { id: 'file' } }],
		['task over the one before', { id: 't', previous_task: { task_id: 'u' } }],
		['task over what was asked', { request: { task_id: 'u' }, data: { id: 't' } }],
		['of a request without a code', { request_id: 't' }],
		['of a video in an envelope', { data: { videoId: 't' } }],
		['of a prediction', { prediction_id: 't', status: 'starting' }],
		['of a generation', { code: 0, data: { generation_id: 't' } }],
		['of a job over its request', { jobId: 't', request_id: 'r' }],
		['over all other names', { id: 't', request_id: 'r', video_id: 'v' }],
		['beside words and a state', { id: 't', status: 'MODERATING', error: { message: 'Wait' } }],
		['of a job, likewise', { job_id: 't', status: 'queued', error: { message: 'Wait' } }],
		...['job', 'generation', 'prediction'].map((object): [string, object] => [
			`of a ${object}`,
			{ id: 't', object },
		]),
		['beside an error that is none', { id: 't', error: { code: 0, message: 'success' } }],
		['of a run', { run_id: 't' }],
		['of a job over its run', { run_id: 'r', job_id: 't' }],
		['in JSON in a text', { code: 0, data: '{"task_id":"t"}' }],
	])('%s', (_where, answer) => {
		expect(readTaskIds(answer)).toEqual(['t']);
	});

	it.each([
		[ok('task_1a2b3c4d')],
		[{ code: 1, description: 'ok', result: '1712204995849323' }],
		[{ code: 0, data: { taskNo: 'task_1a2b3c4d' } }],
		[{ task_ids: ['task_1a2b3c4d'] }],
	])('as data, or under a rare name: %j', (answer) => {
		expect(readTaskIds(answer)).toHaveLength(1);
	});

	it('and that of an envelope, which may be the request', () => {
		expect(readTaskIds({ id: 'task_1', data: { id: 3 } })).toEqual(['3', 'task_1']);
		const result = { id: 'r', status: 'completed', output: [{ id: 't' }] };
		expect(readTaskIds(result)).toEqual(['t', 'r']);
	});

	it('and those of all tasks, the outer ones first', () => {
		const both = [{ id: 't' }, { id: 'u' }];
		for (const name of ['data', 'tasks']) expect(readTaskIds({ [name]: both })).toEqual(['t', 'u']);
		const vendors = { task_id: 'v', status: 'queued', data: { task_id: 't' } };
		expect(readTaskIds(ok({ id: 1001, task_id: 't', data: vendors }))).toEqual(['t', 'v']);
		expect(readTaskIds({ data: [{ task_id: 't' }, { taskId: 17 }] })).toEqual(['t', '17']);
	});
});

describe('readTaskIds finds no id', () => {
	it.each<[unknown]>([
		[null],
		[ok('task_a')],
		[ok('Your video is in line, 3 are before it')],
		[{ code: 'quota', message: 'No', data: 'req_20261124abc' }],
		[{ id: '', task_id: ' ' }],
		[{ id: 0, task_id: -1, taskId: 1.5 }],
		[{ id: 'null', task_id: '..', taskId: '0' }],
		[{ id: true, task_id: { a: 1 }, taskId: [] }],
		[{ code: 'invalid_param', message: 'No', id: 'err_1' }],
		[{ error: { id: 'err_1', task_id: 'err_1', message: 'No' } }],
		[{ error: 'No', id: 'req_1' }],
		[{ object: 'error', id: 'err_1' }],
		[ok({ request_id: 'r', trace_id: 'r', request: { id: 'r' }, user: { id: 7 } })],
		[{ object: 'list', data: [{ id: 'veo', object: 'model' }] }],
		[ok({ parent: { task_id: 'before' }, remixed_from: { id: 'before' } })],
		[{ request_id: 'r', error: { message: 'No' } }],
		[{ request_id: 'r', code: 'InvalidParameter', message: 'No' }],
		[{ request_id: 'r', code: 'success', data: null }],
		...['error', 'BAD_REQUEST', '400', 'rejected', 'success', 'ok', 'done'].map(
			(status): [object] => [{ id: 'r', status, error: { message: 'No' } }],
		),
	])('in %j', (answer) => {
		expect(readTaskIds(answer)).toEqual([]);
	});
});

it('readTaskIds finds an id in any three of the envelopes', () => {
	const envelope = fc.constantFrom('data', 'result', 'output', 'task', 'response', 'videos');
	const number = fc.maxSafeNat().filter((n) => n > 0);
	const id = fc.oneof(fc.uuid(), fc.stringMatching(/^task_\w{4,200}$/));
	const planted = fc.oneof(
		id.map((text) => [JSON.stringify(text), text]),
		number.map((n) => [`${n}`, `${n}`]),
	);
	const around = fc.array(fc.tuple(envelope, fc.boolean()), { maxLength: 3 });
	const name = fc.constantFrom('task_id', 'taskId', 'id');
	fc.assert(
		fc.property(name, planted, around, (called, [json, value], envelopes) => {
			const wrapped = envelopes.reduce(
				(inner, [outer, isList]) => `{"code":0,"${outer}":${isList ? `[${inner}]` : inner}}`,
				`{"${called}":${json}}`,
			);
			expect(readTaskIds(JSON.parse(wrapped))).toEqual([value]);
		}),
	);
});

describe('whose an ID is', () => {
	it.each<[string, string, boolean]>([
		['video_task_abc123', 'task-video-abc123', true],
		['sora-2:task_01k81f', 'task_01k81f', true],
		['task_01k81f:sora-2', 'video_01k81f', true],
		['task_550e8400-e29b', '550e8400-e29b', true],
		['task_01k81f', 'task_01k81g', false],
		['sora-2:task_01k81f', 'sora-2:task_01k81g', false],
		['task_1', 'video_1', false],
		['task_abcdef', 'video_abcdef', false],
		['batch-01k81f-1', 'batch-01k81f-2', false],
	])('%s and %s are one: %p', (one, other, isSame) => {
		expect([isSameTask(one, other), isSameTask(other, one)]).toEqual([isSame, isSame]);
	});
});
