import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import {
	toBatchItem,
	type BatchVideo,
	type UnsubmittedVideo,
} from '../../../../nodes/shared/durable/sleepingVideo';
import {
	hasStoredPasses,
	isWaitedFor,
	readLastChildId,
	readSubmitter,
} from '../../../../nodes/shared/durable/stored';

const CALLER = '1';
const KEEPER = '2';
const OWN = '3';

const video: UnsubmittedVideo = {
	item: 0,
	callerId: CALLER,
	keeperId: KEEPER,
	request: { model: 'a', prompt: 'A boat' },
	concurrency: 2,
	begun: true,
	wishes: {} as UnsubmittedVideo['wishes'],
};
const ended: BatchVideo = { item: 0, result: { json: { task_id: 'task_0' } } };
const toItem = (one: BatchVideo) => toBatchItem(one, 0, { show: (json) => json });
const ownItems = [toItem({ ...video, begun: false, keeperId: undefined })];

/** What n8n stores of an execution that waits for another one. */
const parked = (childId: string, items: INodeExecutionData[] = ownItems, metadata = {}) => ({
	waitTill: '3000-01-01T00:00:00.000Z',
	resultData: { runData: {} },
	executionData: {
		nodeExecutionStack: [
			{
				data: { main: [items] },
				metadata: { waitingChildExecutionIds: [childId], ...metadata },
			},
		],
	},
});
const running = { resultData: { runData: {} }, executionData: { nodeExecutionStack: [] } };

const contextOf = (rows: Record<string, unknown>) =>
	({
		getExecutionId: () => OWN,
		async getExecutionDataById(id: string) {
			if (rows[id] instanceof Error) throw rows[id];
			return rows[id];
		},
	}) as unknown as IExecuteFunctions;

describe('isWaitedFor', () => {
	const caller = parked(KEEPER);
	const keeper = parked(OWN);
	const stopped = { ...caller, resultData: { runData: {}, error: { message: 'canceled' } } };
	const notYet: Array<[string, Record<string, unknown>]> = [
		['the caller runs', { [CALLER]: running, [KEEPER]: keeper }],
		['the Keeper runs', { [CALLER]: caller, [KEEPER]: running }],
		['the caller waits for something else', { [CALLER]: parked('9'), [KEEPER]: keeper }],
		['the Keeper waits for another Submitter', { [CALLER]: caller, [KEEPER]: parked('9') }],
		['the database does not answer', { [CALLER]: caller, [KEEPER]: new Error('SQLITE_BUSY') }],
	];
	const noMore: Array<[string, Record<string, unknown>]> = [
		['the caller was stopped', { [CALLER]: stopped, [KEEPER]: keeper }],
		[
			'the Keeper was given the items of this execution',
			{ [CALLER]: caller, [KEEPER]: parked(OWN, [toItem(video)]) },
		],
		['the Keeper was given nothing', { [CALLER]: caller, [KEEPER]: parked(OWN, []) }],
		[
			'the Keeper was given an error',
			{ [CALLER]: caller, [KEEPER]: parked(OWN, ownItems, { resumeError: {} }) },
		],
	];

	it('is true once both are stored as waiting', async () => {
		expect(await isWaitedFor(contextOf({ [CALLER]: caller, [KEEPER]: keeper }), video)).toBe(true);
	});

	it.each(notYet)('is not known yet where %s', async (_name, rows) => {
		expect(await isWaitedFor(contextOf(rows), video)).toBeUndefined();
	});

	it.each(noMore)('is false for good where %s', async (_name, rows) => {
		expect(await isWaitedFor(contextOf(rows), video)).toBe(false);
	});
});

describe('what is stored of a Submitter', () => {
	const START = 'Videos to Submit';
	const passes = (...items: INodeExecutionData[][]) =>
		items.map((main) => ({ data: { main: [main] } }));
	const row = (runData: object, stack: unknown[] = []) => ({
		resultData: { runData },
		executionData: { nodeExecutionStack: stack },
	});
	const read = async (stored: unknown) => await readSubmitter(contextOf({ '8': stored }), '8', []);

	it('is its last pass, whatever came after that', async () => {
		const stored = row({ 'Submit Videos': passes([toItem(video)], [toItem(ended)], []) });
		expect(await read(stored)).toEqual([ended]);
	});

	it('is what it was given, before its first pass', async () => {
		expect(await read(row({ [START]: passes([]) }))).toEqual([]);
		expect(await read(row({}, [{ node: { name: START } }]))).toEqual([]);
	});

	it('is not known where n8n has erased it, where it is not there, or cannot be read', async () => {
		expect(await read(row({}))).toBeUndefined();
		expect(await read(undefined)).toBeUndefined();
		expect(await read(new Error('SQLITE_BUSY'))).toBeUndefined();
		expect(await readSubmitter(contextOf({}), undefined, [])).toBeUndefined();
	});

	it('counts its passes', async () => {
		const context = contextOf({ [OWN]: row({ 'Submit Videos': passes([], []) }) });
		expect(await hasStoredPasses(context, 2)).toBe(true);
		expect(await hasStoredPasses(context, 3)).toBe(false);
		expect(await hasStoredPasses(contextOf({}), 1)).toBe(false);
	});

	it('is found by the last launch of the Keeper', async () => {
		const launch = (id: string) => ({ metadata: { waitingChildExecutionIds: [id] } });
		const keeper = row({ 'Wait for Renders': [launch('5'), launch('8')] });
		expect(await readLastChildId(contextOf({ [OWN]: keeper }))).toBe('8');
		expect(await readLastChildId(contextOf({ [OWN]: row({}) }))).toBeUndefined();
	});
});
