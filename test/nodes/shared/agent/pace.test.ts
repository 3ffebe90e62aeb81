import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { inTurn } from '../../../../nodes/shared/lib/inTurn';
import { createToolPace } from '../../../../nodes/shared/agent/pace';
import type { FetchResult } from '../../../../nodes/shared/service/videoApi';
import { watchTask } from '../../../../nodes/VideoStatus/asTool';
import { createVirtualTime } from '../../../support/virtualTime';

// How long an agent's tools wait, in virtual time.

const execution = () => {
	const flow: IDataObject = {};
	const getContext = (type: string) => (type === 'flow' ? flow : {});
	return { getContext } as unknown as IExecuteFunctions;
};

describe('how long tools wait', () => {
	it('all calls for new videos share 20 seconds of their execution', () => {
		let nowMs = 1_000_000;
		const context = execution();
		const watch = () => createToolPace(context, () => nowMs).firstWatchMs();
		expect(watch()).toBe(20_000);
		nowMs += 15_000;
		expect(watch()).toBe(5_000);
		nowMs += 3_600_000;
		expect(watch()).toBe(0);
		expect(createToolPace(execution(), () => nowMs).firstWatchMs()).toBe(20_000);
	});

	it('an agent hears every 45 seconds of a task that is not finished', () => {
		let nowMs = 1_000_000;
		const context = execution();
		const paceOf = () => createToolPace(context, () => nowMs);
		expect(paceOf().untilNewsMs('a')).toBe(0);
		paceOf().told('a');
		expect([paceOf().untilNewsMs('a'), paceOf().untilNewsMs('b')]).toEqual([45_000, 0]);
		nowMs += 40_000;
		expect(paceOf().untilNewsMs('a')).toBe(5_000);
		nowMs += 3_600_000;
		expect(paceOf().untilNewsMs('a')).toBe(0);
	});
});

describe('watching a task', () => {
	async function watch(maxWaitMs: number, renderMs: number) {
		const { now, wait, run } = createVirtualTime();
		const looks: number[] = [];
		const fetchTask = async (task_id: string): Promise<FetchResult> => {
			looks.push(now());
			const status = now() >= renderMs ? 'SUCCESS' : 'IN_PROGRESS';
			return await Promise.resolve({
				kind: 'task',
				task: { task_id, status, progress: 0 },
				answer: {},
			});
		};
		const { signal } = new AbortController();
		await run(watchTask('a', maxWaitMs, { fetchTask, wait, now, signal, random: () => 0 }));
		return { looks: looks.length, endedMs: now() };
	}

	it('is over when its time is', async () => {
		expect(await watch(45_000, Infinity)).toEqual({ looks: 7, endedMs: 45_000 });
	});

	it('is over when the task is', async () => {
		const { endedMs } = await watch(45_000, 20_000);
		expect(endedMs).toBeLessThan(30_000);
	});

	it('does not begin where there is no time for it', async () => {
		expect(await watch(0, Infinity)).toEqual({ looks: 0, endedMs: 0 });
	});
});

describe('equal calls', () => {
	const place = {};
	const done: string[] = [];
	const work = (name: string, gate: Promise<void>) => async () => {
		await gate;
		done.push(name);
		return await Promise.resolve(name);
	};

	it('wait for each other, others do not, and one that goes wrong holds up nobody', async () => {
		let open = () => {};
		const gate = new Promise<void>((resolve) => (open = resolve));
		const first = inTurn(place, 'same', work('first', gate));
		const second = inTurn(place, 'same', work('second', Promise.resolve()));
		const bad = inTurn(place, 'same', async () => await Promise.reject(new Error('no')));
		const third = inTurn(place, 'same', work('third', Promise.resolve()));
		expect(await inTurn(place, 'other', work('other', Promise.resolve()))).toBe('other');
		expect(done).toEqual(['other']);
		open();
		await expect(bad).rejects.toThrow('no');
		expect(await Promise.all([first, second, third])).toEqual(['first', 'second', 'third']);
		expect(done).toEqual(['other', 'first', 'second', 'third']);
	});
});
