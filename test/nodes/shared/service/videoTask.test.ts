import fc from 'fast-check';

import { findVideo, readTask } from '../../../../nodes/shared/service/videoTask';
import { runs } from '../../../support/runs';

const URL = 'https://files.example.com/video.mp4';
const RUNNING = { id: 1001, task_id: 't', status: 'IN_PROGRESS' };
const VENDORS = { id: 'v', task_id: 'v', status: 'failed' };
const wrap = (data: unknown) => ({ code: 'success', data });

describe('readTask', () => {
	it.each<[string, unknown]>([
		['an output', { request_id: 'r', output: { task_id: 't', task_status: 'RUNNING' } }],
		['two envelopes', { data: { video: { status: 'running' } } }],
		['nothing, around a number', { id: 1234, status: 'running', data: { status: 'failed' } }],
		['an envelope, around what the vendor said', wrap({ ...RUNNING, data: VENDORS })],
		['nothing, around what the vendor said', { ...RUNNING, data: VENDORS }],
	])('finds the record in %s', (_where, answer) => {
		expect(readTask(answer, 't')?.status).toBe('IN_PROGRESS');
	});

	it.each([
		['the vendor has it, inside the record', { data: { content: { last_frame_url: URL } } }, URL],
		[
			'the vendor has it, beside that of the request',
			{ last_frame_url: 'https://x.example/in.png', data: { content: { last_frame_url: URL } } },
			URL,
		],
		['a deployment may have it, beside the video', { last_frame_url: URL }, URL],
		['nobody has it', { data: { content: { video_url: URL } } }, undefined],
		[
			'not if it is of another task',
			{ results: [{ task_id: 'u', last_frame_url: URL }] },
			undefined,
		],
		['it is no address', { data: { content: { last_frame_url: 'file:///a.png' } } }, undefined],
		['the render has failed', { status: 'FAILURE', last_frame_url: URL }, undefined],
	])('reads the last frame where %s', (_where, fields, expected) => {
		const answer = wrap({ task_id: 't', status: 'SUCCESS', ...fields });
		expect(readTask(answer, 't')?.last_frame_url).toBe(expected);
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

describe('a record that is the answer of the vendor at this moment', () => {
	const live = { task_id: 't', error: null, format: 'mp4', metadata: null };

	it('says its reason where the address would be', () => {
		const task = readTask(wrap({ ...live, status: 'failed', url: 'quota exceeded' }), 't');
		expect(task).toMatchObject({ fail_reason: 'quota exceeded', hasLiveRecord: true });
		const own = { task_id: 't', status: 'FAILURE', fail_reason: 'no', result_url: 'no' };
		expect(readTask(wrap(own), 't')).not.toHaveProperty('hasLiveRecord');
	});

	it('may be in the form of OpenAI, too, by its model', () => {
		const record = {
			id: 't',
			object: 'video',
			status: 'failed',
			model: 'veo-3.1-generate-preview',
		};
		expect(readTask(record, 't')).toMatchObject({ hasLiveRecord: true });
	});
});

describe('findVideo', () => {
	const other = { id: 'task_2b3c4d', status: 'completed', url: URL };

	it.each([
		other,
		{ data: other },
		[other],
		{ task_id: 'task_2b3c4d', url: URL },
		{ id: 'task_2b3c4d', url: URL },
		{ data: [other, { ...other, id: 'task_3c4d5e' }] },
		{ data: [{ id: 7, url: URL }, { id: 'task_1a2b3c' }] },
		{ status: 'processing', url: URL },
		{ code: 404, url: URL },
		{ error: 'So', url: URL },
		{ success: false, url: URL },
		{ video_id: 'task_2b3c4d', url: URL },
	])('takes no film of another task: %j', (answer) => {
		expect(findVideo(answer, 'task_1a2b3c')).toBeUndefined();
	});

	it.each([
		{ url: URL },
		{ id: 'file-1', url: URL },
		{ data: { video_url: URL } },
		{ ...other, id: 'task_1a2b3c' },
		[other, { ...other, id: 'task_1a2b3c' }],
		[{ type: 'preview', url: 'https://cdn.example.com/draft.mp4' }, { url: URL }],
	])('takes the one of this task: %j', (answer) => {
		expect(findVideo(answer, 'task_1a2b3c')).toBe(URL);
	});
});
