import type { IDataObject } from 'n8n-workflow';

import { submitUnclear } from '../../../../nodes/shared/failure/failure';
import type { RenderJob } from '../../../../nodes/shared/task/job';
import { createLedger, notePaidTasks } from '../../../../nodes/shared/task/ledger';
import { toRender } from '../../../../nodes/shared/task/render';
import { openWorld, toJob, toPromptAsked } from './support/world';

const unclear = submitUnclear(
	{ message: 'No answer', passes: false },
	{ submitted_at: '1970-01-01T00:00:01.000Z' },
);
const render = toRender({ task_id: 'task_1', model: 'veo' }, { submittedAtMs: 1_000 });
const FAILED = { state: 'failed', render } as const;
const DONE = {
	state: 'done',
	render: { ...render, done: { ...render.task, status: 'SUCCESS', progress: 100 } },
} as const;

type Place = Parameters<typeof openWorld>[0];
/** A job by its typed prompt, and by what the prompt gives. */
const job = (itemIndex = 0, typed = 'p', read = typed, more: Partial<RenderJob> = {}) =>
	toJob(itemIndex, { asked: toPromptAsked(typed, read), ...more });
const otherItem = ({ asked, ...rest }: RenderJob) => ({ ...rest, asked: { ...asked, input: 'q' } });
/** The same once its request is written. */
const written = (prompt: string, itemIndex = 0) => {
	const { asked } = job(itemIndex, prompt);
	return job(itemIndex, prompt, prompt, { asked: { ...asked, request: prompt } });
};

/** A ledger over what n8n stores of a node; `json` is what each item came back with. */
function open(stored: IDataObject, place: Place = {}, json: IDataObject = {}) {
	const { run } = openWorld({ stored, ...place });
	return createLedger({ ...run, items: Array.from({ length: 4 }, () => ({ json })) });
}
/** What n8n stores, as JSON, where `task_1` was paid for, and has ended so. */
function paid(end?: typeof FAILED | typeof DONE, place: Place = {}) {
	const stored: IDataObject = {};
	const ledger = open(stored, place);
	ledger.keep(written('p'), render);
	if (end) ledger.noteEnd(end);
	return JSON.parse(JSON.stringify(stored)) as IDataObject;
}
const RETRY = { executionId: '2' };
const TASK_1 = { task: { task_id: 'task_1' }, submittedAtMs: 1_000 };

it.each<[string, Place, RenderJob, boolean]>([
	['a further try, whatever its expressions give', {}, job(0, 'q'), true],
	['another item', {}, job(1), false],
	['another run of a loop', { $runIndex: 1 }, job(), false],
	['a retry, as typed', RETRY, job(0, 'p', 'q'), true],
	['a retry, as read', RETRY, job(0, 'q', 'p'), true],
	['a retry with another prompt', RETRY, job(0, 'q'), false],
	['a retry at another place', RETRY, job(1), false],
	['a retry behind another shot', RETRY, job(0, 'p', 'p', { after: 'task_0' }), false],
])('%s', (_what, place, again, isFound) => {
	expect(open(paid(), place).find(again)?.task?.task_id).toBe(isFound ? 'task_1' : undefined);
});

it('a retry keeps both prompts: one may be edited back', () => {
	const stored = paid();
	open(stored, RETRY).keep(job(0, 'q'), toRender({ task_id: 'task_2' }));
	const later = open(stored, { executionId: '3' });
	expect(later.find(job())).toMatchObject(TASK_1);
	expect(later.find(job(0, 'q'))).toMatchObject({ task: { task_id: 'task_2' } });
});

it('a task that has ended in FAILURE is submitted anew', () => {
	for (const place of [{}, RETRY]) expect(open(paid(FAILED), place).find(job())).toBeUndefined();
});

it('one that has ended in SUCCESS is kept with its record, whatever the record says later', () => {
	const stored = paid(DONE);
	open(stored).noteEnd(FAILED);
	expect(open(stored).find(job())).toMatchObject({ end: 'done', task: { status: 'SUCCESS' } });
});

describe('an item that comes back', () => {
	const back = { $runIndex: 1 };
	const error = (fields: object) => ({ error: { next: 'followTask', ...fields } });
	const NAMED = error({ task_id: 'task_1' });
	const withStatus = (status: string) => ({ task_id: 'task_1', status });

	it.each<[string, IDataObject, json: IDataObject, RenderJob, boolean]>([
		['names its task', paid(), NAMED, job(3, 'q'), true],
		['names a task of others', paid(), error({ task_id: 'task_9' }), job(3), false],
		['has an error of another node', paid(), { error: { task_id: 'task_1' } }, job(3), false],
		['is still rendering', paid(), withStatus('IN_PROGRESS'), job(3, 'q'), true],
		['is done', paid(DONE), withStatus('SUCCESS'), job(3), false],
		['has failed, and asks for the same', paid(FAILED), NAMED, written('p', 3), true],
		['has failed, and asks for another', paid(FAILED), NAMED, written('q', 3), false],
		['has failed, and its prompt has moved by itself', paid(FAILED), NAMED, job(3, 'p', 'q'), true],
		['has failed, and is another item', paid(FAILED), NAMED, otherItem(job(3)), false],
	])('%s', (_what, stored, json, again, isFound) => {
		const found = open(stored, back, json).find(again);
		expect(found?.task?.task_id).toBe(isFound ? 'task_1' : undefined);
	});

	it('unclear, is known by the time of its submit', () => {
		const stored: IDataObject = {};
		open(stored).keep(job(), unclear);
		const at = (ms: number) =>
			error({ next: 'checkUsage', submitted_at: new Date(ms).toISOString() });
		expect(open(stored, back, at(1_000)).find(job(2, 'q'))).toMatchObject({ unclear });
		expect(open(stored, back, at(2_000)).find(job(2, 'q'))).toBeUndefined();
	});
});

