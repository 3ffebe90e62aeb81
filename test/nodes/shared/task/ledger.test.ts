import type { IDataObject } from 'n8n-workflow';

import { createLedger } from '../../../../nodes/shared/task/ledger';
import { toRender, type RenderJob } from '../../../../nodes/shared/task/render';
import { makeRun } from '../../../support/makeRun';

const trouble = { message: 'No answer', retryable: false };
const render = toRender({ task_id: 'task_1' }, { submittedAtMs: 1_000 });

const job = (itemIndex = 0, prompt = 'p', more: Partial<RenderJob> = {}) =>
	({
		...{ itemIndex, request: { model: 'veo', prompt }, wish: prompt, reuseTask: true },
		...more,
	}) as RenderJob;

/** A ledger over what n8n stores of a node, as one try or one execution opens it. */
function open(
	stored: IDataObject,
	{ executionId = '1', $runIndex = 0, forAgent = false, baseUrl = 'https://a' } = {},
) {
	const more = {
		getContext: () => stored,
		getExecutionId: () => executionId,
		getWorkflowDataProxy: () => ({ $runIndex }),
		isToolExecution: () => forAgent,
	};
	return createLedger(makeRun({ more }), baseUrl);
}
/** n8n stores it as JSON. */
const store = (stored: IDataObject) => JSON.parse(JSON.stringify(stored)) as IDataObject;

describe('a task', () => {
	it('is found by a further try, with the time of its submit', () => {
		const stored: IDataObject = {};
		open(stored).keep(job(), render);
		expect(open(store(stored)).find(job())).toMatchObject({
			task: { task_id: 'task_1', status: 'queued', model: 'veo' },
			submittedAtMs: 1_000,
			reused: true,
			pollCount: 0,
		});
	});

	it.each([
		['another item', job(1), {}],
		['another run of a loop', job(), { $runIndex: 1 }],
		['another prompt, in a retried execution', job(0, 'q'), { executionId: '2' }],
		['another service, in a retried execution', job(), { executionId: '2', baseUrl: 'https://b' }],
	])('is not that of %s', (_name, other, place) => {
		const stored: IDataObject = {};
		open(stored).keep(job(), render);
		expect(open(store(stored), place).find(other)).toBeUndefined();
	});

	it.each([
		['whatever its expressions give, in the same execution', job(0, 'q'), {}],
		['with the same words', job(0, 'q', { wish: 'p' }), { executionId: '2' }],
		['with the same request', job(0, 'p', { wish: 'q' }), { executionId: '2' }],
	])('is that of the same item %s', (_name, again, place) => {
		const stored: IDataObject = {};
		open(stored).keep(job(), render);
		expect(open(store(stored), place).find(again)).toMatchObject({ task: { task_id: 'task_1' } });
	});

	it('is kept beside that of an edited prompt, which may be edited back', () => {
		const stored: IDataObject = {};
		open(stored).keep(job(), render);
		const second = toRender({ task_id: 'task_2' }, { submittedAtMs: 2_000 });
		open(stored, { executionId: '2' }).keep(job(0, 'q'), second);
		const later = open(store(stored), { executionId: '3' });
		expect(later.find(job())).toMatchObject({ task: { task_id: 'task_1' } });
		expect(later.find(job(0, 'q'))).toMatchObject({ task: { task_id: 'task_2' } });
		expect(later.find(job(0, 'r'))).toBeUndefined();
	});

	it('is followed where its failing item comes back from the error output', () => {
		const stored: IDataObject = {};
		open(stored).keep(job(), render);
		const later = open(stored, { $runIndex: 1 });
		expect(later.find(job(3, 'q', { failedTaskId: 'task_1' }))).toMatchObject({
			task: { task_id: 'task_1' },
			reused: true,
		});
		expect(later.find(job(3, 'q', { failedTaskId: 'task_of_others' }))).toBeUndefined();
	});

	it('is left alone where Reuse Paid Task on Retry is off', () => {
		const stored: IDataObject = {};
		open(stored).keep(job(), render);
		expect(open(stored).find(job(0, 'p', { reuseTask: false }))).toBeUndefined();
	});

	it('is submitted anew once it has failed', () => {
		const stored: IDataObject = {};
		open(stored).keep(job(), render);
		open(stored).forget(job());
		expect(open(stored).find(job())).toBeUndefined();
	});
});

