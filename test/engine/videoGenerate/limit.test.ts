import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import {
	CONTINUE,
	inLoop,
	type Mode,
	MODES,
	planned,
	plannedRows,
	toInput,
	useStage,
	videoGenerate,
} from '../../support/stage';

// Max Videos per Execution and per Day: what a node may spend, known before it spends it.

const stage = useStage();

const rows = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ prompt: planned(`video ${n}`, {}), n }));
const submitted = () => stage.sandbox.submissions().length;
const words = (message: RegExp) => expect.stringMatching(message) as string;

describe('Max Videos per Execution', () => {
	const limited = (maxVideos: unknown, onError: Mode = 'continueRegularOutput') =>
		videoGenerate({ wait: 'none', options: { cost: { maxVideos } } }, { onError });
	const run = async (maxVideos: unknown, input: IDataObject[], onError?: Mode) =>
		await stage.run(limited(maxVideos, onError), toInput(...input));

	it.each(MODES)('On Error: %s: of too many, none is submitted', async (onError) => {
		const message = 'This run would submit 3 videos, and Max Videos per Execution is 2';
		const result = await run(2, rows(3), onError);
		expect(submitted()).toBe(0);
		if (onError === 'stopWorkflow') {
			expect(result.error?.message).toBe(message);
			return;
		}
		const failed = result.outputs()[onError === 'continueErrorOutput' ? 1 : 0];
		expect(failed.map(({ json }) => json.error)).toMatchObject(
			rows(3).map(() => ({ message, next: 'changeRequest' })),
		);
	});

	it.each([
		['exactly as many are sent', 3, 3],
		['nothing given by an expression is refused', '={{ $json.nothing }}', 0],
		['the smallest of all items counts', '={{ [5, 2, 9][$json.n] }}', 0],
	])('%s', async (_what, maxVideos, expected) => {
		await run(maxVideos, rows(3));
		expect(submitted()).toBe(expected);
	});

	it('the limit of an item that cannot be read counts, too', async () => {
		await run('={{ $json.prompt ? 5 : 1 }}', [...rows(2), { prompt: '' }]);
		expect(submitted()).toBe(0);
	});

	it.each([
		['nothing that an earlier try has paid for counts', 2, ['queued', 'queued'], 3],
		['what is paid for keeps its task', 3, ['followTask', 'changeRequest', 'changeRequest'], 3],
	])('%s', async (_what, count, states, expected) => {
		// The first is paid for, and all others are refused.
		const refused = planned('refused once', { submit: ['forbidden', 'ok'] });
		const input = rows(count).map(({ n, prompt }) => ({ n, prompt: n > 0 ? refused + n : prompt }));
		const first = await stage.run(videoGenerate({ wait: 'none' }), toInput(...input));
		expect([first.status, submitted()]).toEqual(['error', count]);
		const { credentials } = stage;
		const { outputs } = await stage.engine.retry(first, { node: limited(1), credentials });
		expect(statesOf(outputs()[0])).toEqual(states);
		const [{ task_id }] = stage.sandbox.tasks();
		expect(JSON.stringify(outputs()[0][0])).toContain(task_id);
		expect(submitted()).toBe(expected);
	});

	it('failed renders that Retry On Fail submits anew count, also side by side', async () => {
		const options = { cost: { maxVideos: 4 } };
		const tries = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1, ...CONTINUE };
		const fails = { outcome: 'FAILURE', renderMs: 0 } as const;
		await stage.run(videoGenerate({ options }, tries), plannedRows(fails, fails, {}));
		expect(submitted()).toBe(4);
	});

	it('all passes of a loop count together, and none goes beyond', async () => {
		const result = await stage.engine.run({
			...inLoop(limited(3), 2),
			items: plannedRows({}, {}, {}, {}, {}),
			credentials: stage.credentials,
		});
		expect(statesOf(result.outputs('End')[0])).toEqual([
			...['queued', 'queued', 'changeRequest', 'changeRequest', 'queued'],
		]);
		expect(submitted()).toBe(3);
	});
});

describe('Max Videos per Day', () => {
	let count = 0;
	/** A node with a limit that no test has used before. */
	const limited = (maxVideosPerDay: unknown) =>
		videoGenerate(
			{ wait: 'none', options: { cost: { maxVideosPerDay } } },
			{ id: `limited-${count++}`, ...CONTINUE },
		);

	it('holds for executions at the same time, and for those after them', async () => {
		const node = limited(3);
		const runs = await Promise.all(
			[0, 1, 2].map(async () => await stage.run(node, toInput(...rows(2)))),
		);
		const states = runs.flatMap((result) => statesOf(result.outputs()[0]));
		expect(states.sort()).toEqual(['queued', 'queued', 'queued', 'retry', 'retry', 'retry']);
		const later = await stage.run(node, toInput(...rows(1)));
		expect(later.outputs()[0][0].json.error).toMatchObject({
			message: words(/this node has submitted 3 videos on \d{4}-\d\d-\d\d \(.+\), as many as/),
			billed: 'no',
		});
		expect(submitted()).toBe(3);
	});

	it('counts what may be paid for, and nothing that was refused', async () => {
		const node = limited(2);
		const states = [];
		for (const submit of ['forbidden', 'reset', 'ok', 'ok']) {
			const { outputs } = await stage.run(node, plannedRows({ submit: [submit] }));
			states.push(...statesOf(outputs()[0]));
		}
		expect(states).toEqual(['checkAccount', 'checkUsage', 'queued', 'retry']);
		expect(submitted()).toBe(3);
	});

	it('neither holds nor counts in the editor', async () => {
		const node = limited(1);
		await stage.run(node, toInput(...rows(3)), { mode: 'manual' });
		await stage.run(node, toInput(...rows(1)));
		expect(submitted()).toBe(4);
	});

	it('begins anew with each day of the workflow', async () => {
		const node = limited(1);
		// At no time is it the same day there.
		for (const timezone of ['Etc/GMT+12', 'Etc/GMT-14', 'Etc/GMT+12']) {
			await stage.run(node, toInput(...rows(1)), { settings: { timezone } });
		}
		expect(submitted()).toBe(2);
	});

	it.each([[1_001], ['={{ $json.nothing }}']])('submits nothing with %j', async (max) => {
		await stage.run(limited(max), toInput(...rows(1)));
		expect(submitted()).toBe(0);
	});
});

function statesOf(items: INodeExecutionData[]) {
	return items.map(({ json }) => json.status ?? (json.error as IDataObject).next);
}
