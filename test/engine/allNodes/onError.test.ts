import type { JsonObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import {
	type Mode,
	MODEL,
	planned,
	plannedRows,
	promptsOf,
	toInput,
	useStage,
	videoGenerate,
} from '../../support/stage';

const stage = useStage();

type NodeError = Error & { description: string; context: JsonObject };

const rows = [
	{ prompt: 'good' },
	{ prompt: planned('bad', { outcome: 'FAILURE', failReason: 'Not allowed' }) },
	{ prompt: '' },
];

const run = async (onError: Mode) =>
	await stage.run(videoGenerate({}, { onError }), toInput(...rows));

describe('On Error', () => {
	it('Stop Workflow: bad input is named before a single submission', async () => {
		const result = await run('stopWorkflow');
		expect(result.status).toBe('error');
		expect(result.error?.message).toBe('Prompt is empty [item 2]');
		expect(stage.sandbox.submissions()).toHaveLength(0);
	});

	it('Continue: failing items hold their row and the failure', async () => {
		const [items] = (await run('continueRegularOutput')).outputs();
		expect(items.map(({ json }) => 'error' in json)).toEqual([false, true, true]);
		expect(items[1].json).toEqual({
			...rows[1],
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

	it('Stop Workflow: an unclear submit behind a refused one is named, too', async () => {
		const { error } = await stage.run(
			videoGenerate(),
			plannedRows({ submit: ['forbidden'] }, { submit: 'acceptThen500' }),
		);
		expect(error?.message).toMatch(/was not submitted.* \[item 0\]/);
		expect(error?.description).toMatch(
			/Also unclear, and perhaps billed: \[item 1\]\..* usage page/,
		);
	});

	/** Says which row each known task belongs to. */
	const namesOf = ({ context }: NodeError) => (context.other_task_ids as string[]) ?? [];
	const oneByOne = { options: { polling: { concurrency: 1 } } };
	const RETRY = 'Retry execution picks up what is billed, and does not pay for it again.';

	it.each([
		['credit that runs out in a batch', [{}, {}, { submit: ['forbidden'] }, {}]],
		['a render that fails', [{}, { outcome: 'FAILURE', renderMs: 0 }]],
		['a wait that is over', [{ outcome: 'never' }, {}]],
	] as Array<[string, Plan[]]>)(
		'Stop Workflow: %s names the videos that are billed, and how to get them',
		async (_what, plans) => {
			const { options } = oneByOne;
			const node = videoGenerate({ options: { ...options, maxWait: 0.01 } });
			const result = await stage.run(node, plannedRows(...plans));
			const error = result.error as NodeError;
			expect(error.description).toContain(RETRY);
			const ids = namesOf(error);
			const prompts = promptsOf(stage, toInput(...ids.map((task_id) => ({ task_id }))));
			const rowOf = (prompt = '') => /video (\d)/.exec(prompt)?.[1];
			const named = ids.map((id, i) => `[item ${rowOf(prompts[i])}] ${id}`);
			const count = named.length === 1 ? '1 other is' : `${named.length} others are`;
			expect(error.description).toContain(`${count} billed: ${named.join(', ')}`);
		},
	);

	it('Stop Workflow: a render that has failed beside a refused row is named', async () => {
		const failing: Plan = { outcome: 'FAILURE', renderMs: 0 };
		const rows = plannedRows({ submit: ['forbidden', { fault: 'forbidden' }] }, failing);
		const retried = await stage.engine.retry(await stage.run(videoGenerate(), rows));
		const [{ task_id }] = stage.sandbox.tasks();
		expect(retried.error?.description).toContain(`1 other has failed: [item 1] ${task_id}`);
		expect(namesOf(retried.error as NodeError)).toEqual([task_id]);
	});

	it.each([
		['forbidden', 'Nothing is billed for this item. No video of this run is billed.'],
		['', 'No video of this run is billed.'],
	])('Stop Workflow: where nothing is paid for, it says so: %s', async (submit, words) => {
		const first = submit ? plannedRows({ submit: [submit] } as Plan)[0].json : { prompt: '' };
		const { error } = await stage.run(videoGenerate(oneByOne), toInput(first, { prompt: 'b' }));
		expect(error?.description).toContain(words);
		expect(error?.description).not.toContain('Retry');
		expect(stage.sandbox.tasks()).toHaveLength(0);
	});
});
