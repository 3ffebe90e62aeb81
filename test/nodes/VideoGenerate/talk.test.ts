import { openTalk } from '../../../nodes/VideoGenerate/talk';
import type { TaskStatus } from '../../../nodes/shared/service/videoTask';
import { toRender } from '../../../nodes/shared/task/render';
import { makeRun } from '../../support/makeRun';

/** A talk about so many items, in a chat that hears `said`. */
function teller(total: number) {
	const said: string[] = [];
	let nowMs = 0;
	const run = makeRun({
		parameters: Array.from({ length: total }, () => ({})),
		more: {
			isStreaming: () => true,
			getChildNodes: () => [],
			sendChunk: (type: string, _item: number, content?: string) => {
				if (type === 'item') said.push(content!.trim());
			},
		},
	});
	const clock = { ...run.clock, now: () => nowMs };
	const { onLater, onTask, onProgress, onEnd, sumUp, end } = openTalk({ ...run, clock })!;
	return {
		heard: async () => {
			await end();
			return said;
		},
		follows: onLater,
		later: (ms: number) => void (nowMs += ms),
		submits: (i: number, reused = false) =>
			onTask(i, toRender({ task_id: `task_${i}` }, { reused })),
		is: (i: number, progress: number, status: TaskStatus = 'IN_PROGRESS') => {
			const render = toRender({ task_id: `task_${i}` });
			onProgress(i, { ...render, task: { ...render.task, progress, status } });
		},
		ends: (i: number, words = 'Ready: it') => onEnd(i, words),
		close: (sum: string) => sumUp([], sum),
	};
}

it.each([
	['nothing has changed', 0, 'Rendering after'],
	['a video which is said to be at its end goes on', 100, 'Rendering: 100 % after'],
])('tells more and more seldom that %s', async (_what, progress, words) => {
	const { heard, submits, is, later } = teller(1);
	submits(0);
	for (let seconds = 0; seconds < 1800; seconds += 10) {
		later(10_000);
		is(0, progress);
	}
	is(0, 100, 'SUCCESS');
	expect((await heard()).slice(1)).toEqual([1, 3, 7, 15].map((min) => `${words} ${min} min`));
});

it('tells of several videos in one count', async () => {
	const { heard, submits, is, ends, close } = teller(4);
	submits(0);
	ends(1, 'The video was not submitted: no');
	submits(2);
	submits(3);
	is(0, 100);
	ends(0);
	is(2, 50);
	ends(2);
	ends(2, 'told twice');
	is(3, 40);
	ends(3);
	close('4 videos: 3 done, 1 failed, in 2 min 0 s.');
	expect(await heard()).toEqual([
		'[item 1] the video was not submitted: no',
		'Submitted: 3 of 4 videos',
		'Rendering: 50 %, 1 of 4 over',
		'[item 0] ready: it',
		'[item 2] ready: it',
		'Rendering: 85 %, 3 of 4 over',
		'[item 3] ready: it',
		'4 videos: 3 done, 1 failed, in 2 min 0 s.',
	]);
});

it('counts what is submitted apart from the shots that follow others', async () => {
	const { heard, follows, submits, ends } = teller(5);
	follows(1);
	follows(3);
	follows(4);
	submits(0);
	submits(1);
	ends(2, 'The video was not submitted: no');
	expect(await heard()).toEqual([
		'Submitted: 2 of 5 videos, 2 follow shot by shot',
		'[item 2] the video was not submitted: no',
	]);
});

it('says of an earlier task that it is paid for', async () => {
	const { heard, submits } = teller(1);
	submits(0, true);
	expect(await heard()).toEqual(['Picked up, as it is paid for already: `task_0`']);
});

it('stays a message that can be read, however many videos there are', async () => {
	const { heard, submits, is, ends, close, later } = teller(500);
	for (let i = 0; i < 500; i++) submits(i);
	for (let percent = 0; percent <= 100; percent++) {
		later(10_000);
		for (let i = 0; i < 500; i++) is(i, percent);
	}
	for (let i = 0; i < 500; i++) ends(i);
	close('500 videos done in 17 min.');
	const said = await heard();
	expect(said.length).toBeLessThan(32);
	expect(said.at(-1)).toBe('500 videos done in 17 min. The output of the node has all.');
});
