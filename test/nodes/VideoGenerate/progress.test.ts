import { createProgress } from '../../../nodes/VideoGenerate/progress';
import type { VideoJob } from '../../../nodes/VideoGenerate/job';
import type { Results } from '../../../nodes/shared/item/output';
import { wordsFor } from '../../../nodes/shared/item/words';
import type { Cost } from '../../../nodes/shared/service/cost';
import type { Connection } from '../../../nodes/shared/service/connection';
import type { Billed, Failure } from '../../../nodes/shared/item/failure';
import { readSubmitFailure } from '../../../nodes/shared/service/reason';
import type { TaskStatus } from '../../../nodes/shared/service/answerPaths';
import { type Outcome, toRender } from '../../../nodes/shared/task/render';
import { makeRun } from '../../support/makeRun';

const NO = { message: 'No', passes: false };
/** Failures of items, by whether they are billed. */
const BILLED: Record<Billed, Failure> = {
	yes: { ...NO, kind: 'read', task_id: 'task_1' },
	no: { ...NO, kind: 'read' },
	unknown: { ...NO, kind: 'unclear' },
};
const render = toRender({ task_id: 'task_1' });
const end = (state: string) =>
	(['refused', 'unclear'].includes(state)
		? { ...NO, kind: state }
		: {
				state: state.replace(' again', ''),
				render: { ...render, reused: / again$/.test(state) },
			}) as Outcome;
const doneAt = (cost?: Cost) =>
	({ state: 'done', render: { ...render, task: { ...render.task, cost } } }) as Outcome;

const toJob = (itemIndex: number, wait = 'inProcess') => ({ itemIndex, wait }) as VideoJob;
const connection = { baseUrl: 'https://api.example.com' } as Connection;

interface Sum {
	dryRuns?: number;
	/** Whether items are billed that failed without an outcome, such as unreadable ones. */
	billed?: Billed[];
	stop?: AbortSignal;
}

/** The hint of a run of these outcomes, dry runs and failed items. */
function hintOf(
	outcomes: Outcome[],
	{ dryRuns = 0, billed = [], stop }: Sum = {},
	results: Results = [],
) {
	const hints: string[] = [];
	const addExecutionHints = ({ message }: { message: string }) => hints.push(message);
	const progress = createProgress(makeRun({ stop, more: { addExecutionHints } }));
	outcomes.forEach((one, i) => progress.onOutcome(toJob(i), one, results[i], connection));
	for (let n = 0; n < dryRuns; n++) progress.onDryRun(n);
	const failures = billed.map((one) => BILLED[one]);
	progress.sumUp([...outcomes.map((_one, i) => results[i]), ...failures], true);
	return hints[0];
}

const FOLLOW = 'Rendering takes minutes: follow the task IDs with Video Status.';
const UNTOLD = 'Cost: not told by the service; see its usage page.';
const UNCLEAR = 'Unclear ones may be billed: see the usage page.';
const DRY = 'would be submitted. Nothing was, and nothing is billed.';

it.each<[states: string[], more: Sum, hint: string]>([
	[['submitted'], {}, `1 video submitted in 0 s. ${FOLLOW}`],
	[['submitted', 'done'], {}, `2 videos in 0 s: 2 submitted (1 done). ${FOLLOW} ${UNTOLD}`],
	[
		[],
		{ billed: ['yes', 'unknown'] },
		`2 videos in 0 s: 1 submitted (1 failed), 1 unclear. ${UNCLEAR}`,
	],
	[
		['done', 'done', 'failed', 'timedOut', 'refused', 'unclear'],
		{ billed: ['no'] },
		`7 videos in 0 s: 4 submitted (2 done, 1 failed, 1 still rendering), 2 refused before billing, 1 unclear. ${UNCLEAR} ${UNTOLD}`,
	],
	[
		[],
		{ dryRuns: 2, billed: ['no'] },
		`Dry Run: 2 videos ${DRY} 1 video refused before billing in 0 s.`,
	],
	[['done'], { dryRuns: 1 }, `Dry Run: 1 video ${DRY} 1 video done in 0 s. ${UNTOLD}`],
	[
		['done again'],
		{},
		`1 video done in 0 s. 1 picked up from an earlier try, not billed again. ${UNTOLD}`,
	],
	[[], {}, 'No videos submitted in 0 s.'],
])('says of %j and %j what they are', (states, more, hint) => {
	expect(hintOf(states.map(end), more)).toBe(hint);
});

