import fc from 'fast-check';

import { parseJson } from '../../../../nodes/shared/lib/json';
import { findVideoUrl, readTask, readTaskIds } from '../../../../nodes/shared/service/videoTask';
import { runs } from '../../../support/runs';

const URL = 'https://files.example.com/video.mp4';
const wrap = (data: unknown) => ({ code: 'success', data });

// What services answer in full is in shapes.test.ts.

describe('readTaskIds', () => {
	it.each<[string, string, string[]]>([
		['a name that says whose over a row of a table', '{"data":{"id":7,"task_id":"t"}}', ['t', '7']],
		['the gateway over its vendor', '{"task_id":"t","data":{"id":"v"}}', ['t', 'v']],
		['a number', '{"id":317982208110208}', ['317982208110208']],
		['one in a list', '{"data":[{"task_id":"t"},{"task_id":"u"}]}', ['t']],
		['one that no path knows', '{"code":0,"result":{"task":{"id":"t"}}}', ['t']],
		['the ID of a request alone', '{"request_id":"t"}', ['t']],
		['none for the ID of a request that has a code', '{"code":"Invalid","request_id":"r"}', []],
		['none that is empty', '{"id":"","task_id":0,"data":null}', []],
	])('takes %s', (_what, body, ids) => {
		expect(readTaskIds(parseJson(body))).toEqual(ids);
	});
});

describe('readTask', () => {
	it.each<[string, unknown, string]>([
		[
			'its own word before that of an envelope',
			{ status: 'success', data: { status: 'x' } },
			'IN_PROGRESS',
		],
		[
			'its own word before that of the vendor',
			wrap({ status: 'queued', data: { status: 'failed' } }),
			'queued',
		],
		['its own word whatever ID it names', { id: 'another', status: 'completed' }, 'SUCCESS'],
		['words in any writing', { status: ' In Progress' }, 'IN_PROGRESS'],
		['a word that nobody knows as not final', { status: 'WARMING_UP' }, 'IN_PROGRESS'],
	])('takes %s', (_what, answer, status) => {
		expect(readTask(answer, 't')).toMatchObject({ task_id: 't', status });
	});

	it("keeps a filter's words, although the task is done", () => {
		const response = { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['No children'] };
		const record = { status: 'SUCCESS', data: { response } };
		expect(readTask(wrap(record), 't')?.fail_reason).toBe('No children');
	});

	it('keeps a word that nobody knows', () => {
		expect(readTask({ status: 'WARMING_UP' }, 't')?.unknownStatus).toBe('WARMING_UP');
		expect(readTask({ status: 'running' }, 't')).not.toHaveProperty('unknownStatus');
	});

	it.each([
		[{ code: 'task_not_exist', message: 'task_not_exist', data: null }],
		[{ id: 't', video_url: URL }],
		[{ detail: 'Not Found' }],
	])('finds no record without a state: %j', (answer) => {
		expect(readTask(answer, 't')).toBeUndefined();
	});

	it.each<[unknown, number]>([
		['45%', 45],
		[45, 45],
		[-3, 0],
		[700, 100],
		[null, 0],
	])('reads a progress of %j', (progress, expected) => {
		expect(readTask({ status: 'running', progress }, 't')?.progress).toBe(expected);
	});

	it.each<[string, object, string | undefined]>([
		['in the record', { content: { last_frame_url: URL } }, URL],
		['in the copy of what the vendor said', { data: { content: { last_frame_url: URL } } }, URL],
		['nowhere', { content: { video_url: URL } }, undefined],
		['not if it is no address', { last_frame_url: 'file:///a.png' }, undefined],
	])('finds the last frame %s', (_where, fields, expected) => {
		expect(readTask(wrap({ status: 'SUCCESS', ...fields }), 't')?.last_frame_url).toBe(expected);
	});

	it('says of New API which record asks the vendor at each fetch', () => {
		const live = { task_id: 't', error: null, format: 'mp4', url: 'quota exceeded' };
		const task = readTask(wrap({ ...live, status: 'failed' }), 't');
		expect(task).toMatchObject({ fail_reason: 'quota exceeded', hasLiveRecord: true });
		const byModel = { id: 't', status: 'failed', model: 'veo-3.1-generate-preview' };
		expect(readTask(byModel, 't')).toMatchObject({ hasLiveRecord: true });
		expect(readTask({ ...byModel, model: 'kling-v1' }, 't')).not.toHaveProperty('hasLiveRecord');
	});

	it('gives a task record or nothing for any answer, and never throws', () => {
		const words = fc.constantFrom('SUCCESS', 'failed', '', 'queued');
		const anything = fc.anything({ withNullPrototype: true, maxDepth: 3 });
		const address = fc.oneof(fc.webUrl(), fc.string(), anything);
		const rest = { progress: anything, error: anything, properties: anything, model: anything };
		const record = fc.record(
			{
				status: fc.oneof(words, fc.string(), anything),
				result_url: address,
				fail_reason: address,
				...rest,
			},
			{ requiredKeys: [] },
		);
		const answer = fc.oneof(anything, record, fc.record({ code: anything, data: record }));
		fc.assert(
			fc.property(answer, (given) => {
				readTaskIds(given);
				const task = readTask(given, 't');
				if (task === undefined) return;
				expect(['queued', 'IN_PROGRESS', 'SUCCESS', 'FAILURE']).toContain(task.status);
				expect(task.progress).toBeGreaterThanOrEqual(0);
				expect(task.progress).toBeLessThanOrEqual(100);
				expect(task.task_id).toBe('t');
				if (task.result_url) expect(task.result_url).toMatch(/^https?:\/\//i);
				if (task.status !== 'SUCCESS') expect(task.result_url).toBeUndefined();
				if (task.status !== 'FAILURE') expect(task.fail_reason).toBeUndefined();
			}),
			{ numRuns: runs(10_000) },
		);
	});
});

it('findVideoUrl reads the address that a content route answers in place of a video', () => {
	expect(findVideoUrl({ url: URL, download_url: URL })).toBe(URL);
	expect(findVideoUrl({ error: { message: 'not ready' } })).toBeUndefined();
});
