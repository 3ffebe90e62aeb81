import type { IDataObject } from 'n8n-workflow';

import type { Plan, RequestRecord } from '../../../sandbox/service';
import { runs } from '../../support/runs';
import {
	CONTINUE,
	KEY,
	plannedRows,
	promptsOf,
	useStage,
	videoGenerate,
} from '../../support/stage';
import { room, searchable } from './accounts';
import { always } from './play';
import { watchSignals } from './support/listeners';

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

const run = async (plans: Plan[], parameters: IDataObject = {}, more: object = {}) =>
	await stage.run(videoGenerate(parameters, CONTINUE), plannedRows(...plans), {
		mode: 'manual',
		...more,
	});
const taskIds = () => stage.sandbox.tasks().map(({ task_id }) => task_id);
const MANY = runs(1000);
it(`${MANY} items in one node are ${MANY} videos, each in its place`, async () => {
	const { sandbox } = stage;
	sandbox.set({ latencyMs: 10 });
	const plans = Array.from({ length: MANY }, (_, i) => ({ renderMs: (i * 37) % 300 }));
	const result = await run(plans, { options: { polling: { pollInterval: 0.3 } } });
	const [items] = result.outputs();
	expect(result.status).toBe('success');
	expect(sandbox.submissions()).toHaveLength(MANY);
	expect(promptsOf(stage, items)).toEqual(plannedRows(...plans).map(({ json }) => json.prompt));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(plans.map((_, item) => ({ item })));
	expect(items.every(({ json }) => json.status === 'SUCCESS')).toBe(true);
	expect(load).toEqual({ now: 0, most: 10 });
	const kept = taskIds().slice(0, room(sandbox.tasks()));
	expect(kept.length).toBeGreaterThan(40);
	expect(searchable(result.customData).sort()).toEqual(kept.sort());
	const hints = result.hints().map(({ message }) => message);
	expect(hints).toContainEqual(
		expect.stringMatching(`^${MANY} videos in .*: ${MANY} submitted \\(${MANY} done\\)`),
	);
}, 60_000);

it.each([1, 3, 25])('a batch has %i requests under way at most', async (concurrency) => {
	const plans = Array.from({ length: 40 }, () => ({
		// Long enough for all of them to be under way, also on a busy machine.
		submit: { delayMs: 10 * concurrency },
		poll: [{ delayMs: 10 }, { delayMs: 10 }],
	}));
	const signals = watchSignals();
	await run(plans, { options: { polling: { concurrency } } });
	signals.restore();
	expect(load).toEqual({ now: 0, most: concurrency });
	expect(signals.crowded()).toBe(0);
});

it('a batch renders side by side whatever the concurrency', async () => {
	await run(Array<Plan>(8).fill({ renderMs: 1_500 }), { options: { polling: { concurrency: 1 } } });
	const submitted = stage.sandbox.submissions().map(({ at }) => at);
	expect(Math.max(...submitted) - Math.min(...submitted)).toBeLessThan(1_500);
});

it('a batch sums up what became of it', async () => {
	const ends: Plan[] = [
		{},
		{},
		{ outcome: 'FAILURE' },
		{ submit: 'forbidden' },
		{ submit: 'acceptThen500' },
		{ poll: always('notExist') },
		{ outcome: 'never' },
	];
	const result = await run(ends, { options: { maxWait: 0.01 } });
	expect(result.hints()).toEqual([
		{
			message: expect.stringMatching(
				/^7 videos in \d+ s: 5 submitted \(2 done, 1 failed, 2 still rendering\), 1 refused, 1 unclear\. Cost: not told by/,
			),
			type: 'warning',
			location: 'outputPane',
		},
		expect.objectContaining({ message: expect.stringMatching(/^While you build/) }),
	]);
});

it('a finished file is used in other steps by its task ID, because pinning it would pay again', async () => {
	const result = await run([{}], { downloadVideo: true });
	const message = expect.stringMatching(
		/^While you build, get videos by their task IDs with Video Download: /,
	);
	expect(result.hints()).toContainEqual(expect.objectContaining({ message }));
});

it('a batch tells the editor of every task, each state once', async () => {
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

it.each([KEY, `Bearer ${KEY}`])('the key is shown nowhere; typed as %s', async (apiKey) => {
	const error = { error: { message: `Invalid token ${KEY}`, type: 'x', code: '' } };
	const quoting = { status: 401, json: error };
	const plans: Plan[] = [
		{ submit: quoting },
		{ poll: always(quoting) },
		{ submit: { status: 500, json: error } },
		{ outcome: 'FAILURE', failReason: `The key ${KEY} may not do this` },
		{},
	];
	const videoGenerationApi = { baseUrl: stage.sandbox.url, apiKey };
	const options = { rawResponse: true };
	const result = await run(plans, { options }, { credentials: { videoGenerationApi } });
	const { logs, uiMessages, customData, contextData } = result;
	expect(logs.length).toBeGreaterThan(0);
	expect(JSON.stringify(result.outputs())).toContain('[API key]');
	// The input holds the plans, which quote the key themselves.
	for (const part of [
		result.outputs(),
		result.hints(),
		logs,
		uiMessages,
		customData,
		contextData,
	]) {
		expect(JSON.stringify(part)).not.toContain(KEY);
	}
});