const usd = (value: number, kind: Cost['kind'] = 'final'): Cost => ({ value, unit: 'USD', kind });

it.each([
	[[usd(0.1), usd(0.2)], /2 videos done in .*\. Cost: 0\.3 USD\.$/],
	[[usd(0.1), usd(0.2, 'estimate')], /Cost: about 0\.3 USD\.$/],
	[[undefined, usd(0.1)], /2 videos done in .*\. Cost for 1 of 2 videos: 0\.1 USD\.$/],
	[[usd(0.1), { ...usd(1), unit: 'CNY' }], /Cost: 0\.1 USD \+ 1 CNY\.$/],
	[[undefined, undefined], /2 videos done in .*\. Cost: not told by the service/],
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

/** What an answer to a submit, in which there is no id, leaves to a person. */
function left(status: number, body: string) {
	const warnings: string[] = [];
	const logger = { debug: () => {}, info: () => {}, warn: (line: string) => warnings.push(line) };
	const failure = readSubmitFailure({ status, headers: {}, body }, 0);
	const progress = createProgress(makeRun({ more: { logger } }));
	progress.onOutcome(toJob(0), failure, undefined, connection);
	return { warnings, description: wordsFor(failure).description };
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
});

/** A run of so many items, in a chat that hears `lines`. */
function openChat(total: number) {
	const lines: string[] = [];
	let nowMs = 0;
	const run = makeRun({
		parameters: Array.from({ length: total }, () => ({})),
		more: {
			isStreaming: () => true,
			getChildNodes: () => [],
			sendMessageToUI: () => {},
			sendChunk: (type: string, _item: number, content?: string) => {
				if (type === 'item') lines.push(content!.trim());
			},
		},
	});
	const clock = { ...run.clock, now: () => nowMs };
	const progress = createProgress({ ...run, clock });
	const renderOf = (i: number) => toRender({ task_id: `task_${i}` });
	return {
		heard: async () => {
			await progress.end();
			return lines;
		},
		later: (ms: number) => void (nowMs += ms),
		submits: (i: number, reused = false) => progress.onTask(toJob(i), { ...renderOf(i), reused }),
		is: (i: number, percent: number, status: TaskStatus = 'IN_PROGRESS') => {
			const { task, ...render } = renderOf(i);
			progress.onProgress(toJob(i), { ...render, task: { ...task, progress: percent, status } });
		},
		ends: (i: number) =>
			progress.onOutcome(
				toJob(i),
				{ state: 'done', render: renderOf(i) },
				{ json: {} },
				connection,
			),
		close: (results: Results = []) => progress.sumUp(results, true),
	};
}

describe('a chat', () => {
	it('hears how far its video is after a silence, which grows, and not of its end', async () => {
		const { heard, submits, is, later } = openChat(1);
		submits(0);
		for (const percent of [0, 10, 25, 30, 50, 80, 90, 100]) {
			is(0, percent);
			later(60_000);
			is(0, percent);
		}
		later(480_000);
		is(0, 100, 'SUCCESS');
		expect(await heard()).toEqual([
			'Submitted: `task_0`',
			'Rendering after 1 min',
			'Rendering: 25 % after 3 min',
			'Rendering: 90 % after 7 min',
		]);
	});

	it('gets a message that can be read, however many videos there are', async () => {
		const { heard, submits, is, ends, close, later } = openChat(500);
		for (let i = 0; i < 500; i++) submits(i);
		for (let percent = 0; percent <= 100; percent++) {
			later(10_000);
			for (let i = 0; i < 500; i++) is(i, percent);
		}
		for (let i = 0; i < 500; i++) ends(i);
		close();
		const lines = await heard();
		expect(lines.length).toBeLessThan(50);
		expect(lines.at(-1)).toBe(
			`500 videos done in 16 min 50 s. ${UNTOLD} The output of the node has all.`,
		);
	});
});
