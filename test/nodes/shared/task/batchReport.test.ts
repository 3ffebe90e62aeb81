import { toFailure } from '../../../../nodes/shared/item/failure';
import type { Cost } from '../../../../nodes/shared/service/cost';
import { createBatchReport } from '../../../../nodes/shared/task/batchReport';
import { toRender, type Outcome } from '../../../../nodes/shared/task/render';
import { makeRun } from '../../../support/makeRun';

/** The hint of a batch whose videos are done at these costs. */
function hintOf(costs: Array<Cost | undefined>): string {
	const hints: string[] = [];
	const run = makeRun();
	run.report.hint = (message) => void hints.push(message);
	const report = createBatchReport(run, 0);
	for (const cost of costs) {
		const render = toRender({ task_id: 'task_1' });
		const task = { ...render.task, cost };
		report.onOutcome({ state: 'done', render: { ...render, task } }, undefined);
	}
	report.sumUp();
	return hints.join('');
}

/** The hint of a batch that ended so, and of so many dry runs. */
function hintOfEnds(states: string[], dryRuns = 0, refused = 0, stop?: AbortSignal): string {
	const hints: string[] = [];
	const run = makeRun({ stop });
	run.report.hint = (message) => void hints.push(message);
	const report = createBatchReport(run, refused);
	const render = toRender({ task_id: 'task_1' });
	for (const state of states) report.onOutcome({ state, render } as Outcome, undefined);
	for (let n = 0; n < dryRuns; n++) report.onDryRun();
	report.sumUp();
	return hints.join('');
}

const FOLLOW = 'Rendering takes minutes: follow the task IDs with Video Status.';
const DRY = 'would be submitted. Nothing was, and nothing is billed.';

it.each([
	[['submitted'], 0, 0, `1 video submitted in 0 s. ${FOLLOW}`],
	[['submitted', 'done'], 0, 0, `2 videos: 1 done, 1 submitted, in 0 s. ${FOLLOW}`],
	[['done'], 0, 0, '1 video done in 0 s.'],
	[[], 1, 0, `Dry Run: 1 video ${DRY}`],
	[[], 3, 0, `Dry Run: 3 videos ${DRY}`],
	[[], 2, 1, `Dry Run: 2 videos ${DRY} 1 video failed in 0 s.`],
	[['done'], 1, 0, `Dry Run: 1 video ${DRY} 1 video done in 0 s.`],
])('says of %j, %d dry runs and %d refused items what they are', (states, dry, refused, hint) => {
	expect(hintOfEnds(states, dry, refused)).toBe(hint);
});

const usd = (value: number, kind: Cost['kind'] = 'final'): Cost => ({ value, unit: 'USD', kind });

it.each([
	[[usd(0.1), usd(0.2)], /^2 videos done in 0 s\. Cost: 0\.3 USD\.$/],
	[[usd(0.1), usd(0.2, 'estimate')], /Cost: about 0\.3 USD\.$/],
	[[usd(0.1), undefined], /^2 videos done in 0 s\.$/],
	[[usd(0.1), { ...usd(1), unit: 'CNY' }], /^2 videos done in 0 s\.$/],
	[[], /^No videos submitted in 0 s\.$/],
	[[{ ...usd(1), unit: '<b>x</b>' }], /Cost: 1 bxb\.$/],
])('sums up what all of them have cost: %j', (costs, expected) => {
	expect(hintOf(costs)).toMatch(expected);
});

it.each([[['timedOut', 'timedOut']], [['done', 'failed', 'timedOut']], [['done', 'timedOut']]])(
	'after Stop it is one line that says what is still billed: %j',
	(states) => {
		const hint = hintOfEnds(states, 0, 0, AbortSignal.abort());
		expect(hint).toMatch(/^Stopped after \d.* The renders? goe?s? on, billed: see Video Status/);
		expect([hint, hint.length <= 120]).toEqual([hint, true]);
	},
);

it('a film that could not be downloaded is no video done', () => {
	const hints: string[] = [];
	const run = makeRun();
	run.report.hint = (message) => void hints.push(message);
	const report = createBatchReport(run, 0);
	const done = { state: 'done', render: toRender({ task_id: 'task_1' }) } as const;
	report.onOutcome(done, { json: {} });
	report.onOutcome(done, { failure: toFailure({ message: 'No file', retryable: true }) });
	report.sumUp();
	expect(hints).toEqual(['2 videos: 1 done, 1 failed, in 0 s.']);
});
