import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { createAgentPace } from '../../../../nodes/shared/agent/pace';
import { inTurn } from '../../../../nodes/shared/lib/turns';

// How long an agent's tools wait, in virtual time.

const execution = () => {
	const flow: IDataObject = {};
	const getContext = (type: string) => (type === 'flow' ? flow : {});
	return { getContext } as unknown as IExecuteFunctions;
};

const paceAt = (context: IExecuteFunctions, now: () => number) =>
	createAgentPace({ context, clock: { now, random: Math.random, pause: async () => {} } });

describe('how long tools wait', () => {
	it('all calls for new videos share 20 seconds of their execution', () => {
		let nowMs = 1_000_000;
		const context = execution();
		const left = (of = context) => paceAt(of, () => nowMs).forNewTasksMs();
		expect(left()).toBe(20_000);
		nowMs += 15_000;
		expect(left()).toBe(5_000);
		nowMs += 3_600_000;
		expect(left()).toBe(0);
		expect(left(execution())).toBe(20_000);
	});

	it.each(['__proto__', 'constructor', 'toString'])('a task may be called %s', (task_id) => {
		const pace = paceAt(execution(), () => 1_000_000);
		expect(pace.untilNewsMs(task_id)).toBe(0);
		pace.told(task_id);
		expect(pace.untilNewsMs(task_id)).toBe(45_000);
	});

	it('an agent hears every 45 seconds of a task that is not finished', () => {
		let nowMs = 1_000_000;
		const context = execution();
		const paceOf = () => paceAt(context, () => nowMs);
		expect(paceOf().untilNewsMs('a')).toBe(0);
		paceOf().told('a');
		expect([paceOf().untilNewsMs('a'), paceOf().untilNewsMs('b')]).toEqual([45_000, 0]);
		nowMs += 40_000;
		expect(paceOf().untilNewsMs('a')).toBe(5_000);
		nowMs += 3_600_000;
		expect(paceOf().untilNewsMs('a')).toBe(0);
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
