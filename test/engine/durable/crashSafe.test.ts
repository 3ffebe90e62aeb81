import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import { hurry, until } from '../../support/clock';
import type { DeathDetails, RunResult } from '../../support/engine';
import { describeSleep, durable, errorOf, jsonOf, useDurableStage } from './support/stage';
import { promptsOf, rows } from './support/videos';

const stage = useDurableStage();

/** Answers so late that n8n can die before. */
const LATE: Plan = { submit: [{ delayMs: 700 }] };
const UNCLEAR = 'unclear';
const CONTINUE = { onError: 'continueRegularOutput' } as const;
const STOP = { onError: 'stopWorkflow' } as const;

const crashSafe = (settings: IDataObject = CONTINUE, options: IDataObject = {}) =>
	durable({ options: { crashSafeSubmit: true, concurrency: 2, ...options } }, settings);

const begin = async (plans: Array<Plan | null>, settings: IDataObject = CONTINUE) =>
	await stage.engine.run({
		node: crashSafe(settings),
		items: rows(...plans),
		credentials: stage.credentials,
	});

/** Lets it come to its end, or to that of the caller where that has died. */
async function toEnd(caller: RunResult): Promise<RunResult> {
	let result = await stage.engine.settle(caller);
	for (let looks = 0; result.status === 'waiting' && looks < 5; looks++) {
		await stage.lookOnce(result);
		result = await stage.engine.settle(caller);
	}
	return result;
}

const submissions = () => stage.sandbox.submissions().length;
const submitted = async (count: number) => await until(() => submissions() === count);

/** By item: the state of its task, or that it is unclear whether there is one, or its error. */
const states = ({ outputs }: RunResult) =>
	outputs()[0].map(({ json }) => {
		const { next, message } = (json.error ?? {}) as IDataObject;
		return next === 'checkUsage' ? UNCLEAR : (message ?? json.status);
	});

const done = (count: number) => Array<string>(count).fill('SUCCESS');

let haste = { restore: () => {} };
beforeEach(() => (haste = hurry(100)));
afterEach(() => haste.restore());

describeSleep(stage, 'submits that n8n cannot forget', () => {
	it('are made in chunks behind the sleep, and give the same items', async () => {
		const plans = [{}, {}, {}, {}, {}];
		const parked = await begin(plans);
		expect(parked.status).toBe('waiting');
		const result = await toEnd(parked);
		const items = result.outputs()[0];
		expect(states(result)).toEqual(done(5));
		expect(promptsOf(stage, items)).toEqual(rows(...plans).map(({ json }) => json.prompt));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(plans.map((_, item) => ({ item })));
		expect(jsonOf(items)).toMatchObject(plans.map(() => ({ reused: false, poll_count: 1 })));
		expect(submissions()).toBe(5);
		const [, submitter] = stage.subExecutions();
		const ids = submitter.customData.video_task_ids.split(',').sort();
		expect(ids).toEqual(stage.taskIds().sort());
	});

	it('carry on what came in, if they are to', async () => {
		const node = crashSafe(CONTINUE, { includeOtherFields: true });
		const items = rows({}, {});
		const result = await toEnd(await stage.begin({ node, items }));
		expect(jsonOf(result.outputs()[0])).toMatchObject(
			items.map(({ json }) => ({ ...json, status: 'SUCCESS' })),
		);
	});

	it('come after nothing but a stored wait: there is none while the caller runs on', async () => {
		const { engine, credentials } = stage;
		const node = crashSafe();
		const seen: number[] = [];
		const execution = engine.start({ node, items: rows({}, {}), credentials });
		const caller = await execution.done;
		seen.push(submissions());
		await engine.settle();
		expect([...seen, caller.status, submissions()]).toEqual([0, 'waiting', 2]);
	});

	it('are refused where their pictures are more than n8n should store again and again', async () => {
		const node = durable(
			{
				imageSource: 'base64',
				image: `data:image/png;base64,iVBORw0KGgo${'A'.repeat(9 * 1024 ** 2 + 1)}`,
				options: { crashSafeSubmit: true },
			},
			CONTINUE,
		);
		const { engine, credentials } = stage;
		const result = await engine.run({ node, items: rows({}, {}), credentials });
		const errors = result.outputs()[0].map(errorOf);
		expect(errors.map(({ message }) => message)).toEqual(
			[0, 1].map((item) =>
				expect.stringMatching(new RegExp(`these are 18 MB, above the 16 MB .*\\[item ${item}\\]$`)),
			),
		);
		expect([submissions(), stage.subExecutions()]).toEqual([0, []]);
	});

	it.each([
		['In Process', { wait: 'inProcess' }],
		['Do Not Wait', { wait: 'none' }],
	])('are no other with %s', async (_name, parameters) => {
		const node = durable({ ...parameters, options: { crashSafeSubmit: true } });
		const result = await stage.begin({ node, items: rows({}, {}) });
		expect([result.status, submissions()]).toEqual(['success', 2]);
		expect(stage.subExecutions()).toEqual([]);
	});
});

