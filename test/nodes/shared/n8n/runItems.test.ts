import fc from 'fast-check';

import { isFailure, readFailed } from '../../../../nodes/shared/failure/failure';
import { createLimiter } from '../../../../nodes/shared/lib/turns';
import { toOutput } from '../../../../nodes/shared/n8n/output';
import type { Reader } from '../../../../nodes/shared/n8n/reader';
import { type Job, runItems } from '../../../../nodes/shared/n8n/runItems';
import { makeRun } from '../../../support/makeRun';
import { runs } from '../../../support/runs';

interface Plan {
	/** What each item does. */
	acts: Array<'fine' | 'cannot be read' | 'throws' | 'fails'>;
	continues: boolean;
	error: unknown;
}

const act = fc.constantFrom<Plan['acts'][number]>('fine', 'cannot be read', 'throws', 'fails');
const plan: fc.Arbitrary<Plan> = fc.record({
	acts: fc.array(act, { minLength: 1, maxLength: 8 }),
	continues: fc.boolean(),
	// By n8n, by an expression, by an answer that nobody has thought of.
	error: fc.oneof(
		fc.string().map((message) => new Error(message)),
		fc.anything(),
	),
});

async function play({ acts, continues, error }: Plan) {
	const run = makeRun({ parameters: acts.map(() => ({})), continues });
	const log: string[] = [];
	const read = ({ itemIndex }: Reader): Job => {
		log.push('read');
		if (acts[itemIndex] === 'cannot be read') throw error;
		return { itemIndex };
	};
	const { results } = await runItems(run, read, () => {
		return {
			limiter: createLimiter(1, run.signal),
			work: async ({ itemIndex }: Job) => {
				log.push('work');
				run.taskIds.set(itemIndex, `task_${itemIndex}`);
				await Promise.resolve();
				if (acts[itemIndex] === 'throws') throw error;
				if (acts[itemIndex] === 'fine') return { json: { task_id: `task_${itemIndex}` } };
				return readFailed({ message: 'No' });
			},
		};
	});
	return { run, results, log };
}

const isGood = (act: string) => act === 'fine';

describe('runItems', () => {
	it('makes whatever is thrown for an item the failure of that item, with its task', async () => {
		await fc.assert(
			fc.asyncProperty(plan, async ({ acts, error }) => {
				const { run, results } = await play({ acts, continues: true, error });
				expect(results.map((result) => result && !isFailure(result))).toEqual(acts.map(isGood));
				const items = toOutput(run, results);
				expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
					acts.map((_, item) => ({ item })),
				);
				items.forEach(({ json }, i) => {
					if (isGood(acts[i])) return expect(json).not.toHaveProperty('error');
					expect(Object.keys(json)).toEqual(['error']);
					const { message, task_id } = json.error as { message: string; task_id?: string };
					expect(message).toMatch(new RegExp(`\\S[^]*\\[item ${i}\\]$`));
					if (acts[i] === 'throws') expect(task_id).toBe(`task_${i}`);
				});
			}),
			{ numRuns: runs(500) },
		);
	});

	it('reads ten items in a turn of n8n, which has one thread for all', async () => {
		jest.useFakeTimers();
		const run = makeRun({ parameters: Array.from({ length: 25 }, () => ({})) });
		const read = jest.fn(({ itemIndex }: Reader): Job => ({ itemIndex }));
		const end = runItems(run, read, () => ({ work: async () => undefined }));
		for (const count of [10, 20, 25]) {
			await jest.advanceTimersByTimeAsync(count > 10 ? 1 : 0);
			expect(read).toHaveBeenCalledTimes(count);
		}
		jest.useRealTimers();
		await end;
	});

	it('a bad item harms none that is still being read', async () => {
		const run = makeRun({ parameters: [{}, {}] });
		const read = async ({ itemIndex }: Reader): Promise<Job> => {
			if (itemIndex === 1) throw new Error('No');
			for (let turn = 0; turn < 20; turn++) await Promise.resolve();
			if (run.signal.aborted) throw new Error('The connection was cut');
			return { itemIndex };
		};
		const { results } = await runItems(run, read, () => ({ work: async () => undefined }));
		expect([results[0], run.signal.aborted]).toEqual([undefined, true]);
		expect(results[1]).toMatchObject({ message: expect.stringContaining('No') });
	});

	it('begins nothing in the default mode once an item cannot be read', async () => {
		await fc.assert(
			fc.asyncProperty(plan, async (given) => {
				const { log, run, results } = await play({ ...given, continues: false });
				expect(log.filter((entry) => entry === 'read')).toHaveLength(given.acts.length);
				expect(log.join(' ')).toMatch(/^(read ?)+(work ?)*$/);
				if (given.acts.includes('cannot be read')) expect(log).not.toContain('work');
				if (!given.acts.every(isGood)) expect(() => toOutput(run, results)).toThrow(/\S/);
			}),
		);
	});
});
