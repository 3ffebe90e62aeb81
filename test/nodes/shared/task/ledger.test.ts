import type { IDataObject } from 'n8n-workflow';

import { INTERRUPTED, MIXED_UP } from '../../../../nodes/shared/item/words';
import type { Failure } from '../../../../nodes/shared/service/failure';
import { createLedger, type Ledger } from '../../../../nodes/shared/task/ledger';
import { toRender, type RenderJob } from '../../../../nodes/shared/task/render';
import { openWorld, toJob, toPromptWish } from './support/world';

const unclear: Failure = {
	during: 'submit',
	message: 'No answer',
	passes: false,
	certainty: 'unclear',
	submittedAtMs: 1_000,
};
const render = toRender({ task_id: 'task_1' }, { submittedAtMs: 1_000 });
const FAILED = { state: 'failed', render } as const;

const job = (itemIndex = 0, prompt = 'p', more: Partial<RenderJob> = {}) =>
	toJob(itemIndex, {
		requestFor: () => ({ model: 'veo', prompt }),
		wish: toPromptWish(prompt),
		...more,
	});

/** A ledger over what n8n stores of a node, as one try or one execution opens it. */
function open(stored: IDataObject, { baseUrl = 'https://a', error, ...place }: Place = {}) {
	const { run } = openWorld({ stored, ...place });
	const items = Array.from({ length: 4 }, () => ({ json: error ? { error } : {} }));
	return createLedger({ ...run, items }, baseUrl);
}
type Place = Parameters<typeof openWorld>[0] & {
	baseUrl?: string;
	/** The failure that each item came back with. */
	error?: IDataObject;
};
/** n8n stores it as JSON. */
const store = (stored: IDataObject) => JSON.parse(JSON.stringify(stored)) as IDataObject;
/** What n8n stores where `task_1` was paid for, and perhaps failed since. */
function paid({
	failed = false,
	...place
}: Parameters<typeof open>[1] & { failed?: boolean } = {}) {
	const stored: IDataObject = {};
	const ledger = open(stored, place);
	ledger.keep(job(), render);
	if (failed) ledger.noteEnd(job(), FAILED);
	return store(stored);
}
const TASK_1 = { task: { task_id: 'task_1' }, reused: true };

describe('a task', () => {
	it('is found by a further try, with the time of its submit', () => {
		expect(open(paid()).find(job())).toMatchObject({
			task: { task_id: 'task_1', status: 'queued', model: 'veo' },
			...{ submittedAtMs: 1_000, reused: true, pollCount: 0 },
		});
	});

	it('is found with its own model, whatever the item says by now', () => {
		const stored: IDataObject = {};
		open(stored).keep(job(), toRender({ task_id: 'task_1', model: 'sora' }));
		expect(open(store(stored)).find(job())).toMatchObject({ task: { model: 'sora' } });
	});

	it('is found with its SUCCESS', () => {
		const stored = paid();
		const done = { ...render.task, status: 'SUCCESS' } as const;
		open(stored).noteEnd(job(), { state: 'done', render: { ...render, done } });
		expect(open(store(stored)).find(job())).toMatchObject({ done });
	});

	it('is found with the route on which it was taken', () => {
		const stored: IDataObject = {};
		open(stored).keep(job(), toRender({ task_id: 'task_1', route: 'openAiVideos' }));
		expect(open(store(stored)).find(job())).toMatchObject({ task: { route: 'openAiVideos' } });
	});

	const RETRY = { executionId: '2' };
	it.each([
		['another item', job(1), {}],
		['another run of a loop', job(), { $runIndex: 1 }],
		['another prompt, in a retried execution', job(0, 'q'), RETRY],
		['another service, in a retried execution', job(), { ...RETRY, baseUrl: 'https://b' }],
	])('is not that of %s', (_name, other, place) => {
		expect(open(paid(), place).find(other)).toBeUndefined();
	});

	it.each([
		['whatever its expressions give, in the same execution', job(0, 'q'), {}],
		['with the same words', job(0, 'q', { wish: toPromptWish('p', 'q') }), RETRY],
		['with the same value', job(0, 'p', { wish: toPromptWish('q', 'p') }), RETRY],
		['at an address spelled otherwise', job(), { ...RETRY, baseUrl: 'HTTPS://A:443/' }],
	])('is that of the same item %s', (_name, again, place) => {
		expect(open(paid(), place).find(again)).toMatchObject(TASK_1);
	});

	it('is known where the credential cannot be read', () => {
		const { run } = openWorld({ stored: paid(), executionId: '2' });
		expect(createLedger(run, undefined).find(job())).toMatchObject(TASK_1);
	});

	it('is kept beside that of an edited prompt, which may be edited back', () => {
		const stored = paid();
		open(stored, RETRY).keep(job(0, 'q'), toRender({ task_id: 'task_2' }));
		const later = open(store(stored), { executionId: '3' });
		expect(later.find(job())).toMatchObject(TASK_1);
		expect(later.find(job(0, 'q'))).toMatchObject({ task: { task_id: 'task_2' } });
		expect(later.find(job(0, 'r'))).toBeUndefined();
	});

	it('is submitted anew once it has failed', () => {
		expect(open(paid({ failed: true })).find(job())).toBeUndefined();
		expect(open(paid({ failed: true }), RETRY).find(job())).toBeUndefined();
	});
});

