import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import { hurry } from '../../support/clock';
import {
	durable,
	expectVideos,
	jsonOf,
	rows,
	SLOW,
	statusesOf,
	useDurableStage,
} from './support/stage';

const stage = useDurableStage();

const begin = async (parameters: IDataObject = {}, settings = {}, plans = [SLOW, SLOW]) =>
	await stage.begin({ node: durable(parameters, settings), items: rows(...plans) });

describe('Stop on the caller', () => {
	it('keeps the ids, and its sub-executions end with the videos', async () => {
		const { engine, credentials } = stage;
		const execution = engine.start({ node: durable(), items: rows(SLOW, SLOW), credentials });
		const { executionId } = await execution.done;
		await execution.stop();
		await stage.toEnd(stage.subExecutions()[0]);
		const caller = engine.executions().find((result) => result.executionId === executionId)!;
		expect(caller.status).toBe('canceled');
		expect(caller.customData.video_task_ids).toBe(stage.taskIds().join(','));
		expect(statusesOf(stage.subExecutions())).toEqual(['success', 'success']);
		expect(stage.sandbox.submissions()).toHaveLength(2);
	});
});

describe('looks that meet trouble', () => {
	let haste = { restore: () => {} };
	beforeEach(() => (haste = hurry(300)));
	afterEach(() => haste.restore());

	const lasting: Array<[string, string, number]> = [
		['a key that is refused', 'unauthorized', 5],
		['a task that is not known', 'notExist', 6],
		['a gateway that is down', 'html502', 60],
	];
	it.each(lasting)('%s: gives up after a while, with the id', async (_name, fault, polls) => {
		const plan = { poll: { always: fault } };
		const sleeping = await begin({ options: { maxWait: 600 } }, {}, [plan]);
		const result = await stage.toEnd(sleeping);
		const [task_id] = stage.taskIds();
		expect(result.status).toBe('error');
		expect(result.error?.message).toMatch(/^The task can no longer be followed/);
		expect(result.error?.message).toContain(`(task ${task_id}) [item 0]`);
		// n8n does not run a node again that has slept.
		expect(result.error?.description).not.toMatch(/retry of this execution/i);
		expect(stage.sandbox.polls()).toHaveLength(polls);
	});

	it('that passes: goes on as if nothing had been', async () => {
		const poll = [...Array(5).fill('html502'), ...Array(2).fill('unauthorized')] as string[];
		await expectVideos(stage, await begin({}, {}, [{ poll }, SLOW]));
	});
});

describe('the first failure in the default mode', () => {
	it('ends the wait for the others, and names them', async () => {
		const failing: Plan = { outcome: 'FAILURE', failReason: 'Not allowed', renderMs: 90_000 };
		const result = await stage.toEnd(await begin({}, {}, [{ outcome: 'never' }, failing]));
		const [other, failed] = stage.taskIds();
		expect(result.error?.message).toContain(`(task ${failed}) [item 1]`);
		expect(result.error?.description).toContain(other);
		expect(stage.sandbox.polls(other).length).toBeLessThanOrEqual(2);
	});

	it('does not in the other modes', async () => {
		const failing: Plan = { outcome: 'FAILURE', renderMs: 90_000 };
		const sleeping = await begin({}, { onError: 'continueRegularOutput' }, [SLOW, failing]);
		const [items] = (await stage.toEnd(sleeping)).outputs();
		expect(jsonOf(items)).toMatchObject([{ status: 'SUCCESS' }, { error: { status: 'FAILURE' } }]);
	});
});
