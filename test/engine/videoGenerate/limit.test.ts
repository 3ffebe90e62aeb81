import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import {
	CONTINUE,
	inLoop,
	type Mode,
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

	it('of too many, none is submitted', async () => {
		const message = 'This run would submit 3 videos, and Max Videos per Execution is 2';
		expect((await run(2, rows(3), 'stopWorkflow')).error?.message).toBe(message);
		const failed = (await run(2, rows(3))).outputs()[0];
		expect(failed.map(({ json }) => json.error)).toMatchObject(
			rows(3).map(() => ({ message, next: 'changeRequest' })),
		);
		expect(submitted()).toBe(0);
	});

	it('is 100 if nobody sets it, and says where', async () => {
		const { error } = await stage.run(videoGenerate({ wait: 'none' }), toInput(...rows(101)));
		expect([error?.message, error?.description]).toEqual([
			'This run would submit 101 videos, and Max Videos per Execution is 100',
			words(/raise Options > Cost > Max Videos per Execution\./),
		]);
		expect(submitted()).toBe(0);
		await run(101, rows(101));
		expect(submitted()).toBe(101);
	});

	it('stops a loop that orders again and again', async () => {
		const node = videoGenerate({ wait: 'none' });
		const items = toInput(...rows(120));
		const { error } = await stage.engine.run({
			...inLoop(node, 40),
			...{ items, credentials: stage.credentials },
		});
		expect(error?.message).toMatch(/^This execution may submit 100 videos .*, and 80 of them are/);
		expect(error?.description).toMatch(
			/^Nothing more was submitted\. If a loop comes back.*: Retry execution then submits only the rest\./,
		);
		expect(error?.description).not.toMatch(/Nothing was submitted/);
		expect(submitted()).toBe(80);
	});

	it.each([
		['exactly as many are sent', 3, 3],
		['nothing given by an expression is refused', '={{ $json.nothing }}', 0],
		['the smallest of all items counts', '={{ [5, 2, 9][$json.n] }}', 0],
		['that of an item that cannot be read counts, too', '={{ [5, 5, 1][$json.n] }}', 0],
	])('%s', async (what, maxVideos, expected) => {
		const input = rows(3);
		if (/cannot be read/.test(what)) input[2].prompt = '';
		await run(maxVideos, input);
		expect(submitted()).toBe(expected);
	});

	it.each([
		[0, ['followTask', 'changeRequest'], 2],
		[1, ['queued', 'queued'], 3],
	])('%i: what is paid for keeps its task, and does not count', async (max, states, expected) => {
		// The first is paid for, and the other is refused.
		const [first, second] = rows(2);
		const refused = planned('refused once', { submit: ['forbidden', 'ok'] });
		const items = toInput(first, { ...second, prompt: refused });
		const failed = await stage.run(videoGenerate({ wait: 'none' }), items);
		expect([failed.status, submitted()]).toEqual(['error', 2]);
		const { credentials } = stage;
		const retried = await stage.engine.retry(failed, { node: limited(max), credentials });
		const [output] = retried.outputs();
		expect(statesOf(output)).toEqual(states);
		expect(JSON.stringify(output[0])).toContain(stage.sandbox.tasks()[0].task_id);
		expect(submitted()).toBe(expected);
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

	it('submits nothing where an expression gives none', async () => {
		await stage.run(limited('={{ $json.nothing }}'), toInput(...rows(1)));
		expect(submitted()).toBe(0);
	});
});

function statesOf(items: INodeExecutionData[]) {
	return items.map(({ json }) => json.status ?? (json.error as IDataObject).next);
}
