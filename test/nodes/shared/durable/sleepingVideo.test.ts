import fc from 'fast-check';
import type { INodeExecutionData } from 'n8n-workflow';

import {
	type BatchVideo,
	type EndedVideo,
	isOver,
	readBatchItem,
	type SleepingVideo,
	toBatchItem,
} from '../../../../nodes/shared/durable/sleepingVideo';
import { createRedaction } from '../../../../nodes/shared/service/redact';
import { anyEnded, anySleeping, anyUnsubmitted } from './support/anyVideo';
import { sleeper } from './support/sleeper';

const NOW_MS = Date.parse('2026-11-21T09:30:00.123Z');

const sleeping = (item: number, changes: Partial<SleepingVideo> = {}) =>
	sleeper(item, NOW_MS, changes);
const stoppable = (item: number, stopsOnFailure: boolean) =>
	sleeping(item, { wishes: { ...sleeping(item).wishes, stopsOnFailure } });
const done = (item: number): EndedVideo => ({
	item,
	result: { json: { task_id: `task_${item}`, status: 'SUCCESS', progress: 100 } },
});
const failed = (item: number): EndedVideo => ({
	item,
	result: {
		failure: {
			message: 'The video could not be rendered',
			task_id: `task_${item}`,
			status: 'FAILURE',
			fail_reason: 'Not allowed',
			retryable: false,
			next: 'changeRequest',
			source: 'service',
		},
	},
});

/** Nothing that must not be shown is known. */
const run = { show: createRedaction().show };

/** n8n stores items as JSON, and packs them once more for each sleep. */
const stored = (item: INodeExecutionData) => JSON.parse(JSON.stringify(item)) as INodeExecutionData;
const roundTrip = (video: BatchVideo) => readBatchItem(stored(toBatchItem(video, 65, run)));

describe('a video on its way through a sub-execution', () => {
	it('comes back as it was while it renders', () => {
		fc.assert(
			fc.property(anySleeping, (video) => {
				expect(roundTrip(video)).toEqual(JSON.parse(JSON.stringify(video)));
			}),
		);
	});

	it('comes back as it was before it is submitted', () => {
		fc.assert(
			fc.property(anyUnsubmitted, (video) => {
				expect(roundTrip(video)).toEqual(JSON.parse(JSON.stringify(video)));
			}),
		);
	});

	it('what is to be sent is not searched for keys, nor changed', () => {
		const key = 'sk-key-of-the-account';
		const seen: string[] = [];
		const { show: hide } = createRedaction(key);
		const show = <T>(value: T): T => {
			seen.push(JSON.stringify(value));
			return hide(value);
		};
		const [video] = fc.sample(anyUnsubmitted, 1);
		const asked = { ...video, request: { model: 'm', prompt: `Paint ${key}`, image: 'iVBORw0K' } };
		expect(toBatchItem(asked, 65, { show }).json.request).toEqual(asked.request);
		expect(seen.join()).not.toContain('iVBORw0K');
	});

	it('comes back as it was when it has ended', () => {
		fc.assert(
			fc.property(anyEnded, (video) => {
				expect(roundTrip(video)).toEqual(JSON.parse(JSON.stringify(video)));
			}),
		);
	});

	it('keeps its file', () => {
		const binary = { film: { mimeType: 'video/mp4', data: 'filesystem-v2', id: 'x' } };
		const video: EndedVideo = { item: 1, result: { json: { task_id: 'task_1' }, binary } };
		expect(toBatchItem(video, 65, run).binary).toEqual(binary);
		expect(roundTrip(video)).toEqual(video);
	});

	it('is linked to the input item that it came from', () => {
		const videos = [sleeping(4), done(5), failed(6)];
		expect(videos.map((video) => toBatchItem(video, 65, run).pairedItem)).toEqual([
			{ item: 4 },
			{ item: 5 },
			{ item: 6 },
		]);
	});

	it('can be read in the executions list: first the task, then when to check again', () => {
		const { json } = toBatchItem(sleeping(2), 90, run);
		expect(Object.keys(json).slice(0, 4)).toEqual(['item', 'ended', 'task_id', 'status']);
		expect(json).toMatchObject({
			task_id: 'task_2',
			status: 'IN_PROGRESS',
			progress: 40,
			submitted_at: '2026-11-21T09:30:00.123Z',
			give_up_at: '2026-11-21T10:00:00.123Z',
			sleep_seconds: 90,
			caller_execution_id: '17',
		});
	});

	it.each([done(0), failed(0)])('shows the task of one that has ended, too', (video) => {
		const { json } = toBatchItem(video, 65, run);
		expect(json).toMatchObject({ item: 0, ended: true, task_id: 'task_0' });
	});

	it('leaves the answer of the service away with Simplify', () => {
		const { render, wishes } = sleeping(0);
		const told = { ...render, answer: { code: 'success' } };
		const jsonOf = (simplify: boolean) =>
			toBatchItem(sleeping(0, { render: told, wishes: { ...wishes, simplify } }), 65, run).json;
		expect(jsonOf(true)).not.toHaveProperty('response');
		expect(jsonOf(false)).toHaveProperty('response', { code: 'success' });
	});
});

describe('readBatchItem', () => {
	it.each([
		['an empty item', {}],
		['the error of an execution that was left in the middle', { error: 'Workflow crashed' }],
		['an item of Video Generate', { task_id: 'task_1', status: 'SUCCESS' }],
		['another meaning of the word', { ended: 'yes', item: 1 }],
	])('does not take %s for a video', (_name, json) => {
		expect(readBatchItem({ json })).toBeUndefined();
	});
});

describe('isOver', () => {
	const batches: Array<[string, BatchVideo[], boolean]> = [
		['nothing', [], true],
		['all done', [done(0), done(1)], true],
		['all failed', [failed(0), failed(1)], true],
		['one renders', [sleeping(0)], false],
		['one of two renders', [done(0), sleeping(1)], false],
		['one failed, one renders, the first failure stops', [failed(0), stoppable(1, true)], true],
		['one failed, one renders, failures do not stop', [failed(0), stoppable(1, false)], false],
		['the failing one comes last', [stoppable(0, true), done(1), failed(2)], true],
	];
	it.each(batches)('%s', (_name, videos, over) => {
		expect(isOver(videos)).toBe(over);
	});
});
