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

interface Settings extends IDataObject {
	onError?: Mode;
}

/** Video Generate with such options over such rows. */
const run = async (
	cost: IDataObject,
	input: IDataObject[],
	{ onError = 'continueRegularOutput', ...parameters }: Settings = {},
) =>
	await stage.run(
		videoGenerate({ ...parameters, options: { cost } }, { onError }),
		toInput(...input),
	);

const SAYS = 'This run would submit 3 videos, and Max Videos per Execution is 2';

describe('more than Max Videos per Execution', () => {
	it.each(MODES)('On Error: %s: none is submitted', async (onError) => {
		const result = await run({ maxVideos: 2 }, rows(3), { onError });
		expect(submitted()).toBe(0);
		if (onError === 'stopWorkflow') {
			expect(result.error?.message).toBe(SAYS);
			expect(result.error?.description).toMatch(/^Nothing was submitted\. Send fewer items/);
			return;
		}
		const failed = result.outputs()[onError === 'continueErrorOutput' ? 1 : 0];
		expect(failed.map(({ json }) => json.error)).toEqual(
			rows(3).map(() => expect.objectContaining({ message: SAYS, next: 'changeRequest' })),
		);
	});
});

describe('what counts', () => {
	it.each([
		['exactly as many', { maxVideos: 3 }, 3, 3],
		['nothing given by an expression is refused', { maxVideos: '={{ $json.nothing }}' }, 3, 0],
		['the smallest of all items', { maxVideos: '={{ [5, 2, 9][$json.n] }}' }, 3, 0],
	])('%s', async (_name, options, count, expected) => {
		await run(options, rows(count));
		expect(submitted()).toBe(expected);
	});

	it('the limit of an item that cannot be read', async () => {
		const maxVideos = '={{ $json.prompt ? 5 : 1 }}';
		const result = await run({ maxVideos }, [...rows(2), { prompt: '' }]);
		expect(submitted()).toBe(0);
		expect(result.outputs()[0][0].json.error).toMatchObject({
			message: expect.stringMatching(
				/would submit 2 videos, and Max Videos per Execution is 1/,
			) as string,
		});
	});

	/** A try whose first video is paid for, and all others refused, retried with such a limit. */
	async function retry(count: number, maxVideos: number) {
		const refused = planned('refused once', { submit: ['forbidden', 'ok'] });
		const input = rows(count).map(({ n, prompt }) => ({ n, prompt: n > 0 ? refused + n : prompt }));
		const first = await run({}, input, { onError: 'stopWorkflow', wait: 'none' });
		expect([first.status, submitted()]).toEqual(['error', count]);
		const node = videoGenerate({ wait: 'none', options: { cost: { maxVideos } } }, CONTINUE);
		const { outputs } = await stage.engine.retry(first, {
			node,
			credentials: stage.credentials,
		});
		return outputs()[0].map(({ json }) => json);
	}

	it('nothing that an earlier try has paid for', async () => {
		const items = await retry(2, 1);
		expect(items).toMatchObject([{ reused: true }, { reused: false }]);
		expect(submitted()).toBe(3);
	});

	it('all the others, and what is paid for keeps its task', async () => {
		const items = await retry(3, 1);
		const [{ task_id }] = stage.sandbox.tasks();
		expect(items.map(({ error }) => error)).toEqual([
			expect.objectContaining({ task_id, next: 'followTask' }),
			...[1, 2].map(() => expect.objectContaining({ next: 'changeRequest' })),
		]);
		expect(submitted()).toBe(3);
	});

	it('all passes of a loop together, and no pass that would go beyond them', async () => {
		const settings = CONTINUE;
		const node = videoGenerate({ wait: 'none', options: { cost: { maxVideos: 3 } } }, settings);
		const result = await stage.engine.run({
			...inLoop(node, 2),
			items: plannedRows({}, {}, {}, {}, {}),
			credentials: stage.credentials,
		});
		const [, , third, fourth, fifth] = result.outputs('End')[0].map(({ json }) => json);
		expect([third.error, fourth.error]).toEqual(
			[0, 1].map(() =>
				expect.objectContaining({
					message:
						'This execution may submit 3 videos (Max Videos per Execution), and 2 of them are submitted already',
					description:
						'Nothing more was submitted. Send fewer items, or raise Max Videos per Execution.',
				}),
			),
		);
		expect([fifth.billed, submitted()]).toEqual(['yes', 3]);
	});
});

describe('Max Videos per Day', () => {
	let count = 0;
	/** A node with a limit that no test has used before. */
	const limited = (maxVideosPerDay: unknown, settings: object = CONTINUE) =>
		videoGenerate(
			{ wait: 'none', options: { cost: { maxVideosPerDay } } },
			{ id: `limited-${count++}`, ...settings },
		);
	const statesOf = (items: INodeExecutionData[]) =>
		items.map(({ json }) => json.status ?? (json.error as IDataObject).next);

	it('holds for executions at the same time, and for those after them', async () => {
		const node = limited(3);
		const runs = await Promise.all(
			[0, 1, 2].map(async () => await stage.run(node, toInput(...rows(2)))),
		);
		expect(submitted()).toBe(3);
		const states = runs.flatMap((result) => statesOf(result.outputs()[0]));
		expect(states.sort()).toEqual(['queued', 'queued', 'queued', 'retry', 'retry', 'retry']);
		const later = await stage.run(node, toInput(...rows(1)));
		expect(later.outputs()[0][0].json.error).toMatchObject({
			message: expect.stringMatching(
				/^The video was not submitted: this node has submitted 3 videos on \d{4}-\d\d-\d\d \(.+\), as many as/,
			) as string,
			billed: 'no',
		});
		expect(submitted()).toBe(3);
	});

	it('counts what may be paid for, and nothing that was refused', async () => {
		const node = limited(2);
		const plans = { refused: ['forbidden'], unclear: ['reset'], good: ['ok'] } as const;
		const submit = async (plan: keyof typeof plans) =>
			(await stage.run(node, plannedRows({ submit: [...plans[plan]] }))).outputs()[0];
		const states = [];
		for (const plan of ['refused', 'unclear', 'good', 'good'] as const)
			states.push(...statesOf(await submit(plan)));
		expect(states).toEqual(['checkAccount', 'checkUsage', 'queued', 'retry']);
		expect(submitted()).toBe(3);
	});

	it('neither holds nor counts in the editor', async () => {
		const node = limited(1);
		const byHand = await stage.run(node, toInput(...rows(3)), { mode: 'manual' });
		const unattended = await stage.run(node, toInput(...rows(1)));
		expect(statesOf([...byHand.outputs()[0], ...unattended.outputs()[0]])).toEqual(
			Array(4).fill('queued'),
		);
	});

	it('begins anew with each day of the workflow', async () => {
		const node = limited(1);
		const day = async (timezone: string) =>
			statesOf(
				(await stage.run(node, toInput(...rows(1)), { settings: { timezone } })).outputs()[0],
			);
		// There it is never the same day.
		expect([...(await day('Etc/GMT+12')), ...(await day('Etc/GMT-14'))]).toEqual([
			'queued',
			'queued',
		]);
		expect(await day('Etc/GMT+12')).toEqual(['retry']);
	});

	it.each([[1_001], ['={{ $json.nothing }}']])('submits nothing with %j', async (max) => {
		await stage.run(limited(max), toInput(...rows(1)));
		expect(submitted()).toBe(0);
	});
});
