import { type Billed, toFailure } from '../../../../nodes/shared/item/failure';
import type { Cost } from '../../../../nodes/shared/service/cost';
import { toPaidTrouble } from '../../../../nodes/shared/service/paid';
import { createBatchReport } from '../../../../nodes/shared/task/batchReport';
import { type Outcome, toRender } from '../../../../nodes/shared/task/render';
import { toSubmitFailure } from '../../../../nodes/shared/task/taskResult';
import { makeRun } from '../../../support/makeRun';

const NO = { message: 'No', retryable: false, next: 'changeRequest' as const };
const render = toRender({ task_id: 'task_1' });
const trouble = { message: 'No', retryable: false };
const end = (state: string) =>
	(['refused', 'unclear'].includes(state) ? { state, trouble } : { state, render }) as Outcome;
const doneAt = (cost?: Cost) =>
	({ state: 'done', render: { ...render, task: { ...render.task, cost } } }) as Outcome;

/** The hint of a batch of these ends, dry runs and refused items. */
function hintOf(
	ends: Outcome[],
	{ dryRuns = 0, refused = 0, billed = [], stop }: Sum = {},
): string {
	const report = createBatchReport(makeRun({ stop }));
	ends.forEach((one, i) => report.onOutcome(i, one, undefined));
	for (let n = 0; n < dryRuns; n++) report.onDryRun();
	const failures = [...Array<'no'>(refused).fill('no'), ...billed];
	const results = failures.map((one) => ({ failure: { ...NO, billed: one } }));
	return report.sumUp([...ends.map(() => undefined), ...results]);
}
interface Sum {
	dryRuns?: number;
	refused?: number;
	/** Whether items are billed that failed without an end, such as unreadable ones. */
	billed?: Billed[];
	stop?: AbortSignal;
}

const FOLLOW = 'Rendering takes minutes: follow the task IDs with Video Status.';
const UNTOLD = 'Cost: not told by the service, see its usage page.';
const DRY = 'would be submitted. Nothing was, and nothing is billed.';

it.each<[states: string[], more: Sum, hint: string]>([
	[['submitted'], {}, `1 video submitted in 0 s. ${FOLLOW}`],
	[['submitted', 'done'], {}, `2 videos in 0 s: 2 submitted (1 done). ${FOLLOW} ${UNTOLD}`],
	[
		[],
		{ billed: ['yes', 'unknown'] },
		'2 videos in 0 s: 1 submitted (1 failed), 1 unclear. Unclear ones may be billed: see the usage page.',
	],
	[['done'], {}, `1 video done in 0 s. ${UNTOLD}`],
	[
		['done', 'done', 'failed', 'timedOut', 'refused', 'unclear'],
		{ refused: 1 },
		'7 videos in 0 s: 4 submitted (2 done, 1 failed, 1 still rendering), 2 refused before billing, 1 unclear. Unclear ones may be billed: see the usage page. ' +
			UNTOLD,
	],
	[
		[],
		{ dryRuns: 2, refused: 1 },
		`Dry Run: 2 videos ${DRY} 1 video refused before billing in 0 s.`,
	],
	[['done'], { dryRuns: 1 }, `Dry Run: 1 video ${DRY} 1 video done in 0 s. ${UNTOLD}`],
])('says of %j and %j what they are', (states, more, hint) => {
	expect(hintOf(states.map(end), more)).toBe(hint);
});

const usd = (value: number, kind: Cost['kind'] = 'final'): Cost => ({ value, unit: 'USD', kind });

it.each([
	[[usd(0.1), usd(0.2)], /^2 videos done in 0 s\. Cost: 0\.3 USD\.$/],
	[[usd(0.1), usd(0.2, 'estimate')], /Cost: about 0\.3 USD\.$/],
	[[undefined, usd(0.1)], /^2 videos done in 0 s\. Cost for 1 of 2 videos: 0\.1 USD\.$/],
	[[usd(0.1), { ...usd(1), unit: 'CNY' }], /Cost: 0\.1 USD \+ 1 CNY\.$/],
	[[undefined, undefined], /^2 videos done in 0 s\. Cost: not told by the service/],
	[[], /^No videos submitted in 0 s\.$/],
	[[{ ...usd(1), unit: '<b>x</b>' }], /Cost: 1 bxb\.$/],
])('sums up what all of them have cost: %j', (costs, expected) => {
	expect(hintOf(costs.map(doneAt))).toMatch(expected);
});

it.each([[['timedOut', 'timedOut']], [['done', 'failed', 'timedOut']]])(
	'after Stop it is one line that says what is still billed: %j',
	(states) => {
		const hint = hintOf(states.map(end), { stop: AbortSignal.abort() });
		expect(hint).toMatch(/^Stopped after \d.* The renders? goe?s? on, billed: see Video Status/);
		expect([hint, hint.length <= 140]).toEqual([hint, true]);
	},
);

it('a film that could not be downloaded is no video done', () => {
	const report = createBatchReport(makeRun());
	report.onOutcome(0, end('done'), { json: {} });
	const failure = toFailure({ message: 'No file', retryable: true });
	report.onOutcome(1, end('done'), { failure });
	expect(report.sumUp([{ json: {} }, { failure }])).toBe(
		`2 videos in 0 s: 2 submitted (1 done, 1 failed). ${UNTOLD}`,
	);
});

/** What an answer to a submit, in which there is no id, leaves to a person. */
function left(status: number, body: string) {
	const warnings: string[] = [];
	const logger = { debug: () => {}, info: () => {}, warn: (line: string) => warnings.push(line) };
	const { kind: state, trouble } = toPaidTrouble({ status, headers: {}, body }, 'video');
	createBatchReport(makeRun({ more: { logger } })).onOutcome(0, { state, trouble }, undefined);
	return { warnings, description: toSubmitFailure({ state, trouble }).description };
}

describe('of an answer that may have been a yes', () => {
	it('the log and the item hold what was sent, on one line', () => {
		const { warnings, description } = left(200, '{"code":0,\n "data":{"job":"j_17"}}');
		const sent = 'What the service sent: {"code":0, "data":{"job":"j_17"}}.';
		expect(description).toMatch(/^A task may exist and be billed, .* usage page of the service\. /);
		expect(description?.endsWith(sent)).toBe(true);
		expect(warnings).toEqual([
			expect.stringMatching(/^Node: task without a known ID: .*; what the service sent: \{.*\}$/),
		]);
	});

	it('the words of a page are shown once, and a long answer is cut', () => {
		const page = `<title>Oops</title><style>p { color: red }</style><p>Ray 8f3a ${'x'.repeat(900)}`;
		const { description, warnings } = left(503, page);
		expect(description?.match(/Oops/g)).toHaveLength(1);
		expect(description).toMatch(/What the service sent: Oops Ray 8f3a x+\.\.\.$/);
		expect(description).not.toContain('color');
		expect(warnings[0].length).toBeLessThan(700);
	});

	it('words that the cut has lost are kept', () => {
		const body = JSON.stringify({ code: 0, pad: 'x'.repeat(600), message: 'Your job is j_17' });
		expect(left(200, body).description).toMatch(/^Your job is j_17\. A task may exist/);
	});
});

it('a refusal is told in its own words, and no warning', () => {
	const body = '{"code":"invalid_param","message":"The prompt is too long","data":null}';
	expect(left(400, body)).toEqual({ warnings: [], description: 'The prompt is too long.' });
});
