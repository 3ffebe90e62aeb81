import { createLimiter } from '../../../../nodes/shared/lib/turns';
import type { ContentState, FetchResult } from '../../../../nodes/shared/service/videoApi';
import { pollTask } from '../../../../nodes/shared/task/pollTask';
import { toRender } from '../../../../nodes/shared/task/render';
import { createSeldomFetch } from '../../../../nodes/shared/task/seldomFetch';
import { createVirtualTime } from '../../../support/virtualTime';

/** A service that says this of a task's file and in its record, and when it was asked, in seconds. */
function serve(content: (nowMs: number) => ContentState, record: FetchResult) {
	const time = createVirtualTime();
	const records: number[] = [];
	const contents: number[] = [];
	const open = (reused: boolean, deadlineMs = 30 * 60_000) =>
		createSeldomFetch(
			{
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
			},
			{ reused, deadlineMs },
		);
	return { time, records, contents, open };
}

/** A render that is asked for every ten seconds until it ends, and its file is there after a while. */
async function follow(
	content: (nowMs: number) => ContentState,
	record: FetchResult,
	{ reused = false, deadlineMs = 30 * 60_000 } = {},
) {
	const { time, records, contents, open } = serve(content, record);
	const fetch = open(reused, deadlineMs);
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
		(ms) => (ms > 95_000 ? 'ready' : 'notYet'),
		rendering,
	);
	expect(end).toMatchObject({
		task: { status: 'SUCCESS', progress: 100, result_url: 'https://api.example.com/task_1' },
	});
	expect(records).toEqual([]);
	expect(contents.at(-1)).toBe(100);
});

it('asks for the record every three minutes, so that a failure is seen', async () => {
	const { records } = await follow(() => 'notYet', rendering);
	expect(records).toEqual([180, 360, 540]);
});

it('asks for the record at once of a task of an earlier try', async () => {
	const { records } = await follow(() => 'notYet', rendering, { reused: true });
	expect(records).toEqual([10, 190, 370, 550]);
	const short = { reused: true, deadlineMs: 45_000 };
	expect((await follow(() => 'notYet', rendering, short)).records[0]).toBe(180);
});

it.each(['unknown', 'none'] as const)(
	'asks for the record where the content endpoint says %s',
	async (content) => {
		const { records, contents } = await follow(() => content, rendering);
		expect(records).toHaveLength(60);
		expect(contents).toHaveLength(60);
	},
);

const failed: FetchResult = {
	kind: 'task',
	task: { task_id: 'task_1', status: 'FAILURE', progress: 100, mayPass: true },
	answer: {},
};
const refused: FetchResult = {
	kind: 'trouble',
	trouble: { message: 'The service refuses the API key', httpCode: 401, retryable: false },
};

it.each([
	['a failure', failed, 'failed'],
	['a refused key', refused, 'trouble'],
] as const)('%s ends the wait within minutes, not with it', async (_what, record, state) => {
	const { time, open } = serve(() => 'notYet', record);
	const signal = new AbortController().signal;
	const render = toRender({ task_id: 'task_1' }, { deadlineMs: 30 * 60_000 });
	const pace = { pollIntervalMs: 5_000, maxPollIntervalMs: 10_000 };
	const polling = { limiter: createLimiter(1), clock: time.clock(), signal };
	const end = await time.run(pollTask(render, pace, { ...polling, fetchTask: open(false) }));
	expect(end).toMatchObject({ state });
	expect(time.now()).toBeLessThan(5 * 60_000);
});