interface Death {
	/** What is submitted; the death comes once so many submits are under way or done. */
	plans: Plan[];
	at: number;
	how?: DeathDetails;
	/** By item, in a Continue mode. */
	left: string[];
	paid: number;
}

const chunkOf = (plan: Plan) => [plan, plan];

const DEATHS: Array<[string, Death]> = [
	[
		'in the first chunk',
		{ plans: [LATE, LATE, {}, {}], at: 2, left: [UNCLEAR, UNCLEAR, ...done(2)], paid: 4 },
	],
	[
		'in the first chunk, without an event log',
		{
			...{ plans: [LATE, LATE, {}, {}], at: 2, how: { eventLog: false } },
			...{ left: [UNCLEAR, UNCLEAR, ...done(2)], paid: 4 },
		},
	],
	[
		'in a later chunk',
		{
			plans: [...chunkOf({}), ...chunkOf(LATE), ...chunkOf({})],
			at: 4,
			left: [...done(2), UNCLEAR, UNCLEAR, ...done(2)],
			paid: 6,
		},
	],
	[
		'in the last chunk',
		{
			plans: [...chunkOf({}), ...chunkOf(LATE)],
			at: 4,
			left: [...done(2), UNCLEAR, UNCLEAR],
			paid: 4,
		},
	],
	[
		'and what it had saved is erased',
		{
			plans: [...chunkOf({}), ...chunkOf(LATE), ...chunkOf({})],
			at: 4,
			how: { erased: true },
			left: Array<string>(6).fill(UNCLEAR),
			paid: 4,
		},
	],
];

describeSleep(stage, 'n8n that dies', () => {
	it.each(DEATHS)('%s: pays for each video once', async (_name, { plans, at, how, left, paid }) => {
		const parked = await begin(plans);
		await submitted(at);
		await stage.engine.die(how);
		const result = await toEnd(parked);
		expect(states(result)).toEqual(left);
		expect(submissions()).toBe(paid);
		expect(stage.sandbox.tasks()).toHaveLength(paid);
	});

	it('in the first chunk, On Error is Stop: says so, and submits nothing more', async () => {
		const parked = await begin([{}, {}, LATE, LATE, {}], STOP);
		await submitted(4);
		await stage.engine.die();
		const result = await toEnd(parked);
		expect(result.status).toBe('error');
		expect(result.error?.message).toMatch(/may or may not have been accepted: n8n was interrupted/);
		expect(result.error?.description).toContain(stage.taskIds()[0]);
		expect(submissions()).toBe(4);
	});

	it('and had not stored what was begun: nothing was submitted until it had', async () => {
		const parked = await begin([LATE, LATE]);
		stage.engine.loseProgress(4);
		await submitted(2);
		await stage.engine.die();
		const result = await toEnd(parked);
		expect(states(result)).toEqual([UNCLEAR, UNCLEAR]);
		expect(submissions()).toBe(2);
	});

	it('before anything is submitted: submits all of it then', async () => {
		const parked = await begin([{}, {}, {}]);
		await stage.engine.die();
		expect(submissions()).toBe(0);
		const result = await toEnd(parked);
		expect(states(result)).toEqual(done(3));
		expect(submissions()).toBe(3);
	});

	it('again and again before anything is submitted: gives up, and nothing is paid', async () => {
		const parked = await begin([{}, {}]);
		for (let death = 0; death < 20; death++) await stage.engine.die();
		const result = await toEnd(parked);
		expect(states(result)).toEqual(
			[0, 1].map(() => expect.stringMatching(/not submitted.*20 times/)),
		);
		expect(errorOf(result.outputs()[0][0])).toMatchObject({ retryable: true, next: 'retry' });
		expect(submissions()).toBe(0);
	});

	it('while all sleep, and while they are checked: goes on with the tasks', async () => {
		const parked = await begin([{ renderMs: 180_000 }, { renderMs: 180_000 }, {}]);
		const sleeping = await stage.engine.settle(parked);
		await stage.engine.crash(sleeping);
		const result = await toEnd(await stage.engine.settle(parked));
		expect(states(result)).toEqual(done(3));
		expect(submissions()).toBe(3);
	});
});

