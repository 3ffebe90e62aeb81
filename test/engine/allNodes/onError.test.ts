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

const LINK = 'Session over <a href="https://a.example/login">Sign in</a>';

const ROWS = [
	{ prompt: 'good' },
	{ prompt: planned('bad', { outcome: 'FAILURE', failReason: 'Not allowed' }) },
	{ prompt: '' },
];

it('Continue: failing items hold their row and the failure', async () => {
	const [items] = (await stage.run(videoGenerate({}, CONTINUE), toInput(...ROWS))).outputs();
	expect(items.map(({ json }) => 'error' in json)).toEqual([false, true, true]);
	expect(items[1].json).toEqual({
		...ROWS[1],
		error: {
			message: expect.stringContaining('could not be rendered'),
			description: expect.stringMatching(/^It may be billed: .* the new render is billed\.$/),
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
		expect(error?.description).toMatch(
			/\[item 2\] is the 3rd of 3 items\. Nothing was submitted\.$/,
		);
		expect(stage.sandbox.submissions()).toHaveLength(0);
	});

	it.each<[string, Plan]>([
		['a refusal', { submit: [{ status: 400, json: { error: { message: LINK } } }] }],
		['an unclear answer', { submit: [{ status: 500, json: { error: { message: LINK } } }] }],
		['the reason of a render', { outcome: 'FAILURE', failReason: LINK }],
	])('shows no link in the words of %s: the editor takes them for HTML', async (_what, plan) => {
		const { error } = await stage.run(videoGenerate(), plannedRows(plan));
		const words = `${error?.message} ${error?.description}`;
		expect(words).toContain('Sign in');
		expect(words).not.toContain('<');
	});

	it('names an unclear submit behind a refused one', async () => {
		const rows = plannedRows({ submit: ['forbidden'] }, { submit: 'acceptThen500' });
		const { error } = await stage.run(videoGenerate(), rows);
		expect(error?.message).toMatch(/was not submitted.* \[item 0\]/);
		expect(error?.description).toMatch(
			/\b1 of 2 items may be billed; 1 is not\..* May be billed: \[item 1\]\.$/,
		);
	});

	it('names all unclear submits, its own included', async () => {
		const unclear: Plan = { submit: ['reset'] };
		const { error } = await stage.run(videoGenerate(), plannedRows(unclear, unclear));
		expect(error?.description).toMatch(
			/2 of 2 items may be billed\..* May be billed: \[item 0\], \[item 1\]\.$/,
		);
	});

	it('names the videos that are billed when credit runs out, and how to get them', async () => {
		const plans: Plan[] = [{}, {}, { submit: ['forbidden'] }, {}];
		const node = videoGenerate({ options: { polling: { concurrency: 1 } } });
		const { error } = await stage.run(node, plannedRows(...plans));
		const { description, context } = error as NodeError;
		const ids = stage.sandbox.tasks().map(({ task_id }) => task_id);
		expect(context.other_task_ids).toEqual(ids);
		const named = ids.map((id, i) => `[item ${i}] ${id}`);
		expect(description).toContain('2 of 4 items are billed; 2 are not.');
		expect(description).toContain(`Billed: ${named.join(', ')}.`);
		expect(description).toMatch(/\[item 2\] is the 3rd of 4 items, with the prompt "/);
		expect(description.match(/Nothing is billed/)).toBeNull();
		expect(description).toContain('Retry execution picks up what is billed');
	});

	it('says in the editor that Execute step orders again what Retry execution picks up', async () => {
		const rows = plannedRows({}, { submit: ['forbidden', {}] });
		const node = videoGenerate({ options: { polling: { concurrency: 1 } } });
		const failed = await stage.run(node, rows, { mode: 'manual' });
		expect(failed.error?.description).toContain('Execute step would order everything again');
		expect((await stage.engine.retry(failed)).error).toBeUndefined();
		expect(stage.sandbox.tasks()).toHaveLength(2);
	});

	it('says once of a video that was kept back what is known of its bill', async () => {
		const rows = plannedRows({ outcome: 'FAILURE', failReason: 'Not allowed' });
		const { error } = await stage.run(videoGenerate(), rows);
		expect(error?.description).toMatch(
			/^It may be billed: [^.]*\. [^.]*: the new render is billed\.$/,
		);
	});

	it('names a render that has failed beside a refused row', async () => {
		const fails: Plan = { outcome: 'FAILURE', renderMs: 0 };
		const rows = plannedRows({ submit: ['forbidden', { fault: 'forbidden' }] }, fails);
		const { error } = await stage.engine.retry(await stage.run(videoGenerate(), rows));
		const [{ task_id }] = stage.sandbox.tasks();
		expect(error?.description).toContain(`1 other has failed: [item 1] ${task_id}`);
	});
});
