import fc from 'fast-check';

import { parseJson } from '../../../../nodes/shared/lib/json';
import { readTask, readTaskIds, type VideoTask } from '../../../../nodes/shared/services/videoTask';
import { findVideoUrl } from '../../../../nodes/shared/services/taskFiles';
import { runs } from '../../../support/runs';

const URL = 'https://files.example.com/video.mp4';
const wrap = (data: unknown) => ({ code: 'success', data });
const done = (fields: object) => wrap({ status: 'SUCCESS', ...fields });
const FILTERED = { data: { response: { raiMediaFilteredReasons: ['No children'] } } };

// What services answer in full is in shapes.test.ts.

it.each<[string, string, string[]]>([
	['a name that says whose over a row of a table', '{"data":{"id":7,"task_id":"t"}}', ['t', '7']],
	['the gateway over its vendor', '{"task_id":"t","data":{"id":"v"}}', ['t', 'v']],
	['a number', '{"id":317982208110208}', ['317982208110208']],
	['one in a list', '{"data":[{"task_id":"t"},{"task_id":"u"}]}', ['t']],
	['one that no path knows', '{"code":0,"result":{"task":{"id":"t"}}}', ['t']],
	['none for the ID of a request that has a code', '{"code":"Invalid","request_id":"r"}', []],
	['none that is empty', '{"id":"","task_id":0,"data":null}', []],
])('readTaskIds takes %s', (_what, body, ids) => {
	expect(readTaskIds(parseJson(body))).toEqual(ids);
});

describe('readTask', () => {
	it.each<[string, unknown, object]>([
		['an envelope', { status: 'success', data: { status: 'x' } }, { status: 'IN_PROGRESS' }],
		['the vendor', wrap({ status: 'queued', data: { status: 'failed' } }), { status: 'queued' }],
		['another ID', { id: 'another', status: 'completed' }, { task_id: 't', status: 'SUCCESS' }],
		[
			'odd writing',
			{ status: ' In Progress' },
			{ status: 'IN_PROGRESS', unknownStatus: undefined },
		],
		["fal's word for a queue", { status: 'IN_QUEUE' }, { status: 'queued' }],
		[
			'a word that nobody knows',
			{ status: 'WARMING_UP' },
			{ status: 'IN_PROGRESS', unknownStatus: 'WARMING_UP' },
		],
		['a share as text', { status: 'running', progress: '45%' }, { progress: 45 }],
		['a share that is too large', { status: 'running', progress: 700 }, { progress: 100 }],
		['no share', { status: 'running', progress: null }, { progress: 0 }],
		['a last frame', done({ content: { last_frame_url: URL } }), { last_frame_url: URL }],
		['a copy', done({ data: { content: { last_frame_url: URL } } }), { last_frame_url: URL }],
		// alfman99/kie-ai-mcp, after kie's page of a task's record (2026-08).
		[
			"kie's last frame",
			{ state: 'success', resultJson: JSON.stringify({ resultUrls: [], lastFrameUrl: [URL] }) },
			{ last_frame_url: URL },
		],
		['no address', done({ last_frame_url: 'file:///a.png' }), { last_frame_url: undefined }],
		["a filter's words, although it is done", done(FILTERED), { fail_reason: 'No children' }],
		[
			'that a filter kept it back, without words (xAI)',
			{ status: 'done', video: { url: '', respect_moderation: false } },
			{ status: 'SUCCESS', fail_reason: 'content moderation' },
		],
	])('reads its own words beside %s', (_what, answer, expected) => {
		const task = readTask(answer, 't');
		for (const [name, value] of Object.entries(expected)) {
			expect(task?.[name as keyof VideoTask]).toBe(value);
		}
	});

	it.each([
		[{ code: 'task_not_exist', message: 'task_not_exist', data: null }],
		[{ id: 't', video_url: URL }],
	])('finds no record without a state: %j', (answer) => {
		expect(readTask(answer, 't')).toBeUndefined();
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
		const anything = fc.anything({ withNullPrototype: true, maxDepth: 3 });
		const status = fc.constantFrom('SUCCESS', 'failed', '', 'queued', 'x');
		const address = fc.oneof(fc.webUrl(), fc.string(), anything);
		const record = fc.record(
			{
				...{ status: fc.oneof(status, anything), result_url: address, fail_reason: address },
				...{ progress: anything, error: anything, properties: anything, model: anything },
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
			{ numRuns: runs(2_000) },
		);
	});
});

it('findVideoUrl reads the address that a content route answers in place of a video', () => {
	expect(findVideoUrl([{ url: URL, download_url: URL }])).toBe(URL);
	expect(findVideoUrl([{ error: { message: 'not ready' } }])).toBeUndefined();
});
