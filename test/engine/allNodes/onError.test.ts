import type { JsonObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import {
	CONTINUE,
	MODEL,
	planned,
	plannedRows,
	toInput,
	useStage,
	videoGenerate,
} from '../../support/stage';

const stage = useStage();

type NodeError = Error & { description: string; context: JsonObject };

const ROWS = [
	{ prompt: 'good' },
	{ prompt: planned('bad', { outcome: 'FAILURE', failReason: 'Not allowed' }) },
	{ prompt: '' },
];
const FAILURE: Plan = { outcome: 'FAILURE', renderMs: 0 };
const ONE_BY_ONE = { polling: { concurrency: 1 }, maxWait: 0.01 };

/** The error that ends a run of these plans. */
async function fail(...plans: Plan[]) {
	const node = videoGenerate({ options: ONE_BY_ONE });
	return (await stage.run(node, plannedRows(...plans))).error as NodeError;
}

it('Continue: failing items hold their row and the failure', async () => {
	const [items] = (await stage.run(videoGenerate({}, CONTINUE), toInput(...ROWS))).outputs();
	expect(items.map(({ json }) => 'error' in json)).toEqual([false, true, true]);
	expect(items[1].json).toEqual({
		...ROWS[1],
		error: {
			message: expect.stringContaining('could not be rendered'),
			description: expect.stringMatching(
				/^Most services refund .* Change the prompt .* a new task is billed\.$/,
			),
			item_index: 1,
			model: MODEL,
			prompt: expect.stringMatching(/^bad/),
			task_id: expect.stringMatching(/^task_/),
			status: 'FAILURE',
			fail_reason: 'Not allowed',
			billed: 'unknown',
			retryable: false,
			next: 'changeRequest',
		},
	});
	const refused = { message: 'Prompt is empty [item 2]', item_index: 2, billed: 'no' };
	expect(items[2].json.error).toMatchObject(refused);
	expect(items[0].json.billed).toBe('yes');
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
});

describe('Stop Workflow', () => {
	it('names bad input before a single submission', async () => {
		const { error } = await stage.run(videoGenerate(), toInput(...ROWS));
		expect(error?.message).toBe('Prompt is empty [item 2]');
		expect(error?.description).toContain('No video of this run is billed.');
		expect(stage.sandbox.submissions()).toHaveLength(0);
	});

	it('names an unclear submit behind a refused one', async () => {
		const { error } = await stage.run(
			videoGenerate(),
			plannedRows({ submit: ['forbidden'] }, { submit: 'acceptThen500' }),
		);
		expect(error?.message).toMatch(/was not submitted.* \[item 0\]/);
		expect(error?.description).toMatch(
			/Also unclear, and perhaps billed: \[item 1\]\..* usage page/,
		);
	});

	it.each<[string, Plan[]]>([
		['credit that runs out in a batch', [{}, {}, { submit: ['forbidden'] }, {}]],
		['a wait that is over', [{ outcome: 'never' }, {}]],
	])('%s: the videos that are billed are named, and how to get them', async (_what, plans) => {
		const { description, context } = await fail(...plans);
		const ids = context.other_task_ids as string[];
		const rowOf = (id: string) => {
			const { prompt } = stage.sandbox.tasks().find(({ task_id }) => task_id === id)!;
			return /video (\d)/.exec(prompt)![1];
		};
		const named = ids.map((id) => `[item ${rowOf(id)}] ${id}`);
		const count = named.length === 1 ? '1 other is' : `${named.length} others are`;
		expect(description).toContain(`${count} billed: ${named.join(', ')}`);
		expect(description).toContain('Retry execution picks up what is billed');
	});

	it('a render that has failed beside a refused row is named', async () => {
		const rows = plannedRows({ submit: ['forbidden', { fault: 'forbidden' }] }, FAILURE);
		const { error } = await stage.engine.retry(await stage.run(videoGenerate(), rows));
		const [{ task_id }] = stage.sandbox.tasks();
		expect(error?.description).toContain(`1 other has failed: [item 1] ${task_id}`);
		expect((error as NodeError).context.other_task_ids).toEqual([task_id]);
	});
});
