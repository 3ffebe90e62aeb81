import fc from 'fast-check';

import { createSizeLimiter } from '../../../../nodes/shared/lib/turns';

describe('a limiter of sizes', () => {
	const sizes = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 30 });

	it('lets works in by their turns, as long as they fit or are alone', async () => {
		const oneOf = fc.asyncProperty(sizes, fc.infiniteStream(fc.nat(5)), async (all, lengths) => {
			const limiter = createSizeLimiter(10);
			const inside: number[] = [];
			const begun: number[] = [];
			const works = all.map(
				async (size, i) =>
					await limiter(size, async () => {
						if (size > 0) begun.push(i);
						inside.push(size);
						const taken = inside.reduce((sum, one) => sum + one, 0);
						const isAlone = inside.filter((one) => one > 0).length === 1;
						expect(taken <= 10 || isAlone).toBe(true);
						const [length] = lengths.take(1);
						for (let tick = 0; tick < length; tick++) await Promise.resolve();
						inside.splice(inside.indexOf(size), 1);
						if (i % 5 === 4) throw new Error('failed');
						return i;
					}),
			);
			const ends = await Promise.allSettled(works);
			expect(ends.map(({ status }, i) => (status === 'fulfilled' ? i : undefined))).toEqual(
				all.map((_size, i) => (i % 5 === 4 ? undefined : i)),
			);
			expect(begun).toEqual([...begun].sort((one, other) => one - other));
		});
		await fc.assert(oneOf, { numRuns: 300 });
	});
});