it('an unclear submit stays unclear for all tries of its execution and for a retried one', () => {
	const stored: IDataObject = {};
	open(stored).keep(job(), unclear);
	for (const place of [{}, RETRY])
		expect(open(stored, place).find(job())).toMatchObject({ unclear });
	expect(open(stored, RETRY).find(job(0, 'q'))).toBeUndefined();
});

it('what n8n has not stored of a run is unclear', () => {
	const lost = { begun: { executionId: '1', runIndex: 0 }, lostRuns: [0] };
	expect(open(lost).find(job())).toMatchObject({
		unclear: { message: expect.stringMatching(/killed or stopped/) },
	});
	expect(open(lost, { $runIndex: 1 }).find(job())).toBeUndefined();
});

describe('a render that broke off at the vendor', () => {
	const broke = (task_id: string) => {
		const task = { ...toRender({ task_id }).task, status: 'FAILURE', broke: true } as const;
		return { state: 'failed', render: { ...render, task } } as const;
	};
	const order = (stored: IDataObject, task_id: string, run: Place = {}, json: IDataObject = {}) => {
		const ledger = open(stored, run, json);
		ledger.keep(written('p'), toRender({ task_id }));
		ledger.noteEnd(broke(task_id));
		return ledger;
	};
	const ledBack = (task_id: string) => ({ error: { next: 'retry', task_id } });

	it('is ordered again for each try of Retry On Fail, and for a retry', () => {
		const stored: IDataObject = {};
		for (const task_id of ['task_1', 'task_2', 'task_3']) {
			expect(open(stored).find(written('p'))).toBeUndefined();
			expect(order(stored, task_id).brokeTooOften(task_id)).toBe(false);
		}
		expect(open(stored, RETRY).find(written('p'))).toBeUndefined();
	});

	it('is ordered twice more for an item that is led back, also if it comes back many times', () => {
		const stored: IDataObject = {};
		order(stored, 'task_1');
		const back = ledBack('task_1');
		for (const [i, task_id] of ['task_2', 'task_3'].entries()) {
			const run = { $runIndex: i + 1 };
			expect(open(stored, run, back).find(written('p'))).toBeUndefined();
			expect(order(stored, task_id, run, back).brokeTooOften(task_id)).toBe(i === 1);
		}
		for (const task_id of ['task_1', 'task_3']) {
			const found = open(stored, { $runIndex: 9 }, ledBack(task_id)).find(written('p'));
			expect(found?.task?.task_id).toBe(task_id);
		}
		expect(open(stored, { $runIndex: 9 }, back).find(written('q'))).toBeUndefined();
	});

	it('is ordered twice more for an agent that asks for the same', () => {
		const stored: IDataObject = {};
		for (const [i, task_id] of ['task_1', 'task_2', 'task_3'].entries()) {
			const run = { forAgent: true, $runIndex: i };
			expect(open(stored, run).find(written('p'))).toBeUndefined();
			order(stored, task_id, run);
		}
		const later = open(stored, { forAgent: true, $runIndex: 3 });
		expect(later.find(written('p'))?.task?.task_id).toBe('task_3');
	});
});

describe("an agent's task", () => {
	const forAgent = true;

	it('is known by what was asked for alone, whichever call it comes with', () => {
		const later = open(paid(undefined, { forAgent }), { forAgent, $runIndex: 3 });
		expect(later.find(job(0, 'p', 'x'))).toMatchObject(TASK_1);
		expect(later.find(job(0, 'q'))).toBeUndefined();
	});

	it('that has failed is told again, until the execution is retried', () => {
		const stored = paid(FAILED, { forAgent });
		expect(open(stored, { forAgent }).find(job())).toMatchObject(TASK_1);
		expect(open(stored, { forAgent, ...RETRY }).find(job())).toBeUndefined();
	});
});

it('a run is told which of its items are paid for, before they are read', () => {
	const { run } = openWorld({ stored: paid() });
	notePaidTasks({ ...run, items: [{ json: {} }, { json: {} }] });
	expect([...run.taskIds]).toEqual([[0, 'task_1']]);
});
