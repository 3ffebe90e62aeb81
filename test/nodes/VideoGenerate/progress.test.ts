import type { IDataObject } from 'n8n-workflow';

import type { VideoJob } from '../../../nodes/VideoGenerate/job';
import { createProgress } from '../../../nodes/VideoGenerate/progress';
import { type Ended, toSummary } from '../../../nodes/VideoGenerate/summary';
import {
	type Billed,
	type Failure,
	readFailed,
	submitUnclear,
} from '../../../nodes/shared/failure/failure';
import type { Connection } from '../../../nodes/shared/services/connection';
import type { Cost } from '../../../nodes/shared/services/cost';
import { type WaitState, toRender } from '../../../nodes/shared/task/render';
import { makeRun } from '../../support/makeRun';

const NO = { message: 'No', passes: false };
/** Failures without a task, by whether they are billed. */
const WITHOUT_TASK: Record<Billed, Failure> = {
	yes: readFailed(NO, { task_id: 'task_1' }),
	no: readFailed(NO),
	unknown: submitUnclear(NO, {}),
};
const end = (state: WaitState['state'] | Billed, cost?: Cost): Ended['outcome'] => {
	if (state === 'yes' || state === 'no' || state === 'unknown') return WITHOUT_TASK[state];
	const render = toRender({ task_id: 'task_1' });
	return { state, render: { ...render, task: { ...render.task, cost } } };
};
/** The summary of what so many videos came to in 75 s. */
const sumOf = (outcomes: Array<Ended['outcome']>, dryRuns: IDataObject[] = []) => {
	const ended = outcomes.map((outcome) => ({ outcome }));
	return toSummary(ended, dryRuns, 75_000);
};

const ALL = ['done', 'failed', 'timedOut', 'lost', 'submitted', 'yes', 'no', 'unknown'] as const;
const PRICED = [{ list_price: { value: 0.3, unit: 'USD' } }, {}];
const usd = (value: number, kind: Cost['kind'] = 'final'): Cost => ({ value, unit: 'USD', kind });

it.each<[outcomes: Array<Ended['outcome']>, dryRuns: IDataObject[], words: RegExp]>([
	[
		ALL.map((state) => end(state)),
		[],
		/^8 videos in 1 min 15 s: 6 submitted \(1 done, 2 failed, 3 still rendering\), 1 refused, 1 unclear\.$/,
	],
	[[end('no')], [{}, {}], /^Dry Run: 2 requests checked, .* 1 video in 1 min 15 s: 1 refused\.$/],
	[
		[],
		[{}],
		/^Dry Run: 1 request checked, and nothing submitted. The list price of such a request is not known\.$/,
	],
	[[], PRICED, / List price of 1 of 2: about \$0\.30\.$/],
	[[end('done', usd(0.1)), end('done', usd(0.2))], [], / Cost: 0\.3 USD\.$/],
	[[end('done'), end('done', usd(0.1, 'estimate'))], [], / of 1 of 2: about 0\.1 USD\.$/],
	[[end('done', { ...usd(1), unit: '<b>x</b>' })], [], / Cost: 1 bxb\.$/],
	[[end('done', { ...usd(8), unit: 'billable units' })], [], / Cost: 8 billable units\.$/],
])('the sum, row %#', (outcomes, dryRuns, words) => {
	const summary = sumOf(outcomes, dryRuns);
	expect(summary.words).toMatch(words);
	expect(summary.isWarning).toBe(outcomes.length === 8);
});

it('tells what the list says where the service does not tell the cost', () => {
	const listPrice = { value: 0.8, unit: 'USD' };
	const ended = [0, 1].map(() => ({ outcome: end('done'), listPrice }));
	const words = 'Cost: not told by the service. By the list: about $1.60.';
	expect(toSummary(ended, [], 0).words).toMatch(new RegExp(`${words.replace('$', '\\$')}$`));
	const told = { outcome: end('done', usd(1)), listPrice };
	expect(toSummary([told], [], 0).words).toMatch(/ Cost: 1 USD\.$/);
});

it.each<[words: string, made: Array<Ended['makes']>]>([
	['2 images', ['image', 'image']],
	['1 text', ['text']],
	['2 tasks', ['image', 'sound']],
	['2 videos', ['video', undefined]],
])('the sum is one of %s', (words, made) => {
	const ended = made.map((makes) => ({ outcome: end('no'), makes }));
	expect(toSummary(ended, [], 0).words).toMatch(new RegExp(`^${words} in `));
	const done = made.map((makes) => ({ outcome: end('done'), makes }));
	expect(toSummary(done, [], 0).words).toMatch(new RegExp(`^${words} in `));
});

it('a finished render whose download failed counts as failed', () => {
	const ended = [{ outcome: end('done'), result: WITHOUT_TASK.yes }];
	expect(toSummary(ended, [], 0).words).toMatch(/^1 video in 0 s: 1 submitted \(1 failed\)\./);
});

const connection = { baseUrl: 'https://api.example.com' } as Connection;
const toJob = (itemIndex: number) => ({ itemIndex }) as VideoJob;

it('of an answer that may have been a yes, the log has what was sent, on one line', () => {
	const warnings: string[] = [];
	const logger = { debug: () => {}, info: () => {}, warn: (line: string) => warnings.push(line) };
	const body = '{"code":0, "data":{"job":"j_17"}}';
	const failure = submitUnclear({ message: 'Not so', passes: false }, { body });
	const progress = createProgress(makeRun({ more: { logger } }));
	progress.onOutcome(toJob(0), connection, { outcome: failure });
	expect(warnings).toEqual([
		expect.stringMatching(/^Node: task without a known ID: .* What the service sent: \{.*\}\.$/),
	]);
});

it('the log has each new state of a task once', () => {
	const lines: string[] = [];
	const logger = { debug: (line: string) => lines.push(line) };
	const more = { logger, sendMessageToUI: () => {} };
	const progress = createProgress(makeRun({ more }));
	const render = toRender({ task_id: 'task_1' });
	for (let i = 0; i < 2; i++) progress.onProgress(toJob(0), render);
	const { status, progress: percent } = render.task;
	expect(lines).toEqual([`Node: task task_1 is ${status} ${percent}%`]);
});

it('a chat gets a message that can be read, however many videos there are', async () => {
	const lines: string[] = [];
	const run = makeRun({
		parameters: Array.from({ length: 50 }, () => ({})),
		more: {
			isStreaming: () => true,
			sendMessageToUI: () => {},
			sendChunk: (type: string, _item: number, content?: string) => {
				if (type === 'item') lines.push(content!.trim());
			},
		},
	});
	const progress = createProgress(run);
	const renders = run.items.map((_item, i) => toRender({ task_id: `task_${i}` }));
	renders.forEach((render, i) => progress.onTask(toJob(i), render));
	renders.forEach((render, i) => progress.onProgress(toJob(i), render));
	renders.forEach((render, i) => {
		progress.onOutcome(toJob(i), connection, {
			outcome: { state: 'done', render },
			result: { json: {} },
		});
	});
	progress.sumUp([], true);
	await progress.end();
	expect(lines).toHaveLength(41);
	expect([lines[1], lines[21]]).toEqual([
		'[item 1] submitted: `task_1`',
		'[item 1] ready: `task_1`',
	]);
	expect(lines.at(-1)).toMatch(/^50 videos in .* The output of the node has all\.$/);
});