describeSleep(stage, 'a Submitter that n8n takes for dead', () => {
	it('ends what it has begun and begins no more: each video is there, and paid once', async () => {
		haste.restore();
		haste = hurry(5);
		const soon = { submit: [{ delayMs: 150 }] };
		const parked = await begin([...chunkOf(soon), ...chunkOf({}), ...chunkOf({})]);
		await submitted(2);
		await stage.engine.takeForDead();
		const result = await toEnd(parked);
		expect(states(result)).toEqual(done(6));
		expect(submissions()).toBe(6);
	});

	it('is not waited for longer than a while: what it has begun is unclear', async () => {
		const parked = await begin([...chunkOf(LATE), ...chunkOf({}), ...chunkOf({})]);
		await submitted(2);
		await stage.engine.takeForDead();
		const result = await toEnd(parked);
		expect(states(result)).toEqual([UNCLEAR, UNCLEAR, ...done(4)]);
		expect(submissions()).toBe(6);
	});

	it('does not begin at all where it is taken for dead at once', async () => {
		const parked = await begin([{}, {}, {}]);
		await stage.engine.takeForDead();
		const result = await toEnd(parked);
		expect(states(result)).toEqual(done(3));
		expect(submissions()).toBe(3);
	});
});

describeSleep(stage, 'a submit of a chunk', () => {
	const REFUSED = { submit: 'forbidden' };

	it('that is refused in the default mode: the next chunk is not begun', async () => {
		const result = await toEnd(await begin([{}, REFUSED, {}, {}], STOP));
		expect(result.status).toBe('error');
		expect(result.error?.message).toMatch(/was not submitted.*\[item 1\]/);
		expect(result.error?.description).toContain(stage.taskIds()[0]);
		expect([submissions(), stage.sandbox.tasks().length]).toEqual([2, 1]);
	});

	it.each([
		['refused', 'forbidden', expect.stringMatching(/was not submitted/), 4],
		['unclear', 'acceptThen500', UNCLEAR, 5],
	])('that is %s in a Continue mode: the others go on', async (_name, submit, state, paid) => {
		const result = await toEnd(await begin([{}, { submit }, {}, {}, {}]));
		expect(states(result)).toEqual(['SUCCESS', state, ...done(3)]);
		expect(submissions()).toBe(5);
		expect(stage.sandbox.tasks()).toHaveLength(paid);
	});

	it('beside an item that could not be read, with Retry On Fail: nothing is tried twice', async () => {
		const settings = { ...CONTINUE, retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
		const result = await toEnd(await begin([null, {}, {}], settings));
		expect(states(result)).toEqual([expect.stringMatching(/Prompt is empty/), ...done(2)]);
		expect(submissions()).toBe(2);
	});
});

describeSleep(stage, 'a caller that is not there any more', () => {
	it('by Stop: no further chunk is submitted', async () => {
		const { engine, credentials } = stage;
		const items = rows(LATE, LATE, {}, {});
		const execution = engine.start({ node: crashSafe(), items, credentials });
		await execution.done;
		await submitted(2);
		await execution.stop();
		await engine.settle();
		expect(submissions()).toBe(2);
	});

	it('because it died before it was parked: nothing is submitted', async () => {
		const { engine } = stage;
		const parked = await begin([{}, {}]);
		engine.remove(parked);
		await engine.settle();
		expect(submissions()).toBe(0);
	});
});
