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
		return async (max: number, nowMs = 0) => {
			const node = { id: 'node' };
			const workflow = { id: 'workflow' };
			type Items = Parameters<typeof database.checkProcessedAndRecord>[0];
			const more = {
				node,
				getMode: () => 'trigger',
				getTimezone: () => 'UTC',
				getWorkflow: () => workflow,
				helpers: {
					checkProcessedAndRecord: async (items: Items) =>
						await database.checkProcessedAndRecord(items, 'node', { node, workflow }),
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
	await worker(1);
	expect(await worker(1)).toMatchObject({ kind: 'refused' });
	await worker(1, 7 * DAY_MS);
	expect(isSlot(await worker(1))).toBe(true);
});
