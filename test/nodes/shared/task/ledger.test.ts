import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { createLedger, INTERRUPTED } from '../../../../nodes/shared/task/ledger';
import { toRender, type RenderJob } from '../../../../nodes/shared/task/render';
import { toWish } from '../../../../nodes/shared/task/wish';
import { videoGenerateFields } from '../../../../nodes/VideoGenerate/fields';
import { openWorld, toJob } from './support/world';

const unclear = {
	state: 'unclear' as const,
	trouble: { message: 'No answer', retryable: false },
	submittedAtMs: 1_000,
};
const render = toRender({ task_id: 'task_1' }, { submittedAtMs: 1_000 });

const job = (itemIndex = 0, prompt = 'p', more: Partial<RenderJob> = {}) =>
	toJob(itemIndex, { request: { model: 'veo', prompt }, wish: prompt, ...more });

/** A ledger over what n8n stores of a node, as one try or one execution opens it. */
function open(
	stored: IDataObject,
	{ baseUrl = 'https://a', ...place }: Parameters<typeof openWorld>[0] & { baseUrl?: string } = {},
) {
	return createLedger(openWorld({ stored, ...place }).run, baseUrl);
}
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
	if (failed) ledger.forget(job());
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
		['with the same words', job(0, 'q', { wish: 'p' }), RETRY],
		['with the same request', job(0, 'p', { wish: 'q' }), RETRY],
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
	const back = (prompt = 'p', cameToNothing = true) =>
		job(3, prompt, { failedTaskId: 'task_1', cameToNothing });

	it('follows its task, however it has changed', () => {
		const later = open(paid(), { $runIndex: 1 });
		expect(later.find(back('q', false))).toMatchObject(TASK_1);
		expect(later.find(job(3, 'q', { failedTaskId: 'task_of_others' }))).toBeUndefined();
	});

	it.each([
		['has ended in FAILURE', true],
		['has a film that nobody gets', false],
	])('is submitted anew only with a change, where its task %s', (_what, failed) => {
		const later = open(paid({ failed }), { $runIndex: 1 });
		for (const same of [back(), { ...back('q'), wish: 'p' }, { ...back(), wish: 'q' }]) {
			expect(later.find(same)).toMatchObject(TASK_1);
			expect(later.forget(same)).toBe(false);
		}
		expect(later.find(back('q'))).toBeUndefined();
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
		const later = open(lost, { $runIndex: 1 });
		const interrupted = { state: 'unclear', trouble: INTERRUPTED };
		expect(later.find(job(2, 'q', { unclearSince: '' }))).toEqual(interrupted);
		expect(later.find(job(2, 'q'))).toBeUndefined();
	});

	it('is known by its time where its item comes back, and no other item is', () => {
		const later = open(left(), { $runIndex: 1 });
		const back = (ms: number) => job(2, 'q', { unclearSince: new Date(ms).toISOString() });
		expect(later.find(back(1_000))).toEqual(unclear);
		expect(later.find(back(2_000))).toBeUndefined();
	});
});