describe('an unclear submit', () => {
	it('stays unclear for all tries of its execution and for a retried one', () => {
		const stored: IDataObject = {};
		open(stored).keepUnclear(job(), trouble);
		for (const place of [{}, { executionId: '2' }]) {
			for (const one of [job(), job(0, 'p', { reuseTask: false })]) {
				expect(open(store(stored), place).find(one)).toEqual({ state: 'unclear', trouble });
			}
		}
		expect(open(store(stored)).find(job(0, 'q'))).toEqual({ state: 'unclear', trouble });
	});

	it('says nothing of another wish, or of a new execution', () => {
		const stored: IDataObject = {};
		open(stored).keepUnclear(job(), trouble);
		expect(open(store(stored), { executionId: '2' }).find(job(0, 'q'))).toBeUndefined();
		expect(open({}, { executionId: '2' }).find(job())).toBeUndefined();
	});
});

describe("an agent's task", () => {
	it('is found by the request alone, whichever call it comes with', () => {
		const stored: IDataObject = {};
		open(stored, { forAgent: true }).keep(job(), render);
		const later = open(stored, { forAgent: true, $runIndex: 3 });
		expect(later.find(job(2))).toMatchObject({ task: { task_id: 'task_1' } });
		expect(later.find(job(2, 'q'))).toBeUndefined();
	});

	it('that has failed is told again, until the execution is retried', () => {
		const stored: IDataObject = {};
		open(stored, { forAgent: true }).keep(job(), render);
		open(stored, { forAgent: true }).forget(job());
		expect(open(stored, { forAgent: true }).find(job())).toMatchObject({ reused: true });
		expect(open(stored, { forAgent: true, executionId: '2' }).find(job())).toBeUndefined();
	});
});

describe('what counts as submitted', () => {
	it.each([
		['nothing, of jobs without a task', [], [job(0), job(1)], { wanted: 2, before: 0 }],
		['not what is paid for', [job(0)], [job(0), job(1)], { wanted: 1, before: 0 }],
		[
			'all that an agent has paid for',
			[job(0, 'p')],
			[job(0, 'q')],
			{ wanted: 1, before: 1 },
			true,
		],
		[
			'not twice what it asks for again',
			[job(0, 'p')],
			[job(0, 'p')],
			{ wanted: 0, before: 1 },
			true,
		],
	])('is %s', (_name, paid, jobs, expected, forAgent = false) => {
		const ledger = open({}, { forAgent });
		for (const one of paid) ledger.keep(one, render);
		expect(ledger.count(jobs)).toEqual(expected);
	});

	it('is not what another execution has paid for, for an agent', () => {
		const stored: IDataObject = {};
		open(stored, { forAgent: true }).keep(job(0, 'p'), render);
		const later = open(store(stored), { forAgent: true, executionId: '2' });
		expect(later.count([job(0, 'q')])).toEqual({ wanted: 1, before: 0 });
	});

	it('is what other calls of an agent are about to submit, until they have ended', async () => {
		const stored: IDataObject = {};
		const ledger = open(stored, { forAgent: true });
		const gate = new AbortController();
		const work = ledger.inTurn(
			job(0, 'p'),
			async () =>
				await new Promise<void>((end) => gate.signal.addEventListener('abort', () => end())),
		);
		expect(open(stored, { forAgent: true }).count([job(0, 'q')])).toEqual({ wanted: 1, before: 1 });
		expect(ledger.count([job(0, 'p')])).toEqual({ wanted: 1, before: 0 });
		await Promise.resolve();
		gate.abort();
		await work;
		expect(ledger.count([job(0, 'q')])).toEqual({ wanted: 1, before: 0 });
	});
});
