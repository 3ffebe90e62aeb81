import type { IDataObject } from 'n8n-workflow';

import type { Plan, RequestRecord } from '../../../sandbox/service';
import { runs } from '../../support/runs';
import { CONTINUE, plannedRows, promptsOf, useStage, videoGenerate } from '../../support/stage';
import { always, failing, searchable, testFaults, type FaultRow } from './support/faults';

// Many items in one node.

const load = { now: 0, most: 0 };
const stage = useStage({ renderMs: 20, logger: () => void load.now-- });

beforeAll(() => {
	const { requests } = stage.sandbox;
	// The service notes a request when it comes, and logs it when its answer has ended.
	requests.push = (...records: RequestRecord[]) => {
		load.most = Math.max(load.most, ++load.now);
		return Array.prototype.push.apply(requests, records);
	};
});
beforeEach(() => void Object.assign(load, { now: 0, most: 0 }));

const WRONG_KEY = 'the service refuses the API key';
const lost = failing(new RegExp(`^The task can no longer be followed: ${WRONG_KEY}`));
const notSubmitted = failing(new RegExp(`^The video was not submitted: ${WRONG_KEY}`));

/** A key that pays for so many tasks. */
const budgetOf = (tasks: number) => `sandbox-budget-${tasks}`;

/** What one item meets is no business of the others. */
const rows: FaultRow[] = [
	{
		fault: 'a good one, a failing one, an unclear one, a refused one',
		plans: [
			{},
			{ outcome: 'FAILURE', renderMs: 0 },
			{ submit: 'acceptThen500' },
			{ submit: 'forbidden' },
		],
		ends: [
			'SUCCESS',
			failing(/could not be rendered/),
			failing(/^The video may or may not have been accepted/),
			failing(/was not submitted/, { http_code: 403 }),
		],
		paid: 3,
	},
	{
		fault: 'the key is used up in the middle of a batch',
		plans: [{}, {}, {}],
		ends: [lost, lost, notSubmitted],
		key: budgetOf(2),
		parameters: { options: { polling: { concurrency: 1, pollInterval: 0.1 } } },
		paid: 2,
	},
];
testFaults(stage, rows);

const run = async (plans: Plan[], parameters: IDataObject = {}) =>
	await stage.run(videoGenerate(parameters, CONTINUE), plannedRows(...plans), { mode: 'manual' });
const taskIds = () => stage.sandbox.tasks().map(({ task_id }) => task_id);

const MANY = runs(300);
it(`${MANY} items are ${MANY} videos, each in its place`, async () => {
	const plans = Array.from({ length: MANY }, (_, i) => ({ renderMs: (i * 37) % 300 }));
	const result = await run(plans, { options: { polling: { pollInterval: 0.3 } } });
	const [items] = result.outputs();
	expect(stage.sandbox.submissions()).toHaveLength(MANY);
	expect(promptsOf(stage, items)).toEqual(plannedRows(...plans).map(({ json }) => json.prompt));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(plans.map((_, item) => ({ item })));
	expect(items.every(({ json }) => json.status === 'SUCCESS')).toBe(true);
	// Custom data takes no more than these.
	const found = searchable(result.customData);
	expect(found.length).toBeGreaterThan(40);
	expect(taskIds()).toEqual(expect.arrayContaining(found));
}, 60_000);

it.each([1, 3])('Batch Concurrency %i: so many requests are under way at most', async (most) => {
	const plans = Array.from({ length: 20 }, () => ({
		// Long enough for all of them to be under way, also on a busy machine.
		submit: { delayMs: 10 * most },
		poll: [{ delayMs: 10 }, { delayMs: 10 }],
	}));
	await run(plans, { options: { polling: { concurrency: most } } });
	expect(load).toEqual({ now: 0, most });
});

it('a batch sums up what became of it', async () => {
	const ends: Plan[] = [
		...[{}, {}, { outcome: 'FAILURE' }, { submit: 'forbidden' }, { submit: 'acceptThen500' }],
		...[{ poll: always('notExist') }, { outcome: 'never' }],
	];
	const result = await run(ends, { options: { maxWait: 0.01 } });
	const [summary, pin] = result.hints();
	expect(summary).toMatchObject({ type: 'warning', location: 'outputPane' });
	expect(summary.message).toMatch(
		/^7 videos in \d+ s: 5 submitted \(2 done, 1 failed, 2 still rendering\), 1 refused, 1 unclear\. Cost: not told by/,
	);
	expect(pin.message).toMatch(/^While you build, /);
});

it('the editor hears of every task, each state once', async () => {
	const result = await run([{ renderMs: 600, progress: 'absent' }, { renderMs: 0 }]);
	const shown = result.uiMessages.flatMap(({ messages }) => messages as string[]);
	expect(taskIds()).toHaveLength(2);
	taskIds().forEach((id) => {
		const ofTask = shown.filter((message) => message.includes(id));
		expect(ofTask.at(-1)).toMatch(/SUCCESS 100%/);
		expect(new Set(ofTask).size).toBe(ofTask.length);
	});
	expect(shown.filter((message) => message.includes('item 0')).length).toBeGreaterThan(1);
});
