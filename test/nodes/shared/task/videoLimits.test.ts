import type * as VideoLimits from '../../../../nodes/shared/task/videoLimits';
import { makeDeduplicator } from '../../../support/engine/deduplicator';
import { makeRun } from '../../../support/makeRun';

// Max Videos per Day on several workers: each has what it remembers, and all have one database.

const DAY_MS = 86_400_000;

/** Returns `claimOfDay` of as many processes as wanted, on the same database. */
function startWorkers(count: number) {
	const database = makeDeduplicator();
	return Array.from({ length: count }, () => {
		let limits!: typeof VideoLimits;
		jest.isolateModules(() => {
			limits = jest.requireActual('../../../../nodes/shared/task/videoLimits');
		});
		return async (max: number, nowMs = 0, onAsk = () => {}) => {
			const node = { id: 'node' };
			const workflow = { id: 'workflow' };
			type Items = Parameters<typeof database.checkProcessedAndRecord>[0];
			const more = {
				node,
				getMode: () => 'trigger',
				getTimezone: () => 'UTC',
				getWorkflow: () => workflow,
				helpers: {
					checkProcessedAndRecord: async (items: Items) => {
						onAsk();
						return await database.checkProcessedAndRecord(items, 'node', { node, workflow });
					},
					clearAllProcessedItems: async () =>
						await database.clearAllProcessedItems('node', { node, workflow }),
				},
			};
			const run = { ...makeRun({ more }), clock: { now: () => nowMs } };
			return await limits.claimOfDay(run as Parameters<typeof limits.claimOfDay>[0], max);
		};
	});
}

const isSlot = (claimed: unknown): claimed is () => Promise<void> => typeof claimed === 'function';

it('all workers together get as many slots as the limit allows, while some are given back', async () => {
	const workers = startWorkers(2);
	const claimAll = async () =>
		(
			await Promise.all(
				Array.from({ length: 30 }, async (_, n) => await workers[n % workers.length](12)),
			)
		).filter(isSlot);
	const claimed = await claimAll();
	expect(claimed).toHaveLength(12);
	await Promise.all(claimed.slice(0, 5).map(async (giveBack) => await giveBack()));
	expect(await claimAll()).toHaveLength(5);
	expect(await claimAll()).toHaveLength(0);
});

it('a week later, the slots of a day are gone from the database', async () => {
	const [worker] = startWorkers(1);
	const claimThree = async (max: number, nowMs = 0) => {
		const claimed = [await worker(max, nowMs), await worker(max, nowMs), await worker(max, nowMs)];
		return claimed.filter(isSlot).length;
	};
	expect(await claimThree(100)).toBe(3);
	expect(await claimThree(3)).toBe(0);
	expect(await claimThree(100, 7 * DAY_MS)).toBe(3);
	expect(await claimThree(3)).toBe(3);
});

it('of many items over the limit, the first alone asks for all slots', async () => {
	const [worker] = startWorkers(1);
	const asked = jest.fn();
	const claimed = await Promise.all(
		Array.from({ length: 20 }, async () => await worker(5, 0, asked)),
	);
	expect(claimed.filter(isSlot)).toHaveLength(5);
	expect(asked).toHaveBeenCalledTimes(5 + 5);
});
