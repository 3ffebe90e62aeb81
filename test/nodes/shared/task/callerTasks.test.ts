import { callerTasks } from '../../../../nodes/shared/task/callerTasks';

const entryOf = (name: string) => ({
	...{ executionId: 'sub', wish: name, request: name },
	task_id: `task_${name}`,
});
/** Of the item; callers know what was paid for by wish and request alone. */
const KEY = '0.0';
const of = (place: string, executionId: string) =>
	callerTasks({ place, executionId, startedMs: 10 }).open(new Map([['first', 5]]));
const taken = (place: string, name: string) => of(place, 'retry').take(entryOf(name), KEY);

it('gives what an earlier try of the caller has paid for, once for each try', () => {
	of('a place', 'first').keep(entryOf('video'), KEY);
	const retry = of('a place', 'retry');
	expect(taken('another place', 'video')).toBeUndefined();
	expect(retry.take(entryOf('video'), KEY)).toMatchObject({ task_id: 'task_video' });
	expect(retry.take(entryOf('video'), KEY)).toBeUndefined();
	expect(of('a place', 'second retry').take(entryOf('video'), KEY)).toBeDefined();
});

it('forgets the oldest, and of one long loop no more than those', () => {
	of('an old place', 'first').keep(entryOf('old'), KEY);
	const loop = of('a loop', 'first');
	for (let i = 0; i < 5_002; i++) loop.keep(entryOf(`${i}`), KEY);
	expect(taken('an old place', 'old')).toBeUndefined();
	expect(taken('a loop', '1')).toBeUndefined();
	for (const name of ['2', '5001']) expect(taken('a loop', name)).toBeDefined();
});
