import {
	type Mode,
	MODEL,
	planned,
	plannedRows,
	toInput,
	useStage,
	videoGenerate,
} from '../../support/stage';

const stage = useStage();

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

	it('Continue: failing items hold nothing but the failure', async () => {
		const [items] = (await run('continueRegularOutput')).outputs();
		expect(items.map(({ json }) => 'error' in json)).toEqual([false, true, true]);
		expect(items[1].json).toEqual({
			error: {
				message: expect.stringContaining('could not be rendered'),
				description: expect.stringMatching(
					/^Most services refund .* Change the prompt .* a new task, which is billed\.$/,
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

	it('a stopped batch submits nothing more and keeps the ids it has', async () => {
		const { sandbox } = stage;
		const many = Array.from({ length: 30 }, (_, i) => ({
			prompt: planned(`video ${i}`, { renderMs: 60_000, ...(i === 0 && { submit: 'forbidden' }) }),
		}));
		const result = await stage.run(
			videoGenerate({ options: { polling: { concurrency: 3 } } }),
			toInput(...many),
		);
		expect(result.status).toBe('error');
		expect(sandbox.submissions().length).toBeLessThan(10);
		const kept = result.customData.video_task_ids?.split(',') ?? [];
		const tasks = sandbox.tasks().map(({ task_id }) => task_id);
		expect(kept).not.toEqual([]);
		expect(kept.sort()).toEqual(tasks.sort());
	});
});