describe('a failing item that comes back to the node', () => {
	const back = (stored: IDataObject, next = 'changeRequest', task_id = 'task_1') =>
		open(stored, { $runIndex: 1, error: { task_id, next } });

	it('is not submitted anew for an item that nobody has changed, though others have its ID', () => {
		const stored: IDataObject = {};
		const ledger = open(stored);
		for (const [i, prompt] of ['p', 'q'].entries()) ledger.keep(job(i, prompt), render);
		ledger.noteEnd(job(), FAILED);
		const error = { task_id: 'task_1', next: 'changeRequest' };
		const later = open(stored, { $runIndex: 1, error });
		expect(['p', 'q', 'r'].map((prompt) => later.find(job(0, prompt)))).toMatchObject([
			...[TASK_1, TASK_1],
			undefined,
		]);
	});

	const refusal: Failure = {
		...{ during: 'submit', message: 'No', certainty: 'refused', passes: false },
	};
	const done = { json: {} };
	it.each<[what: string, note: (ledger: Ledger) => void, prompt: string, found: unknown]>([
		['as another one was in place of it', () => {}, 'p', MIXED_UP],
		['and has another wish', () => {}, 'q', undefined],
		['beside a row alike that is done', (ledger) => ledger.noteItem(job(), done), 'p', undefined],
		[
			'beside a row alike that has failed',
			(ledger) => ledger.noteEnd(job(), FAILED),
			'p',
			undefined,
		],
		[
			'beside a row alike that is lost',
			(ledger) => ledger.noteItem(job(1), refusal),
			'p',
			undefined,
		],
	])('comes back refused, %s', (_what, note, prompt, found) => {
		const stored = paid();
		note(open(stored));
		const later = open(store(stored), { $runIndex: 1, error: { next: 'retry', billed: 'no' } });
		expect(later.find(job(3, prompt))).toEqual(found);
	});

	it('follows its task, however it has changed', () => {
		expect(back(paid(), 'followTask').find(job(3, 'q'))).toMatchObject(TASK_1);
		const ofOthers = back(paid(), 'followTask', 'task_of_others');
		expect(ofOthers.find(job(3, 'q'))).toBeUndefined();
	});

	it.each([
		['has ended in FAILURE', true],
		['has a film that nobody gets', false],
	])('is submitted anew only with a change, where its task %s', (_what, failed) => {
		const later = back(paid({ failed }));
		const [written, valued] = [toPromptWish('p', 'q'), toPromptWish('q', 'p')];
		for (const wish of [undefined, written, valued]) {
			const same = job(3, 'p', wish && { wish });
			expect(later.find(same)).toMatchObject(TASK_1);
			later.noteEnd(same, FAILED);
			expect(later.find(same)).toMatchObject(TASK_1);
		}
		expect(later.find(job(3, 'q'))).toBeUndefined();
	});
});

describe('an unclear submit', () => {
	const left = () => {
		const stored: IDataObject = {};
		open(stored).keep(job(), unclear);
		return store(stored);
	};

	it('stays unclear for all tries of its execution and for a retried one', () => {
		for (const place of [{}, { executionId: '2' }]) {
			expect(open(left(), place).find(job())).toEqual(unclear);
		}
		expect(open(left()).find(job(0, 'q'))).toEqual(unclear);
	});

	it('stays unclear where n8n has not stored it and its item comes back in a later run', () => {
		const lost = { begun: { executionId: '1', runIndex: 0 }, lostRuns: [0] };
		const back = open(lost, { $runIndex: 1, error: { next: 'checkUsage' } });
		expect(back.find(job(2, 'q'))).toEqual(INTERRUPTED);
		expect(open(lost, { $runIndex: 1 }).find(job(2, 'q'))).toBeUndefined();
	});

	it('is known by its time where its item comes back, and no other item is', () => {
		const back = (ms: number) => {
			const error = { next: 'checkUsage', submitted_at: new Date(ms).toISOString() };
			return open(left(), { $runIndex: 1, error }).find(job(2, 'q'));
		};
		expect(back(1_000)).toEqual(unclear);
		expect(back(2_000)).toBeUndefined();
	});
});

describe("an agent's task", () => {
	const forAgent = true;

	it.each([
		['value', job(2, 'p', { wish: toPromptWish('w', 'p') })],
		['words', job(2, 'q', { wish: toPromptWish('p', 'q') })],
	])('is found by the same %s, whichever call it comes with', (_what, again) => {
		const later = open(paid({ forAgent }), { forAgent, $runIndex: 3 });
		expect(later.find(again)).toMatchObject(TASK_1);
		expect(later.find(job(0, 'q'))).toBeUndefined();
	});

	it('that has failed is told again, until the execution is retried', () => {
		const stored = paid({ forAgent, failed: true });
		expect(open(stored, { forAgent }).find(job())).toMatchObject({ reused: true });
		expect(open(stored, { forAgent, executionId: '2' }).find(job())).toBeUndefined();
	});
});
