import type { IDataObject } from 'n8n-workflow';

import type { Plan, RequestRecord } from '../../../sandbox/service';
import { CONTINUE, plannedRows, promptsOf, useStage, videoGenerate } from '../../support/stage';
import { searchable } from './support/faults';

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

const run = async (plans: Plan[], parameters: IDataObject = {}) =>
	await stage.run(videoGenerate(parameters, CONTINUE), plannedRows(...plans), { mode: 'manual' });
const taskIds = () => stage.sandbox.tasks().map(({ task_id }) => task_id);

it('60 items are 60 videos, each in its place', async () => {
	const plans = Array.from({ length: 60 }, (_, i) => ({ renderMs: (i * 37) % 300 }));
	const result = await run(plans, { options: { polling: { pollInterval: 0.3 } } });
	const [items] = result.outputs();
	expect(stage.sandbox.submissions()).toHaveLength(60);
	expect(promptsOf(stage, items)).toEqual(plannedRows(...plans).map(({ json }) => json.prompt));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(plans.map((_, item) => ({ item })));
	expect(items.every(({ json }) => json.status === 'SUCCESS')).toBe(true);
	// Custom data takes no more than these.
	const found = searchable(result.customData);
	expect(found.length).toBeGreaterThan(40);
	expect(taskIds()).toEqual(expect.arrayContaining(found));
});

it('Batch Concurrency: so many requests are under way at most', async () => {
	const plans = Array.from({ length: 12 }, () => ({
		// Long enough for all of them to be under way, also on a busy machine.
		submit: { delayMs: 30 },
		poll: [{ delayMs: 10 }],
	}));
	await run(plans, { options: { polling: { concurrency: 3 } } });
	expect(load).toEqual({ now: 0, most: 3 });
});

it('the editor hears of every task, each state once, and of the sum', async () => {
	const result = await run([{ renderMs: 600, progress: 'absent' }, { renderMs: 0 }]);
	const shown = result.uiMessages.flatMap(({ messages }) => messages as string[]);
	expect(taskIds()).toHaveLength(2);
	taskIds().forEach((id) => {
		const ofTask = shown.filter((message) => message.includes(id));
		expect(ofTask.at(-1)).toMatch(/SUCCESS 100%/);
		expect(new Set(ofTask).size).toBe(ofTask.length);
	});
	expect(shown.filter((message) => message.includes('item 0')).length).toBeGreaterThan(1);
	const message = expect.stringMatching(/^2 videos in \d+ s: 2 submitted \(2 done\)\./) as string;
	const pin = expect.stringMatching(
		/^While you build, pin .* once you reload the page, or change this node/,
	) as string;
	expect(result.hints()).toMatchObject([
		{ message, location: 'outputPane' },
		{ message: pin, type: 'info' },
	]);
});
