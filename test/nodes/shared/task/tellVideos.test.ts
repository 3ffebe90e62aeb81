import type { TaskStatus } from '../../../../nodes/shared/service/videoTask';
import { type Render, toRender } from '../../../../nodes/shared/task/render';
import { createVideoTeller } from '../../../../nodes/shared/task/tellVideos';

function teller(total: number, onlyEnds = false) {
	const said: string[] = [];
	let now = 0;
	const say = (line: string) => void said.push(line);
	const clock = { now: () => now };
	const { onTask, onProgress, onEnd, onRefused, close } = createVideoTeller({
		say,
		clock,
		total,
		onlyEnds,
	});
	const render = (i: number, more: Partial<Render> = {}) =>
		toRender({ task_id: `task_${i}` }, more);
	return {
		said,
		later: (ms: number) => void (now += ms),
		submits: (i: number, more?: Partial<Render>) => onTask(i, render(i, more)),
		is: (i: number, progress: number, status: TaskStatus = 'IN_PROGRESS') => {
			const { task, ...rest } = render(i);
			onProgress(i, { ...rest, task: { ...task, progress, status } });
		},
		ends: (i: number, words = 'Ready: it') => onEnd(i, words),
		refuses: onRefused,
		close,
	};
}

it('tells of one video its task, each quarter and its end', () => {
	const { said, submits, is, ends, close } = teller(1);
	submits(0);
	for (let percent = 0; percent <= 100; percent++) is(0, percent);
	ends(0);
	close('1 video done in 3 s.');
	expect(said).toEqual([
		'Submitted: `task_0`',
		'Rendering: 25 %',
		'Rendering: 50 %',
		'Rendering: 75 %',
		'Ready: it',
	]);
});

it('tells more and more seldom that nothing has changed', () => {
	const { said, submits, is, later } = teller(1);
	submits(0);
	for (let seconds = 0; seconds < 1800; seconds += 10) {
		later(10_000);
		is(0, 0);
	}
	expect(said.slice(1)).toEqual([
		'Rendering after 1 min',
		'Rendering after 3 min',
		'Rendering after 7 min',
		'Rendering after 15 min',
	]);
});

it('tells that a video which is said to be at its end goes on', () => {
	const { said, submits, is, later } = teller(1);
	submits(0);
	for (let seconds = 0; seconds < 240; seconds += 10) {
		later(10_000);
		is(0, 100);
	}
	is(0, 100, 'SUCCESS');
	expect(said.slice(1)).toEqual(['Rendering: 100 % after 1 min', 'Rendering: 100 % after 3 min']);
});

it.each([
	[1, [], '1 video would be submitted.', ['1 video would be submitted.']],
	[1, ['Ready: it'], '1 video done.', ['Ready: it']],
	[2, [], '2 videos would be submitted.', ['2 videos would be submitted.']],
	[1, ['Prompt is empty'], undefined, ['Prompt is empty']],
])('of %i videos with the ends %j and the sum %j it says %j', (total, ends, sum, said) => {
	for (const onlyEnds of [false, true]) {
		const told = teller(total, onlyEnds);
		ends.forEach((words, i) => told.ends(i, words));
		told.close(sum);
		expect(told.said).toEqual(said);
	}
});

it('says where the others are where no work began', () => {
	const { said, ends, close } = teller(30);
	for (let i = 0; i < 30; i++) ends(i, 'Prompt is empty');
	close();
	expect(said).toHaveLength(21);
	expect(said.at(-1)).toBe('The output of the node has all.');
});

it('tells of several videos in one count', () => {
	const { said, submits, is, ends, close } = teller(4);
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
	expect(said).toEqual([
		'Video 2: the video was not submitted: no',
		'Submitted: 3 of 4 videos',
		'Rendering: 50 %, 1 of 4 over',
		'Video 1: ready: it',
		'Video 3: ready: it',
		'Rendering: 85 %, 3 of 4 over',
		'Video 4: ready: it',
		'4 videos: 3 done, 1 failed, in 2 min 0 s.',
	]);
});

it('waits for no task of what was refused before', () => {
	const { said, refuses, submits, is, ends } = teller(2);
	refuses(0);
	submits(1);
	is(1, 30);
	ends(1);
	ends(0, 'Prompt is empty');
	expect(said).toEqual([
		'Submitted: 1 of 2 videos',
		'Rendering: 65 %, 0 of 2 over',
		'Video 2: ready: it',
		'Video 1: prompt is empty',
	]);
});

it('tells the ends alone where progress is off', () => {
	const { said, submits, is, ends, later } = teller(2, true);
	submits(0);
	submits(1);
	later(600_000);
	is(0, 60);
	ends(0);
	ends(1);
	expect(said).toEqual(['Video 1: ready: it', 'Video 2: ready: it']);
});

it('says of an earlier task that it is paid for', () => {
	const { said, submits } = teller(1);
	submits(0, { reused: true });
	submits(0);
	expect(said).toEqual(['Picked up, as it is paid for already: `task_0`']);
});

it('stays a message that can be read, however many videos there are', () => {
	const { said, submits, is, ends, close, later } = teller(500);
	for (let i = 0; i < 500; i++) submits(i);
	for (let percent = 0; percent <= 100; percent++) {
		later(10_000);
		for (let i = 0; i < 500; i++) is(i, percent);
	}
	for (let i = 0; i < 500; i++) ends(i);
	close('500 videos done in 17 min.');
	expect(said.length).toBeLessThan(32);
	expect(said.at(-1)).toBe('500 videos done in 17 min. The output of the node has all.');
});
