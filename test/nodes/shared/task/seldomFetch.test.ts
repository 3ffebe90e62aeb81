import type { ContentState, FetchResult } from '../../../../nodes/shared/service/videoApi';
import { createSeldomFetch } from '../../../../nodes/shared/task/seldomFetch';
import { createVirtualTime } from '../../../support/virtualTime';

/** A render that is asked for every ten seconds until it ends, and its file is there after a while. */
async function follow(content: (nowMs: number) => ContentState, record: FetchResult) {
	const time = createVirtualTime();
	const records: number[] = [];
	const contents: number[] = [];
	const fetch = createSeldomFetch({
		fetchTask: async () => {
			records.push(time.now() / 1000);
			return record;
		},
		askForContent: async () => {
			contents.push(time.now() / 1000);
			return content(time.now());
		},
		contentUrl: (task_id) => `https://api.example.com/${task_id}`,
		clock: time.clock(),
	});
	const end = await time.run(
		(async () => {
			for (let i = 0; i < 60; i++) {
				await time.pause(10_000);
				const result = await fetch('task_1');
				if (result.kind === 'task' && result.task.status !== 'IN_PROGRESS') return result;
			}
			return undefined;
		})(),
	);
	return { end, records, contents };
}

const rendering: FetchResult = {
	kind: 'task',
	task: { task_id: 'task_1', status: 'IN_PROGRESS', progress: 0 },
	answer: {},
};

it('sees the film within seconds and never asks the vendor for it', async () => {
	const { end, records, contents } = await follow(
		(ms) => (ms > 95_000 ? 'ready' : 'none'),
		rendering,
	);
	expect(end).toMatchObject({
		task: { status: 'SUCCESS', progress: 100, result_url: 'https://api.example.com/task_1' },
	});
	expect(records).toEqual([]);
	expect(contents.at(-1)).toBe(100);
});

it('asks for the record every three minutes, so that a failure is seen', async () => {
	const { records } = await follow(() => 'none', rendering);
	expect(records).toEqual([180, 360, 540]);
});

it('asks for the record where the content endpoint says nothing', async () => {
	const { records, contents } = await follow(() => 'unknown', rendering);
	expect(records).toHaveLength(60);
	expect(contents).toHaveLength(60);
});
