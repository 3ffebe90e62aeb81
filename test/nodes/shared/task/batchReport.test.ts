import type { Cost } from '../../../../nodes/shared/service/cost';
import { createBatchReport } from '../../../../nodes/shared/task/batchReport';
import { toRender } from '../../../../nodes/shared/task/render';
import { makeRun } from '../../../support/makeRun';

/** The hint of a batch whose videos are done at these costs. */
function hintOf(costs: Array<Cost | undefined>): string {
	const hints: string[] = [];
	const run = makeRun();
	run.report.hint = (message) => void hints.push(message);
	const report = createBatchReport(run, 0);
	for (const cost of costs) {
		const render = toRender({ task_id: 'task_1' });
		report.onOutcome({ state: 'done', render: { ...render, task: { ...render.task, cost } } });
	}
	report.sumUp();
	return hints.join('');
}

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