describe("an agent's task", () => {
	const forAgent = true;

	it.each([
		['request', job(2, 'p', { wish: 'w' })],
		['wish', job(2, 'q', { wish: 'p' })],
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

	it('is submitted by one of several calls at once', async () => {
		const stored: IDataObject = {};
		const calls = [job(), job(0, 'p', { wish: 'w' }), job(0, 'q', { wish: 'p' })];
		const ends = calls.map(async (call, $runIndex) => {
			const ledger = open(stored, { forAgent, $runIndex });
			return await ledger.findOrSubmit(call, async () => {
				await Promise.resolve();
				ledger.keep(call, render);
				return 'submitted';
			});
		});
		expect(await Promise.all(ends)).toMatchObject(['submitted', TASK_1, TASK_1]);
	});
});

describe('Max Videos per Execution', () => {
	const submit = async () => await Promise.resolve('submitted');

	it('counts what is submitted again by the same try or another one', async () => {
		const stored = paid({ failed: true });
		const again = open(stored);
		again.limitTo(1, [job(0)]);
		await expect(again.findOrSubmit(job(), submit)).rejects.toThrow(
			'This execution may submit 1 video (Max Videos per Execution), and 1 of them is submitted already',
		);
		const message = /^This execution may submit 1 video .* 1 of them is submitted already$/;
		expect(() => open(stored, { $runIndex: 1 }).limitTo(1, [job(0)])).toThrow(message);
		const retried = open(stored, { executionId: '2' });
		retried.limitTo(1, [job(0)]);
		expect(await retried.findOrSubmit(job(), submit)).toBe('submitted');
	});

	it('counts a submit once, also between its answer and its end', async () => {
		const ledger = open({});
		ledger.limitTo(2, [job(0), job(1)]);
		let second: unknown;
		await ledger.findOrSubmit(job(0), async (one) => {
			ledger.keep(one, render);
			second = await ledger.findOrSubmit(job(1), submit);
		});
		expect(second).toBe('submitted');
	});

	it('is for all calls of an agent in one execution, those under way, too', async () => {
		const stored: IDataObject = {};
		const call = ($runIndex: number) => open(stored, { forAgent: true, $runIndex });
		const ledgers = [call(0), call(1), call(2)];
		ledgers.forEach((ledger) => ledger.limitTo(2, []));
		const submits = ledgers.map(
			async (one, i) => await one.findOrSubmit(job(0, `video ${i}`), submit),
		);
		// A call for what is under way is no further video: that is seen when its turn has come.
		expect(() => call(3).limitTo(1, [job(0, 'a')])).not.toThrow();
		const ends = await Promise.allSettled(submits);
		expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
		ledgers[0].keep(job(0, 'a'), render);
		// The others were refused: nothing is paid for.
		expect(() => call(3).limitTo(2, [job(0, 'b')])).not.toThrow();
		expect(() => call(3).limitTo(1, [job(0, 'a')])).not.toThrow();
		expect(() => call(3).limitTo(1, [job(0, 'b')])).toThrow(/^This execution may submit 1 video/);
		const retried = open(store(stored), { forAgent: true, executionId: '2' });
		expect(() => retried.limitTo(1, [job(0, 'b')])).not.toThrow();
	});
});

describe('a wish', () => {
	const item: INodeExecutionData = { json: { n: 1 } };
	const options = { seed: '={{ Math.random() }}', maxWait: 30 };
	const model = { __rl: true, mode: 'list', value: 'veo' };
	const parameters = { model, prompt: '={{ $now }}', wait: 'inProcess', options };
	const wish = (more: IDataObject = {}, of = item, forAgent = false) => {
		const { run } = openWorld({ forAgent });
		return toWish({ ...run, parameters: { ...parameters, ...more }, items: [of] }, 0);
	};

	it.each([
		['the way of waiting', { wait: 'durable' }],
		['what the item holds', { downloadVideo: true, options: { ...options, rawResponse: true } }],
		['how the model was chosen', { model: { ...model, mode: 'id', cachedResultName: 'Veo' } }],
		['the order of the options', { options: { maxWait: 30, seed: options.seed } }],
	])('does not change with %s', (_name, more) => expect(wish(more)).toBe(wish()));

	it('changes with the options that say what to render, and with no other', () => {
		const { options: all = [] } = videoGenerateFields.find(({ name }) => name === 'options')!;
		const changing = all
			.map(({ name }) => name)
			.filter((name) => wish({ options: { ...options, [name]: 'x' } }) !== wish());
		expect(changing.sort()).toEqual([
			...['additionalFields', 'generateAudio', 'images', 'lastFrame', 'modelFamily'],
			...['negativePrompt', 'seed'],
		]);
	});

	it('changes with what is asked for, and with the incoming item and its files', () => {
		const file = (id: string) => ({
			...item,
			binary: { data: { mimeType: 'image/png', data: '', id } },
		});
		const sora = { mode: 'list', value: 'sora' };
		const inSight = [{ prompt: 'p' }, { model: sora }, { duration: 8 }, { resolution: '720p' }];
		const asked = [{}, ...inSight, { options: { maxWait: 30 } }];
		const items = [{ json: { n: 2 } }, file('a'), file('b')];
		const wishes = [...asked.map((more) => wish(more)), ...items.map((of) => wish({}, of))];
		expect(new Set(wishes).size).toBe(wishes.length);
	});

	it('is the same where the item comes back with its failure', () => {
		expect(wish({}, { json: { ...item.json, error: { task_id: 'task_1' } } })).toBe(wish());
	});

	it('of an agent changes with what it asks for, and not with the call', () => {
		const call = (prompt: string, toolCallId: string) =>
			wish({}, { json: { prompt, toolCallId } }, true);
		expect(call('A boat', '1')).toBe(call('A boat', '2'));
		const reordered = { json: { toolCallId: '2', prompt: 'A boat' } };
		expect(wish({}, reordered, true)).toBe(call('A boat', '1'));
		expect(call('A boat', '1')).not.toBe(call('A tree', '1'));
	});
});
